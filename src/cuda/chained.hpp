// Kernels in a row that need not wait for each other from their first line on: the blocks of the next are there, and
// have done what they can do by themselves, when the last one's are done (programmatic dependent launch).
#pragma once

#include <map>
#include <utility>

#include "src/cuda/check.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

// Kernels of other devices, and of GPUs before compute capability 9.0, run one after the other: there is nothing to say
// and nothing to wait for.

/// Lets the next kernel's blocks begin once every block of this one has said so or is done.
__device__ inline void let_next_begin() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

/// Waits until the kernel before this one is done, and what it wrote can be read. A kernel that lets the next begin
/// after this knows for it that those before are done as well.
__device__ inline void wait_for_previous() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

#ifdef __NVCC__
/// Whether the code that the current device runs was compiled to wait. A thread asks once of each kernel and device.
template <class... Parameters>
bool waits_for_previous(void (*kernel)(Parameters...)) {
    thread_local std::map<std::pair<int, const void*>, bool> known;
    int device = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    const std::pair<int, const void*> which(device, reinterpret_cast<const void*>(kernel));
    if (const auto found = known.find(which); found != known.end()) return found->second;
    cudaFuncAttributes attributes{};
    LANEWORK_CHECK(cudaFuncGetAttributes(&attributes, kernel));
    return known[which] = attributes.ptxVersion >= 90;
}

template <class... Parameters, class... Arguments>
void launch_chained(void (*kernel)(Parameters...), unsigned blocks, int threads, cudaStream_t stream,
                    Arguments&&... arguments) {
    cudaLaunchAttribute attribute{};
    attribute.id = cudaLaunchAttributeProgrammaticStreamSerialization;
    attribute.val.programmaticStreamSerializationAllowed = 1;
    cudaLaunchConfig_t config{};
    config.gridDim = blocks;
    config.blockDim = static_cast<unsigned>(threads);
    config.stream = stream;
    config.attrs = &attribute;
    config.numAttrs = waits_for_previous(kernel) ? 1 : 0;
    LANEWORK_CHECK(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...));
}
#define LANEWORK_CHAINED(kernel, blocks, threads, stream, ...) \
    launch_chained(kernel, blocks, threads, stream, __VA_ARGS__)
#else
#define LANEWORK_CHAINED(kernel, blocks, threads, stream, ...) kernel<<<blocks, threads, 0, stream>>>(__VA_ARGS__)
#endif

}  // namespace lanework::inline LANEWORK_ON_DEVICE
