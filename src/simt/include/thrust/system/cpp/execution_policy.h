// Thrust's policies for CUDA's streams, thrust::cuda::par.on(stream): its device here is its C++ system, whose work is
// done when a call returns, in the order of the stream as of any other.
#pragma once

#include <cuda_runtime_api.h>

#include_next <thrust/system/cpp/execution_policy.h>

THRUST_NAMESPACE_BEGIN
namespace cuda {
struct par_of_streams : thrust::system::cpp::detail::par_t {
    const thrust::system::cpp::detail::par_t& on(cudaStream_t) const { return *this; }
};
inline constexpr par_of_streams par{}, par_nosync{};
}  // namespace cuda
namespace cuda_cub {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
}  // namespace cuda_cub
THRUST_NAMESPACE_END
