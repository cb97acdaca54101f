// CUB's own file defines how it launches kernels for the CUDA compiler alone.
#pragma once

#include <cub/version.cuh>
#if CUB_VERSION >= 300100 && CUB_VERSION < 300200  // what is newer is refused as a whole
#error \
    "cub: functions of CUB's for the whole device are not available on the simt device by CCCL 3.1 or newer: `pip install nvidia-cuda-cccl==13.0.85` brings one by which they are"
#include <cub/ends_here>  // what a compiler would say next is of what CUB calls
#endif

#include_next <cub/util_device.cuh>

// Behind it: launches need what it declares.
#include <cub/detail/launcher/cuda_runtime.cuh>
