// CUB chooses a kernel's tile by the architecture of the compiler's pass, and the launch's by the GPU: one pass is
// both.
#pragma once

#include <lanework_simt/qualifiers.hpp>

#define CUB_PTX_ARCH LANEWORK_SIMT_ARCH
#include_next <cub/util_arch.cuh>
