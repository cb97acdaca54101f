// Six nested loops in the order of the linear index: what a launch spreads over threads.
#include "ops/coordinates/operation.hpp"

namespace {

/// A place or a size along three axes.
struct Triple {
    std::int64_t x, y, z;
};

/// The linear index of `at` in a box of size `size`, x fastest.
std::int64_t flatten(const Triple& at, const Triple& size) { return (at.z * size.y + at.y) * size.x + at.x; }

template <class Visit>
void for_each(const Triple& size, Visit visit) {
    for (std::int64_t z = 0; z < size.z; ++z)
        for (std::int64_t y = 0; y < size.y; ++y)
            for (std::int64_t x = 0; x < size.x; ++x) visit(Triple{x, y, z});
}

void launch(const CoordinatesArgs& a, Team) {
    const Triple grid{a.grid_x, a.grid_y, a.grid_z}, block{a.block_x, a.block_y, a.block_z};
    std::uint64_t* out = a.out;
    const auto write = [&out](std::int64_t value) { *out++ = static_cast<std::uint64_t>(value); };
    const auto write_triple = [&write](const Triple& t) { write(t.x), write(t.y), write(t.z); };
    for_each(grid, [&](const Triple& b) {
        for_each(block, [&](const Triple& t) {
            const std::int64_t thread_in_block = flatten(t, block), block_in_grid = flatten(b, grid);
            for (const Triple& triple : {b, t, grid, block}) write_triple(triple);
            write(thread_in_block);
            write(block_in_grid);
            write(block_in_grid * (block.x * block.y * block.z) + thread_in_block);
            write_triple({b.x * block.x + t.x, b.y * block.y + t.y, b.z * block.z + t.z});
        });
    });
}

}  // namespace

LANEWORK_RUNG(coordinates, serial,
              {
                  .lesson = "A launch is six nested loops whose bodies run in any order.",
                  .launch = launch,
                  .refuses = refuse_launch_shape,
              });
