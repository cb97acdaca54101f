// CUB chooses a kernel's tile by the architecture of the compiler's pass, and the launch's by the GPU: one pass is
// both. CUB brings along CUDA's 16-bit numbers.
#pragma once

#include <cub/version.cuh>
#if CUB_VERSION >= 300400
#error \
    "cub: CUB of CCCL 3.4 or newer is not available on the simt device: `pip install nvidia-cuda-cccl==13.0.85` brings one that is"
#include <cub/ends_here>  // what a compiler would say next is of what CUB calls
#elif CUB_VERSION < 200800
#error \
    "cub: CUB older than 2.8 is not available on the simt device: `pip install nvidia-cuda-cccl==13.0.85` brings one that is"
#include <cub/ends_here>
#endif

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <lanework_simt/qualifiers.hpp>

#define CUB_PTX_ARCH LANEWORK_SIMT_ARCH
#include_next <cub/util_arch.cuh>
