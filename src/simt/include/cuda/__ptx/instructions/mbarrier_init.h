// cuda::ptx's bulk copies and the barriers that they arrive at: the simt device has none. CUB's transforms of CCCL 3.1
// name them in kernels that are not chosen here (tuning_transform.cuh); one that comes to them does not compile.
#pragma once

#include <cuda/std/__cccl/version.h>
#if CCCL_MAJOR_VERSION != 3 || CCCL_MINOR_VERSION != 1
#include_next <cuda/__ptx/instructions/mbarrier_init.h>
#else

#include <cuda/std/cstdint>
#include <cuda/std/detail/__config>
#include <lanework_simt/ptx.hpp>

_LIBCUDACXX_BEGIN_NAMESPACE_CUDA_PTX

#define LANEWORK_SIMT_ABSENT(result, name) \
    template <typename... _Arguments>      \
    [[gnu::error("cuda::ptx::" #name " is not available on the simt device")]] result name(_Arguments...);
LANEWORK_SIMT_ABSENT(void, mbarrier_init)
LANEWORK_SIMT_ABSENT(void, cp_async_bulk)
LANEWORK_SIMT_ABSENT(::cuda::std::uint64_t, mbarrier_arrive_expect_tx)
LANEWORK_SIMT_ABSENT(bool, mbarrier_try_wait_parity)
#undef LANEWORK_SIMT_ABSENT

/// Whether the calling thread is the first lane of `__mask`.
LANEWORK_SIMT_BUILTIN bool elect_sync(::cuda::std::uint32_t __mask) {
    return ::lanework_simt::ptx::lane() == ::lanework_simt::ptx::leader(__mask);
}

_LIBCUDACXX_END_NAMESPACE_CUDA_PTX
#endif
