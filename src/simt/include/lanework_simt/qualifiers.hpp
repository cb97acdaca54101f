// The words that CUDA adds to declarations, for a host compiler. `__shared__` and `<<<>>>` need more than a macro:
// cudafe rewrites them, and `__noinline__`, which the standard library spells inside its own attributes.
#pragma once

#include <lanework_simt/quiet.hpp>

// A file that cudafe translated defines __CUDACC__; a host compiler's own file does not, and gets the runtime API
// alone. Code of the host that asks for a GPU's architecture (__CUDA_ARCH__) is told nothing; in a program's device
// code cudafe writes this in its place.
#ifndef LANEWORK_SIMT_ARCH
#define LANEWORK_SIMT_ARCH 900
#endif
#ifndef __CUDA_ARCH_LIST__
#define __CUDA_ARCH_LIST__ LANEWORK_SIMT_ARCH
#endif
#define LANEWORK_SIMT 1

// The version whose interface these headers follow: programs that choose between signatures by it get ours, and
// one source file takes the same branch here and under the toolkit that the project is built with.
#define CUDART_VERSION 13000
#ifdef __CUDACC__
#define __CUDACC_VER_MAJOR__ 13
#define __CUDACC_VER_MINOR__ 0
#endif

// A kernel and the functions that it calls are ordinary functions here; global and constant memory is the host's.
// A kernel holds all the code that it calls, in one piece, as nvcc compiles it: what its accesses and branches are then
// follows from it alone.
#ifdef LANEWORK_SIMT_WATCHED
#define __global__ __attribute__((flatten, noinline))
#else
// Nobody watches: it may be inlined, too, into the loop over its threads.
#define __global__ __attribute__((flatten))
#endif
#define __device__
#define __host__
// Constant variables lie together, and so do managed ones, so that the tracer knows them.
#define __constant__ __attribute__((section("lanework_constant")))
#define __managed__ __attribute__((section("lanework_managed")))
#define __grid_constant__
#define __launch_bounds__(...)
#define __maxnreg__(...)
#define __cluster_dims__(...)
#define __forceinline__ inline __attribute__((always_inline))
#define __align__(n) __attribute__((aligned(n)))
#define __builtin_align__(n) __align__(n)

// Inlined always, so that each kernel's access to memory is its own, compiled as its file is: instrumented or not.
#define LANEWORK_SIMT_BUILTIN inline __attribute__((always_inline, artificial))

#ifndef __clang__
#define __builtin_assume(condition) ((void)0)
#endif

// Thrust's device: its algorithms in plain C++, on the simt device's memory.
#ifndef THRUST_DEVICE_SYSTEM
#define THRUST_DEVICE_SYSTEM THRUST_DEVICE_SYSTEM_CPP
#endif

#define CUDART_CB
#define CUDARTAPI
