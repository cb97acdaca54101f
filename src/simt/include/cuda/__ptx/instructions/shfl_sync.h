// cuda::ptx's shuffles, by which CUB's lanes exchange values since CCCL 3.2: what inline PTX's shfl.sync becomes.
#pragma once

#include <cuda/std/__bit/bit_cast.h>
#include <cuda/std/cstdint>
#include <cuda/std/detail/__config>
#include <lanework_simt/ptx.hpp>

#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX
_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX
#else  // since CCCL 3.2
#include <cuda/std/__cccl/prologue.h>
_CCCL_BEGIN_NAMESPACE_CUDA_PTX
#endif

#define LANEWORK_SIMT_SHUFFLE(name)                                                                                  \
    template <typename _Tp>                                                                                          \
    LANEWORK_SIMT_BUILTIN _Tp shfl_sync_##name(_Tp __data, bool& __inside, ::cuda::std::uint32_t __lane,             \
                                               ::cuda::std::uint32_t __clamp, ::cuda::std::uint32_t __mask) {        \
        static_assert(sizeof(_Tp) == 4, "shfl.sync takes 4 bytes");                                                  \
        const auto __got = ::lanework_simt::ptx::shuffle_##name(::cuda::std::bit_cast<unsigned int>(__data), __lane, \
                                                                __clamp, __mask);                                    \
        __inside = __got.inside;                                                                                     \
        return ::cuda::std::bit_cast<_Tp>(__got.value);                                                              \
    }                                                                                                                \
    template <typename _Tp>                                                                                          \
    LANEWORK_SIMT_BUILTIN _Tp shfl_sync_##name(_Tp __data, ::cuda::std::uint32_t __lane,                             \
                                               ::cuda::std::uint32_t __clamp, ::cuda::std::uint32_t __mask) {        \
        bool __inside;                                                                                               \
        return shfl_sync_##name(__data, __inside, __lane, __clamp, __mask);                                          \
    }
LANEWORK_SIMT_SHUFFLE(idx)
LANEWORK_SIMT_SHUFFLE(up)
LANEWORK_SIMT_SHUFFLE(down)
LANEWORK_SIMT_SHUFFLE(bfly)
#undef LANEWORK_SIMT_SHUFFLE

#ifdef _LIBCUDACXX_END_NAMESPACE_CUDA_PTX
_LIBCUDACXX_END_NAMESPACE_CUDA_PTX
#else
_CCCL_END_NAMESPACE_CUDA_PTX
#include <cuda/std/__cccl/epilogue.h>
#endif
