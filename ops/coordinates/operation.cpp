// What the coordinates of a thread are, and which launches they are verified on.
#include "ops/coordinates/operation.hpp"

#include <lanework/operation.hpp>

namespace {

constexpr Extents kVerified[] = {extents(2, 1, 1, 2, 1, 1),   extents(2, 2, 1, 2, 2, 1), extents(0, 1, 1, 32, 1, 1),
                                 extents(1, 1, 1, 1, 1, 1),   extents(3, 5, 2, 7, 3, 2), extents(1, 1, 7, 1, 1, 64),
                                 extents(40, 3, 1, 33, 2, 1), extents(5, 4, 3, 16, 8, 8)};
constexpr Extents kCuda[] = {extents(64, 32, 8, 16, 8, 2)};
constexpr Extents kHost[] = {extents(16, 8, 4, 16, 8, 2)};

std::size_t count(const Problem& p) {
    std::size_t threads = 1;
    for (const std::int64_t length : p.extent) threads *= static_cast<std::size_t>(length);
    return threads * kCoordinateFieldCount;
}

// Works backwards, from the linear index to the coordinates, where a thread goes from its coordinates to the index.
void reference(const CoordinatesArgs& a) {
    const std::int64_t threads_per_block = a.block_x * a.block_y * a.block_z, threads = a.threads();
    std::uint64_t* out = a.out;
    for (std::int64_t i = 0; i < threads; ++i) {
        const std::int64_t block = i / threads_per_block, thread = i % threads_per_block;
        const std::int64_t bx = block % a.grid_x, by = block / a.grid_x % a.grid_y, bz = block / (a.grid_x * a.grid_y);
        const std::int64_t tx = thread % a.block_x, ty = thread / a.block_x % a.block_y,
                           tz = thread / (a.block_x * a.block_y);
        for (const std::int64_t value :
             {bx, by, bz, tx, ty, tz, a.grid_x, a.grid_y, a.grid_z, a.block_x, a.block_y, a.block_z, thread, block, i,
              bx * a.block_x + tx, by * a.block_y + ty, bz * a.block_z + tz})
            *out++ = static_cast<std::uint64_t>(value);
    }
}

}  // namespace

LANEWORK_OPERATION(coordinates,
                   {
                       .summary = "the place of every thread of a launch: indices, dimensions, linear indices",
                       .axes = CoordinatesAxes::names,
                       .verified = kVerified,
                       .timed = {.cuda = kCuda, .simt = kHost, .cpu = kHost},
                       .buffers = [](const Problem& p) -> std::vector<BufferSpec> {
                           return {{"records", Role::output, p.dtype, count(p)}};
                       },
                       .work = [](const Problem& p) { return Work{.bytes_written = sizeof(std::uint64_t) * count(p)}; },
                       .fill = [](const Problem&, std::uint64_t, const Buffers&) {},  // there is no input
                       .reference = reference,
                       .tolerance = [](const Problem&) { return Tolerance{.reason = "indices are exact integers"}; },
                   });
