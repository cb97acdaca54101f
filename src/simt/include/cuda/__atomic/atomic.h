// libcu++'s cuda::atomic, and its fence with the scope that it is given: the host's, which kernels are compiled with
// here, drops it, and `check` is told which fences order the threads of one block alone.
#pragma once

#include <cuda/std/atomic>

#ifdef LANEWORK_SIMT_WATCHED
#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_STD
_LIBCUDACXX_BEGIN_NAMESPACE_STD
#else
_CCCL_BEGIN_NAMESPACE_CUDA_STD
#endif
// What the one in the file calls, whose own name becomes this, too.
inline void __lanework_thread_fence(memory_order __order) noexcept { atomic_thread_fence(__order); }
#ifdef _LIBCUDACXX_END_NAMESPACE_STD
_LIBCUDACXX_END_NAMESPACE_STD
#else
_CCCL_END_NAMESPACE_CUDA_STD
#endif
#define atomic_thread_fence __lanework_thread_fence
#endif
#include_next <cuda/__atomic/atomic.h>
#ifdef LANEWORK_SIMT_WATCHED
#undef atomic_thread_fence
#ifdef _LIBCUDACXX_BEGIN_NAMESPACE_CUDA
_LIBCUDACXX_BEGIN_NAMESPACE_CUDA
#else
_CCCL_BEGIN_NAMESPACE_CUDA
#endif
inline void atomic_thread_fence(memory_order __order, thread_scope __scope = thread_scope::thread_scope_system) {
    if (__scope == thread_scope::thread_scope_thread) return;
    [[maybe_unused]] const ::lanework_simt::BlockScope __of_block(__scope == thread_scope::thread_scope_block);
    ::cuda::std::atomic_thread_fence(__order);
}
#ifdef _LIBCUDACXX_END_NAMESPACE_CUDA
_LIBCUDACXX_END_NAMESPACE_CUDA
#else
_CCCL_END_NAMESPACE_CUDA
#endif
#endif
