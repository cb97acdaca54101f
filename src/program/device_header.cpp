// Kept among what was built of programs, by the compiler and its options; its manifest says whether it is still right.
// g++ reads the text beside it where it cannot use what was precompiled; clang++ refuses to compile then.
#include "src/program/device_header.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

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
constexpr const char *kOfGnu = "device.hpp.gch", *kOfClang = "device.hpp.pch";
constexpr const char* kManifestName = "manifest";
/// Locked by the process that makes the header.
constexpr const char* kMaking = "making";
/// The command was seen once, or the header could not be made.
constexpr const char *kSeen = "seen", *kNotMade = "not-made";
/// A cache that holds several headers of 30 to 60 MB beside programs.
constexpr std::uint64_t kRoomy = std::uint64_t{512} << 20;

/// What of a command decides about the header: not where a program lies and its own folders of headers, nor the colours
/// of messages, nor for g++, which compares them by itself, its macros.
struct Words {
    std::vector<std::string> deciding;
    std::vector<fs::path> folders;
};

Words words_of(const std::vector<std::string>& command, const Toolchain& toolchain) {
    const auto ours = [&](const fs::path& folder) {
        return folder == toolchain.headers || folder == toolchain.public_headers || folder == toolchain.cccl;
    };
    const bool compares_macros = toolchain.family == CompilerFamily::gnu;
    Words words;
    for (std::size_t i = 0; i < command.size(); ++i) {
        const std::string& word = command[i];
        const bool system = word.starts_with("-isystem");
        if (word.starts_with("-fdiagnostics")) continue;
        if (compares_macros && (word.starts_with("-D") || word.starts_with("-U"))) continue;
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

/// What is precompiled for a source. Headers that it does not include stay out: the compiler prepares for each file
/// what they make of templates (<string> alone takes as long as all of the device's), and a program that forgot one
/// must not compile the second time.
std::string text_for(const std::string& source) {
    std::string text = kDeviceHeader;
    for (const char* const header : {"vector", "string", "memory", "iostream"})
        if (const std::string line = std::string("\n#include <") + header + ">\n"; source.find(line) != source.npos)
            text += line.substr(1);
    return text;
}

/// A file that one process at a time has locked, while this object lives.
class Lock {
public:
    explicit Lock(const fs::path& file) : file_(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
        taken_ = file_ >= 0 && flock(file_, LOCK_EX | LOCK_NB) == 0;
    }
    ~Lock() {
        if (file_ >= 0) close(file_);
    }
    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

    bool taken() const { return taken_; }

private:
    int file_;
    bool taken_;
};

class Maker {
public:
    Maker(const Toolchain& toolchain, ProgramCache& cache, std::vector<std::string> words, std::string text)
        : cache_(cache),
          words_(std::move(words)),
          text_(std::move(text)),
          clang_(toolchain.family == CompilerFamily::clang) {
        Digest digest;
        digest.add(toolchain.identity).add(cpu_name()).add(text_);
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
        // Of two that make it at one time, one could keep what the other's manifest is not of.
        if (const Lock lock(place(kMaking)); lock.taken() && kept().options.empty()) make();
        return kept();
    }

private:
    fs::path place(const char* name) const { return cache_.place(kHeaders, key_, name); }
    bool has(const char* name) const { return !cache_.find(kHeaders, key_, name).empty(); }

    DeviceHeader kept() const {
        if (!has(kText) || !has(precompiled()) || !has(kManifestName)) return {};
        const auto manifest = Manifest::read(text_of(place(kManifestName)));
        if (!manifest || !manifest->holds()) return {};
        DeviceHeader header{.options = {"-include", place(kText).string()}, .read = {}, .may_be_refused = clang_};
        if (clang_) header.options = {"-include-pch", place(kOfClang).string()};
        for (const ReadFile& each : manifest->files()) header.read.push_back(each.path);
        return header;
    }

    void make() {
        cache_.write(place(kText), text_);
        const std::int64_t began = Manifest::now();
        const fs::path made = cache_.temporary() / precompiled(), rule = cache_.temporary() / "header.d";
        std::vector<std::string> command = words_;
        command.insert(command.end(), {"-w", "-x", "c++-header", place(kText).string(), "-o", made.string(), "-MD",
                                       "-MF", rule.string()});
        // The manifest compares what the files hold, whose times clang++ would compare.
        if (clang_) command.insert(command.end(), {"-Xclang", "-fno-pch-timestamp"});
        if (run_program({.command = command, .output = "/dev/null", .errors = "/dev/null"}) != 0)
            return cache_.write(place(kNotMade), "1\n");
        std::vector<fs::path> read;
        for (const fs::path& each : files_of_rule(text_of(rule)))
            if (each != place(kText)) read.push_back(fs::absolute(each).lexically_normal());
        const auto manifest = Manifest::of(read);
        if (!manifest || manifest->changed_since(began)) return;
        std::error_code error;
        fs::remove(place(kManifestName), error);
        cache_.keep(made, kHeaders, key_, precompiled());
        cache_.write(place(kManifestName), manifest->text());
    }

    const char* precompiled() const { return clang_ ? kOfClang : kOfGnu; }

    ProgramCache& cache_;
    std::vector<std::string> words_;
    std::string text_;
    bool clang_;
    std::string key_;
};

}  // namespace

DeviceHeader device_header(const Toolchain& toolchain, ProgramCache& cache, const std::vector<std::string>& command,
                           const std::string& source) {
    const bool reads_first = std::ranges::any_of(command, [](const std::string& word) { return word == "-include"; });
    const bool searched = std::getenv("CPATH") || std::getenv("CPLUS_INCLUDE_PATH");
    if (reads_first || searched || !cache.kept() || cache.most_bytes() < kRoomy) return {};
    const Words words = words_of(command, toolchain);
    DeviceHeader header = Maker(toolchain, cache, words.deciding, text_for(source)).header();
    return hides_one(words.folders, header.read) ? DeviceHeader() : header;
}

void forget(const ProgramCache& cache, const DeviceHeader& header) {
    const std::string key = fs::path(header.options.back()).parent_path().filename().string();
    std::error_code error;
    fs::remove(cache.place(kHeaders, key, kManifestName), error);
}

}  // namespace lanework
