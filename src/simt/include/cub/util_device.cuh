// CUB's own file defines how it launches kernels for the CUDA compiler alone.
#pragma once

#include_next <cub/util_device.cuh>

// Behind it: launches need what it declares.
#include <cub/detail/launcher/cuda_runtime.cuh>
