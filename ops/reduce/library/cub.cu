// The peer: CUB's device-wide sum.
#include <cub/device/device_reduce.cuh>
#include <lanework/error.hpp>
#include <limits>

#include "ops/reduce/operation.hpp"

namespace {
// Not src/cuda/check.hpp: its namespace lanework::cuda and CUB's ::cuda would both be called cuda here.
void check(cudaError_t code) {
    if (code != cudaSuccess)
        throw DeviceError(std::string("cub::DeviceReduce::Sum: ") + cudaGetErrorName(code) + ": " +
                          cudaGetErrorString(code));
}

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    std::size_t bytes = 0;
    check(cub::DeviceReduce::Sum(nullptr, bytes, a.in, a.out, a.n));
    return bytes;
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    // The workspace has the size that was asked for; asking again would cost the peer time in every run.
    std::size_t enough = std::numeric_limits<std::size_t>::max();
    check(cub::DeviceReduce::Sum(a.workspace, enough, a.in, a.out, a.n, stream));
}
}  // namespace

LANEWORK_RUNG(reduce, cub,
              {
                  .lesson = "cub::DeviceReduce::Sum, as every CUDA toolkit ships it.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
              });
