// A file that ends with LANEWORK_RUNG, compiled to a library and loaded: its entry is the constant data that the
// program's own rungs are.
#pragma once

#include <filesystem>
#include <lanework/rung.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/build.hpp"
#include "src/program/ladder/tuning.hpp"

namespace lanework {

/// What such a rung is compiled from.
struct RungPlace {
    std::filesystem::path file;
    /// What the file includes by its path from here is of the rung's own where it is of its folder.
    IncludeRoot root;
    /// Where includes are looked for, ahead of the library's own headers.
    std::vector<std::filesystem::path> includes;
    /// The library of its operation, where that is none of the program's.
    std::filesystem::path operation = {};
    /// As messages and results name the file.
    std::string shown;
};

/// The entry that the file defines.
struct RungEntryName {
    DeviceKind device = DeviceKind::simt;
    std::string operation, name;
};

/// Compiles it, where that was not done before; for GPUs for this architecture ("native": this machine's). Throws
/// CompilationError when what is wrong was told, UnavailableError where there is no nvcc.
std::filesystem::path build_rung_library(const RungPlace& place, DeviceKind device, const SourceTexts& texts,
                                         const Build& build, ProgramCache& cache,
                                         const std::string& architecture = "native");

/// The rung of such a library, for the rest of the process; named and placed otherwise where `renamed` is not empty.
/// Throws CompilationError for one that lacks a function, UnavailableError for one that cannot be loaded.
const Rung& load_rung_library(const std::filesystem::path& library, const RungEntryName& entry, const RungPlace& place,
                              std::string_view renamed = {}, std::string_view climbs_from = {});
/// What a loaded rung was compiled from; null for others.
const RungPlace* place_of_loaded(const Rung& rung);

/// Whether the file ends with LANEWORK_RUNG.
bool defines_rung(const std::filesystem::path& file);

/// Throws CompilationError that names what nobody defines where that is why a library cannot be loaded, else
/// UnavailableError. `advice` follows what is missing.
[[noreturn]] void refuse_library(const std::string& shown, const std::string& said, std::string_view advice = {});

}  // namespace lanework
