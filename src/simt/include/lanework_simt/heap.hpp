// The heap of kernels: what malloc and free mean in device code. new and delete are the program's own operators, which
// the library replaces by these while a kernel runs.
#pragma once

#include <cstddef>

namespace lanework_simt {

/// Memory for a kernel; null beyond cudaLimitMallocHeapSize. In host code this is the C library's malloc.
void* device_malloc(std::size_t bytes);
/// Fails the kernel that frees what is no memory of the heap's; `caller` is as for fail_kernel, null: who calls this.
/// In host code this is the C library's free.
void device_free(void* memory, const void* caller = nullptr);

}  // namespace lanework_simt
