// ncu as a child process; its log is a file of its own, so that what the program prints cannot get into the table.
#include "src/profile/nsight_compute.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <lanework/error.hpp>
#include <optional>

#include "src/io/file.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace lanework {
namespace {

namespace fs = std::filesystem;

bool is_program(const fs::path& file) {
    std::error_code code;
    return fs::is_regular_file(file, code) && access(file.c_str(), X_OK) == 0;
}

// /opt/nvidia/nsight-compute/2025.3.1/ncu: the newest.
fs::path newest_in(const fs::path& folder) {
    fs::path newest;
    std::error_code code;
    for (const auto& entry : fs::directory_iterator(folder, code))
        if (is_program(entry.path() / "ncu") && entry.path() > newest) newest = entry.path();
    return newest.empty() ? newest : newest / "ncu";
}

/// A file that nobody else has, gone with its owner.
class TemporaryFile {
public:
    TemporaryFile() {
        std::string pattern = (fs::temp_directory_path() / "lanework-ncu-XXXXXX").string();
        const int file = mkstemp(pattern.data());
        if (file < 0) throw FileError(fmt::format("{}: no file can be made there: {}", pattern, std::strerror(errno)));
        close(file);
        path_ = pattern;
    }
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    ~TemporaryFile() {
        std::error_code code;
        fs::remove(path_, code);
    }

    const fs::path& path() const { return path_; }
    std::string text() const {
        const auto bytes = read_file(path_);
        return {bytes.begin(), bytes.end()};
    }

private:
    fs::path path_;
};

// Runs a program with its standard output in a file; returns how it ended: its exit status, or 128 and its signal.
int run(const std::vector<std::string>& command, const fs::path& output) {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, output.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
    pid_t child = 0;
    const int error = posix_spawn(&child, words.front(), &actions, nullptr, words.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (error != 0) throw UnavailableError(fmt::format("{} cannot be run: {}", command.front(), std::strerror(error)));
    int status = 0;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    constexpr int kSignal = 128;
    return WIFEXITED(status) ? WEXITSTATUS(status) : kSignal + WTERMSIG(status);
}

// The lines that hold a mark, from the mark on.
std::vector<std::string_view> lines_with(std::string_view text, std::string_view mark) {
    std::vector<std::string_view> lines;
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1))
        lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
}

}  // namespace

fs::path find_ncu(std::string_view path, const fs::path& root) {
    while (!path.empty()) {
        const std::string_view folder = path.substr(0, path.find(':'));
        if (!folder.empty() && is_program(fs::path(folder) / "ncu")) return fs::path(folder) / "ncu";
        path.remove_prefix(std::min(folder.size() + 1, path.size()));
    }
    if (const fs::path toolkit = root / "usr/local/cuda/bin/ncu"; is_program(toolkit)) return toolkit;
    return newest_in(root / "opt/nvidia/nsight-compute");
}

fs::path find_ncu() {
    const char* path = std::getenv("PATH");
    return find_ncu(path ? path : "", "/");
}

std::vector<std::string> ncu_command(const fs::path& ncu, std::span<const std::string> metrics, const fs::path& log,
                                     std::span<const std::string> program) {
    // Caches are emptied before each replay, as they are before each timed run. Clocks stay as they are: counts do not
    // depend on them, and locking them needs rights of its own.
    std::vector<std::string> words{ncu.string(), "--force-overwrite", "--log-file", log.string(), "--csv"};
    for (const char* word : {"--page", "raw", "--print-units", "base", "--print-kernel-base", "function", "--nvtx",
                             "--replay-mode", "kernel", "--cache-control", "all", "--clock-control", "none"})
        words.emplace_back(word);
    words.insert(words.end(), {"--metrics", fmt::format("{}", fmt::join(metrics, ","))});
    words.insert(words.end(), program.begin(), program.end());
    return words;
}

std::string ncu_failure(std::string_view log) {
    if (log.find("ERR_NVGPUCTRPERM") != log.npos)
        return "this user may not read the GPU's counters: run as root, or let everyone read them with the module "
               "option NVreg_RestrictProfilingToAdminUsers=0 of the nvidia driver "
               "(https://developer.nvidia.com/ERR_NVGPUCTRPERM)";
    const auto errors = lines_with(log, "==ERROR== ");
    if (errors.empty()) return {};
    return fmt::format("Nsight Compute failed: {}", errors.front().substr(std::strlen("==ERROR== ")));
}

std::vector<std::string> unknown_metrics(std::string_view log) {
    constexpr std::string_view kMark = "Failed to find metric ";
    std::vector<std::string> names;
    for (std::string_view line : lines_with(log, kMark)) {
        line.remove_prefix(kMark.size());
        line = line.substr(0, line.find_first_of(" \r\t,;"));
        while (line.ends_with('.') || line.ends_with('"') || line.ends_with('\'')) line.remove_suffix(1);
        while (line.starts_with('"') || line.starts_with('\'')) line.remove_prefix(1);
        names.emplace_back(line);
    }
    return names;
}

std::string ncu_version(const fs::path& ncu) {
    const TemporaryFile output;
    if (run({ncu.string(), "--version"}, output.path()) != 0) return {};
    const std::string text = output.text();
    const auto lines = lines_with(text, "Version ");
    if (lines.empty()) return {};
    const std::string_view version = lines.front().substr(std::strlen("Version "));
    return std::string(version.substr(0, version.find(' ')));
}

NsightTable profile_program(const fs::path& ncu, std::span<const std::string> metrics,
                            std::span<const std::string> program, const NsightOptions& options) {
    std::vector<std::string> wanted(metrics.begin(), metrics.end());
    while (true) {
        const TemporaryFile log, output;
        const int status = run(ncu_command(ncu, wanted, log.path(), program), output.path());
        const std::string text = log.text() + output.text();
        if (!options.keep.empty())
            write_file(options.keep, {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()});
        NsightTable table = parse_nsight_csv(text);
        if (!table.rows.empty()) return table;
        std::size_t left_out = 0;
        for (const std::string& name : unknown_metrics(text)) {
            left_out += std::erase(wanted, name);
            if (options.tell)
                options.tell(fmt::format("{} is not a metric of this GPU or of this Nsight Compute", name));
        }
        if (left_out > 0 && !wanted.empty()) continue;
        const std::string failure = ncu_failure(text);
        throw UnavailableError(
            !failure.empty() ? failure : fmt::format("Nsight Compute saw no launch (it ended with status {})", status));
    }
}

}  // namespace lanework
