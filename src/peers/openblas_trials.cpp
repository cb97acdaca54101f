// Trials run in child processes: kernels are chosen when a library is loaded, and wrong ones end a process.
#include "src/peers/openblas_trials.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <poll.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <optional>

#include "src/core/host.hpp"
#include "src/peers/openblas_library.hpp"
#include "src/peers/peer_files.hpp"

namespace lanework {
namespace {

constexpr int kLength = 512;                      // of the matrices that are multiplied
constexpr double kSeconds = 0.04;                 // of multiplying
constexpr int kSlices = 50, kMilliseconds = 100;  // after so many of them a trial is ended
constexpr double kOfItsOwn = 0.5;                 // of that time on the processor: with less it was kept from it
constexpr double kAsGood = 0.97;                  // of the fastest: the difference is noise

#if defined(__x86_64__)
constexpr const char* kCores[] = {"", "HASWELL", "ZEN", "SKYLAKEX", "COOPERLAKE", "SAPPHIRERAPIDS"};
#elif defined(__aarch64__)
constexpr const char* kCores[] = {"", "ARMV8", "NEOVERSEN1", "NEOVERSEN2", "NEOVERSEV1"};
#else
constexpr const char* kCores[] = {""};
#endif

struct Report {
    std::array<char, 64> core{}, version{};
    double flops_per_second = 0;
};

double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

double measure_rate(const OpenBlasLibrary& library) {
    const std::vector<float> a(kLength * kLength, 0.5F), b(kLength * kLength, 0.25F);
    std::vector<float> c(kLength * kLength);
    const auto multiply = [&] { library.sgemm(a.data(), b.data(), c.data(), kLength, kLength, kLength, 1); };
    multiply();
    double least = 1e9;
    for (const double start = now(); now() - start < kSeconds;) {
        const double before = now();
        multiply();
        least = std::min(least, now() - before);
    }
    return 2.0 * kLength * kLength * kLength / least;
}

[[noreturn]] void run_trial(const std::string& path, const std::string& core, bool timed, int out) {
    const int nothing = open("/dev/null", O_WRONLY);  // a library may say what it thinks of the processor
    if (nothing >= 0) dup2(nothing, STDERR_FILENO);
    const OpenBlasLibrary library(path, core);
    Report report;
    if (library.reason().empty()) {
        library.core().copy(report.core.data(), report.core.size() - 1);
        library.version().copy(report.version.data(), report.version.size() - 1);
        if (timed) report.flops_per_second = measure_rate(library);
    }
    const bool whole = write(out, &report, sizeof report) == sizeof report;
    _exit(whole ? 0 : 1);
}

/// Waits in slices: of the time for which this process was frozen itself, one counts.
bool comes_in_time(int in) {
    pollfd waiting{in, POLLIN, 0};
    for (int slice = 0; slice < kSlices; ++slice)
        if (const int ready = poll(&waiting, 1, kMilliseconds); ready != 0) return ready > 0;
    return false;
}

double seconds(const timeval& time) {
    return static_cast<double>(time.tv_sec) + 1e-6 * static_cast<double>(time.tv_usec);
}

/// What a choice depends on: the libraries that are there, as they are, and the processor.
std::string key_of(const std::vector<std::string>& paths) {
    std::string key = cpu_name();
    for (const std::string& path : paths) {
        std::error_code error;
        const auto written = std::filesystem::last_write_time(path, error);
        key += fmt::format("|{} {}", path, error ? 0 : written.time_since_epoch().count());
    }
    return key;
}

std::filesystem::path memory_file() {
    const auto folder = cache_folder();
    return folder.empty() ? folder : folder / "openblas.txt";
}

/// Lines: what it depends on, path, core, what was tried.
std::optional<OpenBlasChoice> remembered(const std::string& key) {
    std::ifstream file(memory_file());
    std::array<std::string, 4> lines;
    for (std::string& line : lines)
        if (!std::getline(file, line)) return std::nullopt;
    if (lines[0] != key || lines[1].empty()) return std::nullopt;
    return OpenBlasChoice{lines[1], lines[2], lines[3]};
}

void remember(const std::string& key, const OpenBlasChoice& choice) {
    const auto file = memory_file();
    if (file.empty()) return;
    std::error_code error;
    std::filesystem::create_directories(file.parent_path(), error);
    const std::filesystem::path temporary = fmt::format("{}.{}.tmp", file.string(), getpid());
    std::ofstream stream(temporary);
    stream << fmt::format("{}\n{}\n{}\n{}\n", key, choice.path, choice.core, choice.tried);
    stream.close();
    if (stream) std::filesystem::rename(temporary, file, error);
    if (!stream || error) std::filesystem::remove(temporary, error);
}

/// Every trial is added to `trials`.
std::string newest_of(const std::vector<std::string>& paths, std::vector<OpenBlasTrial>& trials) {
    std::string newest, version;
    for (const std::string& path : paths) {
        trials.push_back(try_openblas(path, "", false));
        const std::string& its = trials.back().version;
        if (its.empty() || (!newest.empty() && !is_older(version, its))) continue;
        newest = path;
        version = its;
    }
    return newest;
}

}  // namespace

OpenBlasTrial try_openblas(const std::string& path, const std::string& core, bool timed) {
    OpenBlasTrial trial{core, "", ""};
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return trial;
    const pid_t child = fork();
    if (child == 0) run_trial(path, core, timed, ends[1]);
    close(ends[1]);
    if (child > 0) {
        Report report;
        const bool in_time = comes_in_time(ends[0]);
        if (in_time && read(ends[0], &report, sizeof report) == sizeof report) {
            trial.core = report.core.data();
            trial.version = report.version.data();
            trial.flops_per_second = report.flops_per_second;
        }
        kill(child, SIGKILL);
        rusage used{};
        wait4(child, nullptr, 0, &used);
        trial.late =
            !in_time && seconds(used.ru_utime) + seconds(used.ru_stime) < kOfItsOwn * kSlices * kMilliseconds / 1e3;
    }
    close(ends[0]);
    return trial;
}

const OpenBlasTrial& best_of(const std::vector<OpenBlasTrial>& trials) {
    double fastest = 0;
    for (const OpenBlasTrial& trial : trials) fastest = std::max(fastest, trial.flops_per_second);
    return *std::find_if(trials.begin(), trials.end(),
                         [&](const OpenBlasTrial& trial) { return trial.flops_per_second >= kAsGood * fastest; });
}

bool tell_for_good(const std::vector<OpenBlasTrial>& trials) {
    return std::none_of(trials.begin(), trials.end(), [](const OpenBlasTrial& trial) { return trial.late; });
}

bool is_older(const std::string& version, const std::string& other) {
    return strverscmp(version.c_str(), other.c_str()) < 0;
}

OpenBlasChoice choose_openblas() {
    const std::vector<std::string> paths = openblas_files();
    const bool told = std::getenv("OPENBLAS_CORETYPE") != nullptr;  // a user's own choice wins
    const std::string key = key_of(paths);
    if (const auto known = remembered(key); known && !told) return *known;
    std::vector<OpenBlasTrial> libraries, trials;
    OpenBlasChoice choice{newest_of(paths, libraries), "", ""};
    if (choice.path.empty() || told) return choice;
    std::vector<std::string> cores;
    for (const char* core : kCores) {
        trials.push_back(try_openblas(choice.path, core, true));
        const std::string& made = trials.back().core;
        if (!made.empty() && std::find(cores.begin(), cores.end(), made) == cores.end()) cores.push_back(made);
    }
    const OpenBlasTrial& best = best_of(trials);
    if (!best.asked.empty()) choice.core = best.core;  // which may be another than was asked for
    choice.tried = fmt::format("{}", fmt::join(cores, ", "));
    if (tell_for_good(libraries) && tell_for_good(trials)) remember(key, choice);
    return choice;
}

}  // namespace lanework
