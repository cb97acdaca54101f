// The constants that a rung's file is tuned by, and the file's text with other values of them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "src/program/ladder/kernel_file.hpp"

namespace lanework {

/// A value for a constant: {"block", 64}.
struct Tuning {
    std::string name;
    std::int64_t value = 0;
    friend bool operator==(const Tuning&, const Tuning&) = default;
};
using Tunings = std::vector<Tuning>;

/// "naive block=64 tile=8".
std::string tuned_name(std::string_view rung, const Tunings& tunings);

/// `constexpr int kBlock = 256;`, or a member of `constexpr struct { int block = 256; } kTuning;`: a whole number that
/// is written as one.
struct TunableConstant {
    /// As --sweep names it: "block", "tile.rows" of an aggregate kTile.
    std::string name;
    /// As the source does: "kBlock", "kTile.rows".
    std::string spelled;
    std::int64_t value = 0;
    std::filesystem::path file;
    /// Of the number in the file, in bytes.
    std::size_t offset = 0, length = 0;
};

/// Those at namespace scope of a rung's file, then those of the files that it includes from its own folder: beside it,
/// or by their path from `root`.
std::vector<TunableConstant> tunable_constants(const std::filesystem::path& file, const IncludeRoot& root);
/// The same of one text.
std::vector<TunableConstant> constants_of_text(const std::filesystem::path& file, std::string_view text);

/// The constant of this name, by either spelling; null where there is none. `block` is also the only one that is called
/// threads, …_block or …_threads, those of the rung's own file first: the threads of a block have many names. `grid` is
/// likewise what a rung that chooses its grid calls blocks, …_blocks (at most, or in all) or blocks_per_… (of a
/// multiprocessor).
const TunableConstant* find_constant(const std::vector<TunableConstant>& constants, std::string_view name,
                                     const std::filesystem::path& file);
/// "block (256), in_flight (4)".
std::string listed(const std::vector<TunableConstant>& constants);

/// The rung's file and those of its folder that it includes, by the paths that the compiler finds them by.
std::vector<std::filesystem::path> sources_of(const std::filesystem::path& file, const IncludeRoot& root);

/// What the files hold with these values: the same lines. Only files that differ.
using SourceTexts = std::map<std::filesystem::path, std::string>;
SourceTexts with_values(const std::vector<std::pair<const TunableConstant*, std::int64_t>>& values);

}  // namespace lanework
