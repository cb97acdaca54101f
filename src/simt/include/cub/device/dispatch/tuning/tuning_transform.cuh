// CUB's choice of how to transform: without the bulk copies of compute capability 9.0, which the simt device has not.
#pragma once

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
