// CUDA's header of copies that a thread does not wait for: its functions.
#pragma once

#include <cuda_pipeline_primitives.h>
