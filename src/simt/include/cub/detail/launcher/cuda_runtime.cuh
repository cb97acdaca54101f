// CUB's launches. They open a namespace that hides Thrust's own from a header which the CUDA compiler reads before.
#pragma once

#include <thrust/system/cuda/config.h>

// The header may be reached from the one that defines it (since CCCL 3.2).
THRUST_NAMESPACE_BEGIN
namespace cuda_cub {
inline cudaStream_t default_stream();
}
THRUST_NAMESPACE_END

#include <thrust/system/cuda/detail/execution_policy.h>
#include_next <cub/detail/launcher/cuda_runtime.cuh>
