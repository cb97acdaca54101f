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
    if (in_kernel()) engine::count_clock_read();
    const auto now = std::chrono::system_clock::now().time_since_epoch();
    return static_cast<unsigned long long>(std::chrono::duration_cast<std::chrono::nanoseconds>(now).count());
}

}  // namespace lanework_simt::ptx
