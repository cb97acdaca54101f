// Finds the files of a ladder, and brings its rungs into the process.
#include "src/program/ladder/own_ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <map>
#include <utility>

#include "src/core/own_ladders.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct Named {
    fs::path folder;
    std::string rung;
};

/// The folder and the rung that a word names.
Named split_word(const std::string& word) {
    fs::path path = fs::path(word).lexically_normal();
    if (!path.has_filename()) path = path.parent_path();
    if (is_own_ladder(path)) return {path, {}};
    const fs::path folder = path.has_parent_path() ? path.parent_path() : fs::path(".");
    return {folder, path.extension() == ".cu" ? path.stem().string() : path.filename().string()};
}

/// Every .cu file of the folder but those that operation.json names as a part of all rungs.
std::vector<fs::path> rung_files(const fs::path& folder, const Description& description) {
    std::vector<fs::path> files;
    const auto part = [&](const std::vector<std::string>& words, const fs::path& file) {
        return std::ranges::any_of(words, [&](const std::string& word) {
            return (description.folder / word).lexically_normal() == description.folder / file.filename();
        });
    };
    for (const fs::directory_entry& entry : fs::directory_iterator(folder))
        if (entry.path().extension() == ".cu" && entry.is_regular_file() && !part(description.build, entry.path()) &&
            !part(description.build_on_gpu, entry.path()))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string rung_names(const std::vector<fs::path>& files) {
    std::string names;
    for (const fs::path& file : files) names += (names.empty() ? "" : ", ") + file.stem().string();
    return names;
}

struct Ladder {
    OwnOperation* operation = nullptr;
    std::map<std::pair<fs::path, DeviceKind>, OwnRung*> rungs;
};

std::map<fs::path, Ladder>& loaded() {
    // Rungs are constant data for the rest of the process.
    static auto& ladders = *new std::map<fs::path, Ladder>;
    return ladders;
}

Ladder& ladder_of(const fs::path& folder) {
    Ladder& ladder = loaded()[fs::canonical(folder)];
    if (!ladder.operation) ladder.operation = &OwnOperation::make(read_description(folder));
    return ladder;
}

RungSource added_source(const AddedKernel& added) {
    const std::size_t colon = added.kernel.rfind(".cu:");
    const std::size_t end = colon == std::string::npos ? added.kernel.size() : colon + 3;
    return {.file = added.kernel.substr(0, end),
            .kernel = end < added.kernel.size() ? added.kernel.substr(end + 1) : std::string(),
            .launch = added.launch,
            .build = split_build_words(added.build)};
}

void add_rung(Ladder& ladder, const RungSource& source, DeviceKind device, const Build& build, ProgramCache& cache) {
    OwnRung*& rung = ladder.rungs[{fs::absolute(source.file).lexically_normal(), device}];
    if (rung) return;
    OwnRung& made = OwnRung::make(*ladder.operation, source, device);
    made.load(made.build(build, cache));
    rung = &made;
    adopt_rung(ladder.operation->operation(), made.rung());
}

}  // namespace

bool names_own_ladder(const std::string& word) {
    const bool path = word.starts_with('.') || word.starts_with('/');
    const Named named = split_word(word);
    const std::string first = word.substr(0, word.find('/'));
    const bool ours = std::ranges::any_of(operations(), [&](const Operation* each) { return each->name == first; });
    return path || (!ours && is_own_ladder(named.folder));
}

LoadedLadder load_own_ladder(const std::string& word, const Build& build, const AddedKernel& added,
                             const std::vector<DeviceKind>& devices) {
    std::vector<DeviceKind> kinds = devices;
    std::erase(kinds, DeviceKind::cpu);
    if (kinds.empty()) kinds = {DeviceKind::simt};
    const Named named = split_word(word);
    if (!is_own_ladder(named.folder)) {
        std::error_code error;
        throw UsageError(
            fs::is_directory(word, error)
                ? fmt::format("{} is no ladder: it holds no {}; `lanework new NAME` begins one", word, kDescriptionFile)
                : fmt::format("{}: there is no such folder", word));
    }
    Ladder& ladder = ladder_of(named.folder);
    const Operation& operation = ladder.operation->operation();
    const std::vector<fs::path> files = rung_files(named.folder, ladder.operation->description());
    ProgramCache cache;
    if (!added.empty()) {
        const RungSource source = added_source(added);
        for (const DeviceKind kind : kinds) add_rung(ladder, source, kind, build, cache);
        return {&operation, source.file.stem().string()};
    }
    if (files.empty()) throw UsageError(fmt::format("{} holds no rung: a .cu file is one", named.folder.string()));
    bool found = named.rung.empty();
    for (const fs::path& file : files) {
        if (!named.rung.empty() && file.stem() != named.rung) continue;
        for (const DeviceKind kind : kinds)
            add_rung(ladder, {.file = file, .kernel = {}, .launch = {}, .build = split_build_words(added.build)}, kind,
                     build, cache);
        found = true;
    }
    if (!found)
        throw UsageError(
            fmt::format("{} has no rung `{}`; there are: {}", named.folder.string(), named.rung, rung_names(files)));
    return {&operation, named.rung};
}

const OwnOperation* own_operation(const Operation& operation) {
    for (const auto& [folder, ladder] : loaded())
        if (ladder.operation && &ladder.operation->operation() == &operation) return ladder.operation;
    return nullptr;
}

const OwnRung* own_rung(const Rung& rung) {
    for (const auto& [folder, ladder] : loaded())
        for (const auto& [key, own] : ladder.rungs)
            if (own && &own->rung() == &rung) return own;
    return nullptr;
}

}  // namespace lanework
