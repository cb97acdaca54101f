// CCCL asks by __CUDACC__ and __NVCC__ whether nvcc compiles, and with which version. Here a host compiler does:
// libcu++ and Thrust take their path for hosts, whose atomics and waits are right for threads of the simt device, too.
#pragma once

#pragma push_macro("__CUDACC__")
#undef __CUDACC__
#pragma push_macro("__NVCC__")
#undef __NVCC__
#include_next <cuda/std/__cccl/compiler.h>
#pragma pop_macro("__NVCC__")
#pragma pop_macro("__CUDACC__")

// Their headers are the toolkit's, and define types that are ours.
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
