// Finds the files of a ladder, and brings its rungs into the process.
#include "src/program/ladder/own_ladder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <lanework/error.hpp>
#include <map>
#include <optional>
#include <sstream>
#include <utility>

#include "src/core/compilation_error.hpp"
#include "src/core/own_ladders.hpp"
#include "src/core/printed.hpp"
#include "src/program/ladder/compiled_operation.hpp"
#include "src/program/ladder/host_code.hpp"
#include "src/program/ladder/python_rung.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Whether the folder's operation is written in C++.
bool is_compiled(const fs::path& folder) {
    std::error_code error;
    return !fs::is_regular_file(folder / kDescriptionFile, error) && compiled_operation_name(folder).has_value();
}

struct Named {
    fs::path folder;
    std::string rung;
};

/// Where a folder has rungs for which devices.
struct Shelf {
    std::string_view folder, ending;
    std::vector<DeviceKind> kinds;
    bool library = false;
};

const std::vector<Shelf>& shelves() {
    static const std::vector<Shelf> all{{"", ".cu", {DeviceKind::cuda, DeviceKind::simt}},
                                        {"cpu", ".cpp", {DeviceKind::cpu}},
                                        {"library", ".cu", {DeviceKind::cuda}, true},
                                        {"library", ".cpp", {DeviceKind::cpu}, true},
                                        {"library", ".py", {DeviceKind::cuda, DeviceKind::cpu}, true}};
    return all;
}

/// The place of "softmax" or "softmax/naive" in one of the folders of operations that the program knows: ops/, which
/// holds its own, and those that LANEWORK_OPS lists. Empty for a path, and where there is none.
fs::path folder_by_name(const fs::path& path) {
    const std::string first = path.empty() ? std::string() : path.begin()->string();
    if (!is_name(first)) return {};
    std::vector<fs::path> places{find_sources() / "ops"};
    const char* const named = std::getenv("LANEWORK_OPS");
    std::istringstream list(named ? named : "");
    for (std::string each; std::getline(list, each, ':');)
        if (!each.empty()) places.emplace_back(each);
    std::error_code error;
    if (fs::exists(path.begin()->string(), error)) return {};  // what lies here comes first
    for (const fs::path& place : places)
        if (place.is_absolute() && fs::is_regular_file(place / first / kDescriptionFile, error)) return place / path;
    return {};
}

/// The folder and the rung that a word names.
Named split_word(const std::string& word) {
    fs::path path = fs::path(word).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (const fs::path folder = folder_by_name(path); !folder.empty()) path = folder;
    if (is_own_ladder(path)) return {path, {}};
    fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    const std::string ending = path.extension().string();
    const bool file = std::ranges::any_of(shelves(), [&](const Shelf& shelf) { return shelf.ending == ending; });
    const bool shelf =
        std::ranges::any_of(shelves(), [&](const Shelf& each) { return each.folder == folder.filename(); });
    if (shelf && !is_own_ladder(folder)) folder = folder.has_parent_path() ? folder.parent_path() : fs::path(".");
    return {folder, file ? path.stem().string() : path.filename().string()};
}

/// A file that is a rung, and what it runs on.
struct RungFile {
    fs::path path;
    std::vector<DeviceKind> kinds;
    bool library = false;

    bool runs_on(DeviceKind kind) const { return std::ranges::find(kinds, kind) != kinds.end(); }
    bool python() const { return path.extension() == ".py"; }
};

