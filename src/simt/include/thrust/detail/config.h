// What every file of Thrust's includes first. Thrust of before CCCL 2.8 (CUDA 12.8 and older) is refused here in one
// line; where its folder is named or the system's, nobody has looked at its version.
#pragma once

#include <thrust/version.h>
#if THRUST_VERSION < 200800
#error \
    "thrust: Thrust older than 2.8 is not available on the simt device: `pip install nvidia-cuda-cccl==13.0.85` brings one that is"
#include <thrust/ends_here>  // what a compiler would say next is of what Thrust calls
#endif

#include_next <thrust/detail/config.h>
