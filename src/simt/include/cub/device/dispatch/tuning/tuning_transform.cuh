// CUB's choice of how to transform: without the bulk copies of compute capability 9.0, which the simt device has not.
#pragma once

#include <cub/version.cuh>
#if CUB_VERSION >= 300200
#error \
    "cub: DeviceTransform, which <cub/cub.cuh> brings along, is not available on the simt device by CCCL 3.2 or newer: include the headers of what is used, as <cub/device/device_scan.cuh>; or `pip install nvidia-cuda-cccl==13.0.85` brings one by which it is"
#include <cub/ends_here>  // what a compiler would say next is of what CUB calls
#endif

#include <thrust/type_traits/is_contiguous_iterator.h>
#include <thrust/type_traits/is_trivially_relocatable.h>
#include <cub/config.cuh>
#include <cub/detail/detect_cuda_runtime.cuh>
#include <cub/util_device.cuh>

#pragma push_macro("_CCCL_CUDA_COMPILER")
#undef _CCCL_CUDA_COMPILER
#define _CCCL_CUDA_COMPILER(...) 1
#if CUB_VERSION >= 300100
#define policy_hub policy_hub_of_gpus
#endif
#include_next <cub/device/dispatch/tuning/tuning_transform.cuh>
#undef policy_hub
#pragma pop_macro("_CCCL_CUDA_COMPILER")

#if CUB_VERSION >= 300100
CUB_NAMESPACE_BEGIN
namespace detail::transform {

/// What CUB has for GPUs before compute capability 8.0.
template <bool StableAddress, typename InputsT, typename OutputT>
struct policy_hub {
    using oldest = typename policy_hub_of_gpus<StableAddress, InputsT, OutputT>::policy300;
    struct Policy : ChainedPolicy<300, Policy, Policy> {
        static constexpr int min_bif = oldest::min_bif;
        static constexpr auto algorithm = oldest::algorithm;
        using algo_policy = typename oldest::algo_policy;
    };
    using max_policy = Policy;
};

}  // namespace detail::transform
CUB_NAMESPACE_END
#endif