/// Every file of the folder's shelves but those that operation.json names as a part of all rungs.
std::vector<RungFile> rung_files(const fs::path& folder, const Description& description) {
    std::vector<RungFile> files;
    const auto part = [&](const std::vector<std::string>& words, const fs::path& file) {
        return std::ranges::any_of(words, [&](const std::string& word) {
            return (description.folder / word).lexically_normal() ==
                   (description.folder / file.lexically_relative(folder)).lexically_normal();
        });
    };
    for (const Shelf& shelf : shelves()) {
        std::error_code error;
        const auto begin = files.size();
        for (const fs::directory_entry& entry : fs::directory_iterator(folder / shelf.folder, error)) {
            const fs::path& path = entry.path();
            if (path.extension() != shelf.ending || !entry.is_regular_file() || part(description.build, path) ||
                part(description.build_on_gpu, path))
                continue;
            files.push_back({path, path.extension() == ".py" ? devices_of_python(path) : shelf.kinds, shelf.library});
        }
        std::ranges::sort(files.begin() + static_cast<std::ptrdiff_t>(begin), files.end(), {}, &RungFile::path);
    }
    return files;
}

std::string rung_names(const std::vector<RungFile>& files) {
    std::vector<std::string> names;
    for (const RungFile& file : files)
        if (std::ranges::find(names, file.path.stem().string()) == names.end())
            names.push_back(file.path.stem().string());
    return fmt::format("{}", fmt::join(names, ", "));
}

std::string kind_names(const std::vector<DeviceKind>& kinds) {
    std::vector<std::string_view> names;
    for (const DeviceKind kind : kinds) names.push_back(name_of(kind));
    return fmt::format("{}", fmt::join(names, ", "));
}

struct Ladder {
    OwnOperation* operation = nullptr;
    /// Of an operation in C++, what its rungs are compiled from besides their files.
    std::optional<RungPlace> place;
    std::map<std::pair<fs::path, DeviceKind>, const Rung*> compiled;
    std::map<std::pair<fs::path, DeviceKind>, OwnRung*> rungs;
    std::map<std::pair<fs::path, DeviceKind>, PythonRung*> functions;
};

std::map<fs::path, Ladder>& loaded() {
    // Rungs are constant data for the rest of the process.
    static auto& ladders = *new std::map<fs::path, Ladder>;
    return ladders;
}

Ladder& ladder_of(const fs::path& folder, const Build& build) {
    Ladder& ladder = loaded()[fs::canonical(folder)];
    if (ladder.operation) return ladder;
    if (is_compiled(folder)) {
        const CompiledOperation compiled = compile_operation(folder, build);
        ladder.place = compiled.place;
        ladder.operation = &OwnOperation::of(*compiled.operation, compiled.folder);
    } else {
        ladder.operation = &OwnOperation::make(read_description(folder));
    }
    return ladder;
}

/// Of the program's own operations: the rungs that are added to them.
std::map<const Operation*, Ladder>& added_to() {
    static auto& all = *new std::map<const Operation*, Ladder>;
    return all;
}

Ladder& ladder_of(const Operation& operation) {
    Ladder& ladder = added_to()[&operation];
    if (!ladder.operation) ladder.operation = &OwnOperation::of(operation, {});
    return ladder;
}

const Operation* operation_of_ours(const std::string& word) {
    const auto all = operations();
    const auto found = std::ranges::find(all, word, &Operation::name);
    return found == all.end() ? nullptr : *found;
}

RungSource added_source(const AddedKernel& added) {
    const std::size_t colon = added.kernel.rfind(".cu:");
    const std::size_t end = colon == std::string::npos ? added.kernel.size() : colon + 3;
    return {.file = added.kernel.substr(0, end),
            .kernel = end < added.kernel.size() ? added.kernel.substr(end + 1) : std::string(),
            .launch = added.launch,
            .build = split_build_words(added.build)};
}

/// One that is written as our own are, for an operation in C++.
void add_compiled(Ladder& ladder, const fs::path& file, DeviceKind device, const Build& build, ProgramCache& cache) {
    const Rung*& rung = ladder.compiled[{fs::canonical(file), device}];
    if (rung) return;
    const Operation& operation = ladder.operation->operation();
    RungPlace place = *ladder.place;
    place.file = fs::canonical(file);
    place.shown = shown_path(place.file);
    try {
        const fs::path library = build_rung_library(place, device, {}, build, cache);
        rung = &load_rung_library(
            library, {.device = device, .operation = std::string(operation.name), .name = file.stem().string()}, place);
    } catch (const CompilationError& error) {
        const std::string said = error.what();
        throw CompilationError(said.starts_with(place.shown) ? said : fmt::format("{} does not compile", place.shown));
    }
    adopt_rung(operation, *rung);
}

