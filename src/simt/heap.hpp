// The heap of kernels, as the engine sees it.
#pragma once

#include <cstddef>

namespace lanework_simt {

/// What kernels may have at once, in bytes: cudaLimitMallocHeapSize.
std::size_t heap_limit();

/// A watched launch ended: what it freed may be given to others from now on.
void release_freed_memory();

}  // namespace lanework_simt
