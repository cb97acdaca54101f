// What the library of the simt device does as a program starts: it reads what the environment asks for.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <exception>
#include <lanework_simt/schedule.hpp>

#include "src/core/exit_status.hpp"
#include "src/gpu/gpus.hpp"
#include "src/program/run_settings.hpp"
#include "src/program/watch/program_watch.hpp"
#include "src/simt/api_memory_map.hpp"
#include "src/simt/gpu.hpp"

namespace {

[[gnu::constructor]] void start() {
    const char* const gpu = std::getenv(lanework::kGpuVariable);
    const char* const asked = std::getenv(lanework::kWatchVariable);
    try {
        if (gpu && *gpu) lanework_simt::present(lanework::parse_gpu(gpu));
        // A check names what nobody wrote; every other run has what a program finds on a GPU that nobody used.
        const bool watched = asked && *asked;
        if (!watched) {
            lanework_simt::give_zeros();
            lanework_simt::excuse_exited_threads();
            return;
        }
        const lanework::WatchSettings settings = lanework::read_watch_settings(asked);
        if (settings.task != lanework::WatchSettings::Task::check) lanework_simt::give_zeros();
        static auto& watch = *new lanework::ProgramWatch(settings);
        static_cast<void>(watch);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "lanework: %s\n", error.what());
        _exit(lanework::exit_status_of(error));
    }
}

}  // namespace
