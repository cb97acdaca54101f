// ncu as a child process; its log is a file of its own, so that what the program prints cannot get into the table.
#include "src/profile/nsight_compute.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstring>
#include <lanework/error.hpp>

#include "src/io/file.hpp"
#include "src/profile/child_process.hpp"
#include "src/profile/tools.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

// The lines that hold a mark, from the mark on.
std::vector<std::string_view> lines_with(std::string_view text, std::string_view mark) {
    std::vector<std::string_view> lines;
    for (auto at = text.find(mark); at != text.npos; at = text.find(mark, at + 1))
        lines.push_back(text.substr(at, text.find('\n', at) - at));
    return lines;
}

}  // namespace

fs::path find_ncu(const ToolkitPlaces& here) { return find_tool(Tool::nsight_compute, here); }

fs::path find_ncu() { return find_ncu(toolkit_places()); }

std::vector<std::string> ncu_command(const fs::path& ncu, std::span<const std::string> metrics, const fs::path& log,
                                     std::span<const std::string> program, const std::string& launches) {
    // Caches are emptied before each replay, as they are before each timed run. Clocks stay as they are: counts do not
    // depend on them, and locking them needs rights of its own.
    std::vector<std::string> words{ncu.string(), "--force-overwrite", "--log-file", log.string(), "--csv"};
    for (const char* word : {"--page", "raw", "--print-units", "base", "--print-kernel-base", "function", "--nvtx",
                             "--replay-mode", "kernel", "--cache-control", "all", "--clock-control", "none"})
        words.emplace_back(word);
    words.insert(words.end(), {"--metrics", fmt::format("{}", fmt::join(metrics, ","))});
    if (!launches.empty()) words.insert(words.end(), {"--kernel-id", launches});
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
    if (run_program({ncu.string(), "--version"}, output.path()) != 0) return {};
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
        const int status = run_program(ncu_command(ncu, wanted, log.path(), program, options.launches), output.path());
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
