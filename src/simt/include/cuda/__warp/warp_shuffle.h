// libcu++'s shuffles of values of any size, which it has for CUDA's compilers alone: by cuda::ptx's, which are the simt
// device's.
#pragma once

#include <cuda/__ptx/instructions/get_sreg.h>
#include <cuda/__ptx/instructions/shfl_sync.h>
#include <cuda/std/__memory/addressof.h>
#include <cuda/cmath>
#include <cuda/std/cstdint>
#include <cuda/std/cstring>
#include <cuda/std/type_traits>

#pragma push_macro("_CCCL_CUDA_COMPILATION")
#undef _CCCL_CUDA_COMPILATION
#define _CCCL_CUDA_COMPILATION() 1
#pragma push_macro("__cccl_ptx_isa")
#undef __cccl_ptx_isa
#define __cccl_ptx_isa 800ULL
#include_next <cuda/__warp/warp_shuffle.h>
#pragma pop_macro("__cccl_ptx_isa")
#pragma pop_macro("_CCCL_CUDA_COMPILATION")
