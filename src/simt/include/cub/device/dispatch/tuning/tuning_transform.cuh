// CUB's choice of how to transform: without the bulk copies of compute capability 9.0, which the simt device has not.
#pragma once

#include <cub/version.cuh>
#if CUB_VERSION >= 300100
#error \
    "cub: DeviceTransform, which <cub/cub.cuh> brings along, is not available on the simt device by CCCL 3.1 or newer: include the headers of what is used, as <cub/device/device_scan.cuh>; or `pip install nvidia-cuda-cccl==13.0.85` brings one by which it is"
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
#include_next <cub/device/dispatch/tuning/tuning_transform.cuh>
#pragma pop_macro("_CCCL_CUDA_COMPILER")
