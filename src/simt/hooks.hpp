// The switch of the memory hooks that instrumented kernels call.
#pragma once

namespace lanework_simt::engine {

/// True while something wants to see the accesses of kernels; all that a hook reads otherwise.
extern bool hooks_active __attribute__((visibility("hidden")));

}  // namespace lanework_simt::engine
