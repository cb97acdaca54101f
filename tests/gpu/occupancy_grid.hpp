// The launches that are asked for of every recorded kernel, and how the answers are written: one character each, the
// number of blocks in base 36, in the order of the loops of for_each_launch.
#pragma once

#include <cstddef>

namespace occupancy_grid {

inline constexpr int kThreads[] = {1, 31, 32, 33, 64, 96, 128, 160, 256, 257, 320, 384, 512, 640, 768, 800, 992, 1024};
/// Bytes of dynamic shared memory: around the edges of granules and of the sizes that an SM sets aside.
inline constexpr int kDynamic[] = {0,     1,     1000,   7168,   10240,  16385,  31744,  37000,  49152, 49153,
                                   65536, 75777, 101376, 115712, 133120, 165888, 231424, 232448, 232449};
inline constexpr char kRefused = '!';

/// What one kernel, with its attributes, was asked and answered.
struct Row {
    int capability, registers, static_shared, barriers, carveout, dynamic_limit;
    const char* blocks;
};

/// Calls `visit(threads, dynamic)` for every launch of the grid.
template <class Visit>
void for_each_launch(const Visit& visit) {
    for (const int threads : kThreads)
        for (const int dynamic : kDynamic) visit(threads, dynamic);
}

inline constexpr std::size_t kLaunches = sizeof kThreads / sizeof *kThreads * (sizeof kDynamic / sizeof *kDynamic);

}  // namespace occupancy_grid
