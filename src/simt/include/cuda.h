// The driver API's header: its types and version, which programs include it for. The driver API's functions are not
// part of the simt device, and unknown by name.
#pragma once

#include <cuda_runtime.h>

#define CUDA_VERSION 13000
#define CUDA_SUCCESS 0

using CUdevice = int;
using CUdeviceptr = unsigned long long;
using CUcontext = struct CUctx_st*;
using CUstream = cudaStream_t;
using CUevent = cudaEvent_t;
using CUdevice_attribute = cudaDeviceAttr;
enum CUresult : int;
