// Special registers of inline PTX that are no one thread's: multiprocessors and the timer.
#include <chrono>
#include <lanework_simt/error.hpp>
#include <lanework_simt/ptx.hpp>

#include "src/simt/gpu.hpp"
#include "src/simt/observing.hpp"
#include "src/simt/standstill.hpp"

namespace lanework_simt::ptx {

unsigned int multiprocessors() { return static_cast<unsigned int>(presented_gpu().sms); }

unsigned int multiprocessor() {
    const uint3 block = block_index();
    const dim3 grid = grid_dim();
    const unsigned long long index = (static_cast<unsigned long long>(block.z) * grid.y + block.y) * grid.x + block.x;
    return static_cast<unsigned int>(index % multiprocessors());
}

/// Each launch has another one.
unsigned long long grid_number() {
    engine::reach_beyond_memory();
    return context.launch;
}

unsigned long long nanoseconds() {
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    const auto nanoseconds = std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
    if (in_kernel()) {
        engine::count_clock_read();
        const double clocks_per_nanosecond = presented_gpu().clock_hz * 1e-9;
        engine::note_clock_read(static_cast<long long>(static_cast<double>(nanoseconds) * clocks_per_nanosecond),
                                __builtin_return_address(0));
    }
    return static_cast<unsigned long long>(nanoseconds);
}

}  // namespace lanework_simt::ptx