void add_rung(Ladder& ladder, const RungSource& source, DeviceKind device, const Build& build, ProgramCache& cache) {
    if (defines_rung(source.file)) {
        if (ladder.place) return add_compiled(ladder, source.file, device, build, cache);
        throw UsageError(
            fmt::format("{} ends with LANEWORK_RUNG, which is for operations in C++: a kernel, or a function "
                        "launch(…), is a rung of {}",
                        shown_path(source.file), ladder.operation->description().name));
    }
    OwnRung*& rung = ladder.rungs[{fs::absolute(source.file).lexically_normal(), device}];
    if (rung) return;
    OwnRung& made = OwnRung::make(*ladder.operation, source, device);
    made.load(made.build(build, cache));
    rung = &made;
    adopt_rung(ladder.operation->operation(), made.rung());
}

void add_function(Ladder& ladder, const fs::path& file, DeviceKind device) {
    PythonRung*& rung = ladder.functions[{fs::absolute(file).lexically_normal(), device}];
    if (rung) return;
    rung = &PythonRung::make(*ladder.operation, file, device);
    adopt_rung(ladder.operation->operation(), rung->rung());
}

/// Nothing was found for the devices: says where it is found, or what is a rung for them.
[[noreturn]] void refuse_devices(const Named& named, const std::vector<RungFile>& files,
                                 const std::vector<DeviceKind>& kinds) {
    for (const RungFile& file : files)
        if (file.path.stem() == named.rung)
            throw UsageError(fmt::format("{}/{} is a rung for {}; add --device {}", named.folder.string(), named.rung,
                                         kind_names(file.kinds), name_of(file.kinds.back())));
    if (!named.rung.empty())
        throw UsageError(
            fmt::format("{} has no rung `{}`; there are: {}", named.folder.string(), named.rung, rung_names(files)));
    if (files.empty()) throw UsageError(fmt::format("{} holds no rung: a .cu file is one", named.folder.string()));
    throw UsageError(fmt::format("{} holds no rung for {}: {}", named.folder.string(), kind_names(kinds),
                                 kinds == std::vector<DeviceKind>{DeviceKind::cpu}
                                     ? "cpu/NAME.cpp, library/NAME.cpp and library/NAME.py are some"
                                     : "a .cu file is one"));
}

}  // namespace

std::vector<DeviceKind> devices_without_gpu(const std::string& word) {
    const Named named = split_word(word);
    std::vector<DeviceKind> kinds;
    if (!is_own_ladder(named.folder)) return kinds;
    Description description;
    description.folder = named.folder;
    if (!is_compiled(named.folder)) description = read_description(named.folder);
    for (const RungFile& file : rung_files(named.folder, description))
        for (const DeviceKind kind : {DeviceKind::simt, DeviceKind::cpu})
            if ((named.rung.empty() || file.path.stem() == named.rung) && file.runs_on(kind) &&
                std::ranges::find(kinds, kind) == kinds.end())
                kinds.push_back(kind);
    return kinds;
}

bool names_own_ladder(const std::string& word) {
    const bool path = word.starts_with('.') || word.starts_with('/');
    const Named named = split_word(word);
    const std::string first = word.substr(0, word.find('/'));
    const bool ours = std::ranges::any_of(operations(), [&](const Operation* each) { return each->name == first; });
    return path || (!ours && is_own_ladder(named.folder));
}

