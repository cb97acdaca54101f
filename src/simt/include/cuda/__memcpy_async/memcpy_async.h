// cuda::memcpy_async with a barrier, which libcu++ has for CUDA's compilers alone, though it copies on a host, too.
#pragma once

#include <cuda/__memcpy_async/memcpy_async_barrier.h>
#include <cuda/std/__type_traits/void_t.h>

#pragma push_macro("_CCCL_HAS_CUDA_COMPILER")
#undef _CCCL_HAS_CUDA_COMPILER
#if CCCL_MAJOR_VERSION < 3
#define _CCCL_HAS_CUDA_COMPILER 1
#else
#define _CCCL_HAS_CUDA_COMPILER() 1
#endif
#pragma push_macro("_CCCL_CUDA_COMPILATION")  // since CCCL 3.3
#undef _CCCL_CUDA_COMPILATION
#define _CCCL_CUDA_COMPILATION() 1
#include_next <cuda/__memcpy_async/memcpy_async.h>
#pragma pop_macro("_CCCL_CUDA_COMPILATION")
#pragma pop_macro("_CCCL_HAS_CUDA_COMPILER")
