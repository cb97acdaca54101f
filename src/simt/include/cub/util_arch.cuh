// CUB chooses a kernel's tile by the architecture of the compiler's pass, and the launch's by the GPU: one pass is
// both. CUB brings along CUDA's 16-bit numbers.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <lanework_simt/qualifiers.hpp>

#define CUB_PTX_ARCH LANEWORK_SIMT_ARCH
#include_next <cub/util_arch.cuh>
