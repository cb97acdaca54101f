// The peer: CUB's device-wide sum.
#include <cub/device/device_reduce.cuh>
#include <limits>

#include "ops/reduce/operation.hpp"
#include "src/cuda/check.hpp"

namespace {
template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    std::size_t bytes = 0;
    LANEWORK_CHECK(cub::DeviceReduce::Sum(nullptr, bytes, a.in, a.out, a.n));
    return bytes;
}

template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    // The workspace has the size that was asked for; asking again would cost the peer time in every run.
    std::size_t enough = std::numeric_limits<std::size_t>::max();
    LANEWORK_CHECK(cub::DeviceReduce::Sum(a.workspace, enough, a.in, a.out, a.n, stream));
}
}  // namespace

LANEWORK_RUNG(reduce, cub,
              {
                  .lesson = "cub::DeviceReduce::Sum, as every CUDA toolkit ships it.",
                  .launch = {launch<std::int32_t>, launch<float>, launch<double>},
                  .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
                  .refuses = refuse_other_forms,
                  .fits = OneRow<reduce_signature>::fits,
                  .only = kRowsTouch,
              });
