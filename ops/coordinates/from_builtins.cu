// Every thread writes down what it is told about itself, and the indices that follow from it.
#include "ops/coordinates/operation.hpp"

namespace {
using Word = std::uint64_t;

__global__ void from_builtins(Word* out) {
    const Word thread = (Word{threadIdx.z} * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
    const Word block = (Word{blockIdx.z} * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
    const Word i = block * (Word{blockDim.x} * blockDim.y * blockDim.z) + thread;
    const Word record[kCoordinateFieldCount] = {blockIdx.x,
                                                blockIdx.y,
                                                blockIdx.z,
                                                threadIdx.x,
                                                threadIdx.y,
                                                threadIdx.z,
                                                gridDim.x,
                                                gridDim.y,
                                                gridDim.z,
                                                blockDim.x,
                                                blockDim.y,
                                                blockDim.z,
                                                thread,
                                                block,
                                                i,
                                                Word{blockIdx.x} * blockDim.x + threadIdx.x,
                                                Word{blockIdx.y} * blockDim.y + threadIdx.y,
                                                Word{blockIdx.z} * blockDim.z + threadIdx.z};
    for (int field = 0; field < kCoordinateFieldCount; ++field) out[i * kCoordinateFieldCount + field] = record[field];
}

void launch(const CoordinatesArgs& a, cudaStream_t stream) {
    if (a.empty()) return;
    const dim3 grid(static_cast<unsigned>(a.grid_x), static_cast<unsigned>(a.grid_y), static_cast<unsigned>(a.grid_z));
    const dim3 block(static_cast<unsigned>(a.block_x), static_cast<unsigned>(a.block_y),
                     static_cast<unsigned>(a.block_z));
    from_builtins<<<grid, block, 0, stream>>>(a.out);
}
}  // namespace

LANEWORK_RUNG(coordinates, from_builtins,
              {
                  .lesson = "A thread knows four triples, its own and its block's place and size; all else follows.",
                  .launch = launch,
                  .refuses = refuse_launch_shape,
              });
