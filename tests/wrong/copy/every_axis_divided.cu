// finding: instruction_bound
// Finds an element's place as an iterator over any number of axes does: a division for each of 25 axes, though the
// array has one. What is computed around the copy takes many times what the copy does.
#include "ops/copy/operation.hpp"

namespace {
constexpr int kBlock = 256;

struct Axes {
    std::int64_t extent, stride;
};

__device__ __forceinline__ void take(std::int64_t& left, std::int64_t& place, Axes axis) {
    place += left % axis.extent * axis.stride;
    left /= axis.extent;
}

__device__ __forceinline__ void take_six(std::int64_t& left, std::int64_t& place, Axes axis) {
    take(left, place, axis);
    take(left, place, axis);
    take(left, place, axis);
    take(left, place, axis);
    take(left, place, axis);
    take(left, place, axis);
}

__global__ void every_axis_divided(const std::int32_t* in, std::int32_t* out, std::int64_t words, Axes first,
                                   Axes others) {
    const std::int64_t i = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (i >= words) return;
    std::int64_t left = i, place = 0;
    take(left, place, first);
    take_six(left, place, others);
    take_six(left, place, others);
    take_six(left, place, others);
    take_six(left, place, others);
    out[place] = in[i];
}

void launch(const CopyArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const auto blocks = static_cast<unsigned>(ceil_div(a.words, kBlock));
    every_axis_divided<<<blocks, kBlock, 0, stream>>>(a.in, a.out, a.words, Axes{a.words, 1}, Axes{1, 0});
}
}  // namespace

LANEWORK_RUNG(copy, every_axis_divided, {.lesson = "Never: an index of one axis needs no division.", .launch = launch});
