// The heap of kernels, as the engine sees it.
#pragma once

#include <cstddef>

namespace lanework_simt {

/// What kernels may have at once, in bytes: cudaLimitMallocHeapSize.
std::size_t heap_limit();

/// A watched launch ended: what it freed may be given to others from now on.
void release_freed_memory();
/// Of memory that kernels allocated and have not freed.
std::size_t device_heap_bytes();

}  // namespace lanework_simt
