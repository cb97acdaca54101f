// The CUDA runtime API and device language for a host compiler: what `#include <cuda_runtime.h>` means when a program
// is built for the simt device. Everything lives in a namespace, so that one binary can hold NVIDIA's runtime too.
#pragma once

// The headers that nvcc brings along unasked come first: they must not see the words that follow.
#include <assert.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// Programs ask by these whether CUDA's headers were read.
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define __DRIVER_TYPES_H__

#include <lanework_simt/letters_aside.hpp>

#include <lanework_simt/arrays.hpp>
#include <lanework_simt/device.hpp>
#include <lanework_simt/error_codes.hpp>
#include <lanework_simt/functions.hpp>
#include <lanework_simt/graph.hpp>
#include <lanework_simt/last_error.hpp>
#include <lanework_simt/memory.hpp>
#include <lanework_simt/memory_pools.hpp>
#include <lanework_simt/qualifiers.hpp>
#include <lanework_simt/stream.hpp>
#include <lanework_simt/surface.hpp>
#include <lanework_simt/symbols.hpp>
#include <lanework_simt/texture.hpp>
#include <lanework_simt/vector_types.hpp>

#ifdef __CUDACC__  // the device's language
#include <lanework_simt/access.hpp>
#include <lanework_simt/atomics.hpp>
#include <lanework_simt/barrier.hpp>
#include <lanework_simt/conversions.hpp>
#include <lanework_simt/heap.hpp>
#include <lanework_simt/integers.hpp>
#include <lanework_simt/launch.hpp>
#include <lanework_simt/math.hpp>
#include <lanework_simt/packed.hpp>
#include <lanework_simt/print.hpp>
#include <lanework_simt/ptx.hpp>
#include <lanework_simt/ptx_matrices.hpp>
#include <lanework_simt/scoped_atomics.hpp>
#include <lanework_simt/shared.hpp>
#include <lanework_simt/shifts.hpp>
#include <lanework_simt/thread.hpp>
#include <lanework_simt/warp.hpp>
#endif

using namespace lanework_simt::api;  // NOLINT: CUDA's names are global

#include <lanework_simt/letters_back.hpp>