LoadedLadder load_own_ladder(const std::string& word, const Build& build, const AddedKernel& added,
                             const std::vector<DeviceKind>& devices) {
    if (!added.empty() && !devices.empty() && std::ranges::count(devices, DeviceKind::cpu) == std::ssize(devices))
        throw UsageError("--kernel is built for simt and for GPUs, not for cpu");
    keep_results_apart();  // rungs may print, end or crash the process: it is theirs, too
    HostCode::watch();
    std::vector<DeviceKind> kinds = devices;
    if (kinds.empty()) kinds = {DeviceKind::simt};
    if (const Operation* const ours = added.empty() ? nullptr : operation_of_ours(word)) {
        std::erase(kinds, DeviceKind::cpu);
        if (kinds.empty()) kinds = {DeviceKind::simt};
        const RungSource source = added_source(added);
        ProgramCache cache;
        for (const DeviceKind kind : kinds) add_rung(ladder_of(*ours), source, kind, build, cache);
        return {ours, source.file.stem().string()};
    }
    const Named named = split_word(word);
    if (!is_own_ladder(named.folder)) {
        std::error_code error;
        throw UsageError(
            fs::is_directory(word, error)
                ? fmt::format("{} is no ladder: it holds no {}; `lanework new NAME` begins one", word, kDescriptionFile)
                : fmt::format("{}: there is no such folder", word));
    }
    Ladder& ladder = ladder_of(named.folder, build);
    const Operation& operation = ladder.operation->operation();
    const std::vector<RungFile> files = rung_files(named.folder, ladder.operation->description());
    ProgramCache cache;
    if (!added.empty()) {
        const RungSource source = added_source(added);
        std::erase(kinds, DeviceKind::cpu);
        if (kinds.empty()) kinds = {DeviceKind::simt};
        for (const DeviceKind kind : kinds) add_rung(ladder, source, kind, build, cache);
        return {&operation, source.file.stem().string()};
    }
    bool found = false;
    for (const RungFile& file : files) {
        if (!named.rung.empty() && file.path.stem() != named.rung) continue;
        for (const DeviceKind kind : kinds) {
            if (!file.runs_on(kind)) continue;
            found = true;
            if (file.python()) {
                add_function(ladder, file.path, kind);
                continue;
            }
            const RungSource source{.file = file.path,
                                    .kernel = {},
                                    .launch = {},
                                    .build = split_build_words(added.build),
                                    .library = file.library};
            if (!file.library || !named.rung.empty()) {
                add_rung(ladder, source, kind, build, cache);
                continue;
            }
            try {
                add_rung(ladder, source, kind, build, cache);
            } catch (const CompilationError& error) {  // the library is not here: of the ladder the rest is
                build.tell(fmt::format("lanework: {}: it is left out\n", error.what()));
            }
        }
    }
    if (!found) refuse_devices(named, files, kinds);
    return {&operation, named.rung};
}

OwnOperation& operation_of_word(const std::string& word, const Build& build) {
    if (const Operation* const ours = operation_of_ours(word)) return *ladder_of(*ours).operation;
    const Named named = split_word(word);
    if (!is_own_ladder(named.folder) || !named.rung.empty())
        throw FileError(fmt::format("{}: there is no {} and no {}", word, kDescriptionFile, kOperationFile));
    return *ladder_of(named.folder, build).operation;
}

const OwnOperation* own_operation(const Operation& operation) {
    for (const auto& [folder, ladder] : loaded())
        if (ladder.operation && &ladder.operation->operation() == &operation) return ladder.operation;
    return nullptr;
}

const OwnRung* own_rung(const Rung& rung) {
    const auto among = [&](const Ladder& ladder) -> const OwnRung* {
        for (const auto& [key, own] : ladder.rungs)
            if (own && &own->rung() == &rung) return own;
        return nullptr;
    };
    for (const auto& [folder, ladder] : loaded())
        if (const OwnRung* const own = among(ladder)) return own;
    for (const auto& [operation, ladder] : added_to())
        if (const OwnRung* const own = among(ladder)) return own;
    return nullptr;
}

}  // namespace lanework
