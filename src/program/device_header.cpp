// Kept among what was built of programs, by the compiler and its options; its manifest says whether it is still right.
// g++ reads the text beside it where it cannot use what was precompiled.
#include "src/program/device_header.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <system_error>
#include <utility>

#include "src/core/host.hpp"
#include "src/io/file.hpp"
#include "src/program/child_process.hpp"
#include "src/program/digest.hpp"
#include "src/program/manifest.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kHeaders = "headers";
constexpr const char* kText = "device.hpp";
constexpr const char* kPrecompiled = "device.hpp.gch";
constexpr const char* kManifestName = "manifest";
/// The command was seen once, or the header could not be made.
constexpr const char *kSeen = "seen", *kNotMade = "not-made";
/// A cache that holds several headers of 40 MB beside programs.
constexpr std::uint64_t kRoomy = std::uint64_t{512} << 20;

/// What of a command decides about the header: not where a program lies and its own folders of headers, nor its macros,
/// which g++ compares by itself, nor the colours of messages.
struct Words {
    std::vector<std::string> deciding;
    std::vector<fs::path> folders;
};

Words words_of(const std::vector<std::string>& command, const Toolchain& toolchain) {
    const auto ours = [&](const fs::path& folder) {
        return folder == toolchain.headers || folder == toolchain.public_headers || folder == toolchain.cccl;
    };
    Words words;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        const bool system = word.starts_with("-isystem");
        if (word.starts_with("-fdiagnostics") || word.starts_with("-D") || word.starts_with("-U")) continue;
        if (word == "-iquote" || word == "-x") {
            ++i;
        } else if (system || word.starts_with("-I")) {
            std::string folder = word.substr(system ? 8 : 2);
            if (folder.empty() && i + 1 < command.size()) folder = command[++i];
            if (ours(folder))
                words.deciding.push_back((system ? "-isystem" : "-I") + folder);
            else
                words.folders.emplace_back(folder);
        } else {
            words.deciding.push_back(word);
        }
    }
    return words;
}

/// Whether one of the folders has a file that may be read instead of one of these.
bool hides_one(const std::vector<fs::path>& folders, const std::vector<fs::path>& files) {
    std::error_code error;
    return std::ranges::any_of(folders, [&](const fs::path& folder) {
        return std::ranges::any_of(files, [&](const fs::path& file) {
            return fs::exists(folder / file.filename(), error) ||
                   fs::exists(folder / file.parent_path().filename() / file.filename(), error);
        });
    });
}

class Maker {
public:
    Maker(const Toolchain& toolchain, ProgramCache& cache, std::vector<std::string> words)
        : cache_(cache), words_(std::move(words)) {
        Digest digest;
        digest.add(toolchain.identity).add(cpu_name()).add(kDeviceHeader);
        for (const std::string& word : words_) digest.add(word);
        key_ = digest.text();
    }

    DeviceHeader header() {
        if (DeviceHeader known = kept(); !known.options.empty()) return known;
        if (has(kNotMade)) return {};
        if (!has(kSeen)) {
            cache_.write(place(kSeen), "1\n");
            return {};
        }
        if (make()) return kept();
        cache_.write(place(kNotMade), "1\n");
        return {};
    }

private:
    fs::path place(const char* name) const { return cache_.place(kHeaders, key_, name); }
    bool has(const char* name) const { return !cache_.find(kHeaders, key_, name).empty(); }

    DeviceHeader kept() const {
        if (!has(kText) || !has(kPrecompiled) || !has(kManifestName)) return {};
        const auto manifest = Manifest::read(text_of(place(kManifestName)));
        if (!manifest || !manifest->holds()) return {};
        DeviceHeader header{{"-include", place(kText).string()}, {}};
        for (const ReadFile& each : manifest->files()) header.read.push_back(each.path);
        return header;
    }

    bool make() {
        cache_.write(place(kText), kDeviceHeader);
        const fs::path made = cache_.temporary() / kPrecompiled, rule = cache_.temporary() / "header.d";
        std::vector<std::string> command = words_;
        const auto more = {std::string("-w"),     std::string("-x"),  std::string("c++-header"),
                           place(kText).string(), std::string("-o"),  made.string(),
                           std::string("-MD"),    std::string("-MF"), rule.string()};
        command.insert(command.end(), more);
        if (run_program({.command = command, .output = "/dev/null", .errors = "/dev/null"}) != 0) return false;
        std::vector<fs::path> read;
        for (const fs::path& each : files_of_rule(text_of(rule)))
            if (each != place(kText)) read.push_back(fs::absolute(each).lexically_normal());
        const auto manifest = Manifest::of(read);
        if (!manifest) return false;
        std::error_code error;
        fs::remove(place(kManifestName), error);
        cache_.keep(made, kHeaders, key_, kPrecompiled);
        cache_.write(place(kManifestName), manifest->text());
        return true;
    }

    ProgramCache& cache_;
    std::vector<std::string> words_;
    std::string key_;
};

}  // namespace

DeviceHeader device_header(const Toolchain& toolchain, ProgramCache& cache, const std::vector<std::string>& command) {
    const bool reads_first = std::ranges::any_of(command, [](const std::string& word) { return word == "-include"; });
    const bool searched = std::getenv("CPATH") || std::getenv("CPLUS_INCLUDE_PATH");
    if (toolchain.family != CompilerFamily::gnu || reads_first || searched || !cache.kept() ||
        cache.most_bytes() < kRoomy)
        return {};
    const Words words = words_of(command, toolchain);
    DeviceHeader header = Maker(toolchain, cache, words.deciding).header();
    return hides_one(words.folders, header.read) ? DeviceHeader() : header;
}

}  // namespace lanework
