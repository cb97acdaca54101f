// What the library of the simt device does as a program starts: it reads what the environment asks for.
#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>
#include <lanework/error.hpp>
#include <lanework_simt/schedule.hpp>
#include <string>
#include <system_error>

#include "src/core/exit_status.hpp"
#include "src/gpu/gpus.hpp"
#include "src/program/run_settings.hpp"
#include "src/program/watch/program_watch.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/gpu.hpp"
#include "src/trace/record/source_lines.hpp"

namespace {

static_assert(lanework::kMostDevices == lanework_simt::kMostDevices);

int read_device_count(const char* text) {
    int count = 0;
    const char* const end = text + std::strlen(text);
    const auto read = std::from_chars(text, end, count);
    if (read.ec != std::errc() || read.ptr != end || count < 1 || count > lanework::kMostDevices)
        throw lanework::UsageError(fmt::format("{} is a number of GPUs, 1 to {}, not `{}`", lanework::kDevicesVariable,
                                               lanework::kMostDevices, text));
    return count;
}

/// A GPU would say less: the error's name, to who asks for it.
void tell_failure(const char* sentence, std::uint64_t pc) {
    lanework::SourcePlace place;
    if (pc != 0) place = lanework::SourceLines().find(pc);
    std::error_code unknown;
    const std::string here = std::filesystem::current_path(unknown).string() + "/";
    if (place.file.starts_with(here)) place.file.erase(0, here.size());
    if (place.line != 0)
        std::fprintf(stderr, "lanework: %s:%d: %s\n", place.file.c_str(), place.line, sentence);
    else
        std::fprintf(stderr, "lanework: %s\n", sentence);
}

[[gnu::constructor]] void start() {
    const char* const gpu = std::getenv(lanework::kGpuVariable);
    const char* const devices = std::getenv(lanework::kDevicesVariable);
    const char* const asked = std::getenv(lanework::kWatchVariable);
    try {
        if (gpu && *gpu) lanework_simt::present(lanework::parse_gpu(gpu));
        if (devices && *devices) lanework_simt::present_devices(read_device_count(devices));
        // A check names what nobody wrote; every other run has what a program finds on a GPU that nobody used.
        const bool watched = asked && *asked;
        if (!watched) {
            lanework_simt::give_zeros();
            lanework_simt::excuse_exited_threads();
            lanework_simt::tell_failures(tell_failure);
            return;
        }
        const lanework::WatchSettings settings = lanework::read_watch_settings(asked);
        if (settings.task != lanework::WatchSettings::Task::check) lanework_simt::give_zeros();
        static auto& watch = *new lanework::ProgramWatch(settings);
        std::atexit([] { watch.finish_last(); });
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
        _exit(lanework::exit_status_of(error));
    }
}

}  // namespace
