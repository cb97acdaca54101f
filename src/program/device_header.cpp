// Kept among what was built of programs, by the compiler and its options; its manifest says whether it is still right.
// g++ reads the text beside it where it cannot use what was precompiled.
#include "src/program/device_header.hpp"

#include <algorithm>
#include <fstream>
#include <iterator>
#include <system_error>

#include "src/core/host.hpp"
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

std::string read_text(const fs::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

/// What decides about the header: not where a program lies, nor the colours of messages. Folders of headers are named
/// from the root, since the same words mean others elsewhere.
std::vector<std::string> deciding_words(const std::vector<std::string>& command) {
    std::vector<std::string> words;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        if (word.starts_with("-fdiagnostics")) continue;
        if (word == "-iquote" || word == "-x") {
            ++i;
        } else if ((word == "-isystem" || word == "-I") && i + 1 < command.size()) {
            words.insert(words.end(), {word, fs::absolute(command[++i]).string()});
        } else if (word.starts_with("-I")) {
            words.push_back("-I" + fs::absolute(word.substr(2)).string());
        } else {
            words.push_back(word);
        }
    }
    return words;
}

class Maker {
public:
    Maker(const Toolchain& toolchain, ProgramCache& cache, std::vector<std::string> words)
        : toolchain_(toolchain), cache_(cache), words_(std::move(words)) {
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
        const auto manifest = Manifest::read(read_text(place(kManifestName)));
        if (!manifest || !manifest->holds()) return {};
        DeviceHeader header{{"-include", place(kText).string()}, {}};
        for (const ReadFile& each : manifest->files()) header.read.push_back(each.path);
        return header;
    }

    bool make() {
        cache_.write(place(kText), kDeviceHeader);
        const fs::path made = cache_.temporary() / kPrecompiled, rule = cache_.temporary() / "header.d";
        std::vector<std::string> command = words_;
        const auto more = {std::string("-w"),  std::string("-x"), std::string("c++-header"), place(kText).string(),
                           std::string("-o"),  made.string(),     std::string("-MD"),        std::string("-MF"),
                           rule.string()};
        command.insert(command.end(), more);
        if (run_program({.command = command, .output = "/dev/null", .errors = "/dev/null"}) != 0) return false;
        std::vector<fs::path> read;
        for (const fs::path& each : files_of_rule(read_text(rule)))
            if (each != place(kText)) read.push_back(fs::absolute(each).lexically_normal());
        const IncludeFolders folders = IncludeFolders::of(
            words_, {"/usr", toolchain_.headers, toolchain_.public_headers, toolchain_.cccl, cache_.folder()});
        const auto manifest = Manifest::of(read, search_of(read, folders));
        if (!manifest) return false;
        std::error_code error;
        fs::remove(place(kManifestName), error);
        cache_.keep(made, kHeaders, key_, kPrecompiled);
        cache_.write(place(kManifestName), manifest->text());
        return true;
    }

    const Toolchain& toolchain_;
    ProgramCache& cache_;
    std::vector<std::string> words_;
    std::string key_;
};

}  // namespace

DeviceHeader device_header(const Toolchain& toolchain, ProgramCache& cache, const std::vector<std::string>& command) {
    const bool reads_first = std::ranges::any_of(command, [](const std::string& word) { return word == "-include"; });
    if (toolchain.family != CompilerFamily::gnu || reads_first || !cache.kept() || cache.most_bytes() < kRoomy) return {};
    return Maker(toolchain, cache, deciding_words(command)).header();
}

}  // namespace lanework
