// CUB's launches. They open a namespace that hides Thrust's own from a header which the CUDA compiler reads before.
#pragma once

#include <thrust/system/cuda/detail/execution_policy.h>
#include_next <cub/detail/launcher/cuda_runtime.cuh>
