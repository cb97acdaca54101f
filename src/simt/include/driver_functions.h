// One of CUDA's headers that programs include by itself: here they are all one.
#pragma once

#include <cuda_runtime.h>
