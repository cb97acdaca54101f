// The part of the contract about streams, events, devices and kernels.
#pragma once

#include "tests/simt/api_contract_transcript.hpp"

namespace contract {

__global__ void count_up(int* value) { value[0] += 1; }

inline void streams_and_events(Transcript& transcript) {
    cudaStream_t stream = nullptr;
    cudaEvent_t start = nullptr, end = nullptr, untimed = nullptr;
    float ms = 0;
    unsigned flags = 9;
    LANEWORK_CALL(cudaStreamCreate(nullptr));
    LANEWORK_CALL(cudaStreamCreateWithFlags(&stream, 7));
    LANEWORK_CALL(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
    LANEWORK_CALL(cudaStreamGetFlags(stream, &flags));
    LANEWORK_CALL(flags == cudaStreamNonBlocking ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaEventCreate(nullptr));
    LANEWORK_CALL(cudaEventCreateWithFlags(&start, 0x40));
    LANEWORK_CALL(cudaEventCreateWithFlags(&start, cudaEventInterprocess));
    LANEWORK_CALL(cudaEventCreate(&start));
    LANEWORK_CALL(cudaEventCreate(&end));
    LANEWORK_CALL(cudaEventCreateWithFlags(&untimed, cudaEventDisableTiming));
    LANEWORK_CALL(cudaEventQuery(start));
    LANEWORK_CALL(cudaEventSynchronize(start));
    LANEWORK_CALL(cudaEventElapsedTime(&ms, start, end));
    LANEWORK_CALL(cudaEventRecord(start, stream));
    LANEWORK_CALL(cudaEventElapsedTime(&ms, start, end));
    LANEWORK_CALL(cudaStreamWaitEvent(stream, start));
    LANEWORK_CALL(cudaStreamWaitEvent(stream, end));
    LANEWORK_CALL(cudaEventRecord(end, stream));
    LANEWORK_CALL(cudaEventRecord(untimed, stream));
    LANEWORK_CALL(cudaEventRecord(nullptr, stream));
    LANEWORK_CALL(cudaEventSynchronize(end));
    LANEWORK_CALL(cudaEventElapsedTime(&ms, start, end));
    LANEWORK_CALL(ms >= 0 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaEventElapsedTime(nullptr, start, end));
    LANEWORK_CALL(cudaEventElapsedTime(&ms, start, untimed));
    LANEWORK_CALL(cudaEventElapsedTime(&ms, nullptr, end));
    LANEWORK_CALL(cudaStreamSynchronize(stream));
    LANEWORK_CALL(cudaStreamQuery(stream));
    LANEWORK_CALL(cudaStreamQuery(cudaStreamPerThread));
    LANEWORK_CALL(cudaLaunchHostFunc(stream, nullptr, nullptr));
    LANEWORK_CALL(cudaStreamDestroy(nullptr));
    LANEWORK_CALL(cudaEventDestroy(nullptr));
    LANEWORK_CALL(cudaEventDestroy(start));
    LANEWORK_CALL(cudaEventDestroy(end));
    LANEWORK_CALL(cudaStreamDestroy(stream));
    LANEWORK_CALL(cudaStreamDestroy(cudaStreamLegacy));
}

inline void devices(Transcript& transcript) {
    int value = 0, free_device = 0;
    cudaDeviceProp properties;
    std::size_t bytes = 0;
    LANEWORK_CALL(cudaSetDevice(0));
    LANEWORK_CALL(cudaSetDevice(64));
    LANEWORK_CALL(cudaSetDevice(-1));
    LANEWORK_CALL(cudaGetDevice(nullptr));
    LANEWORK_CALL(cudaGetDeviceCount(nullptr));
    LANEWORK_CALL(cudaGetDeviceProperties(&properties, 0));
    LANEWORK_CALL(cudaGetDeviceProperties(&properties, 64));
    LANEWORK_CALL(cudaGetDeviceProperties(nullptr, 0));
    LANEWORK_CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
    LANEWORK_CALL(value == 32 && properties.warpSize == 32 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 64));
    LANEWORK_CALL(cudaDeviceGetAttribute(&value, cudaDeviceAttr(5000), 0));
    LANEWORK_CALL(cudaDeviceGetAttribute(nullptr, cudaDevAttrWarpSize, 0));
    LANEWORK_CALL(cudaDeviceCanAccessPeer(&value, 0, 0));
    LANEWORK_CALL(value == 0 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaDeviceCanAccessPeer(&value, 0, 64));
    LANEWORK_CALL(cudaDeviceEnablePeerAccess(64, 0));
    LANEWORK_CALL(cudaDeviceEnablePeerAccess(0, 0));
    LANEWORK_CALL(cudaDeviceDisablePeerAccess(0));
    LANEWORK_CALL(cudaDeviceGetLimit(&bytes, cudaLimitStackSize));
    LANEWORK_CALL(cudaDeviceGetLimit(&bytes, cudaLimit(77)));
    LANEWORK_CALL(cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimeSyncDepth));
    LANEWORK_CALL(cudaDeviceGetLimit(nullptr, cudaLimitStackSize));
    LANEWORK_CALL(cudaMemGetInfo(&bytes, &bytes));
    LANEWORK_CALL(cudaChooseDevice(&free_device, &properties));
}

inline void kernels(Transcript& transcript) {
    cudaFuncAttributes about{};
    int blocks = 0, grid = 0, block = 0;
    int* value = nullptr;
    std::size_t shared = 0;
    void* arguments[] = {&value};
    cudaMalloc(&value, sizeof *value);
    LANEWORK_CALL(cudaFuncGetAttributes(&about, count_up));
    LANEWORK_CALL(about.maxThreadsPerBlock == 1024 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(about.maxDynamicSharedSizeBytes == 49152 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttributeMaxDynamicSharedMemorySize, 232448));
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttributeMaxDynamicSharedMemorySize, 232449));
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttributeMaxDynamicSharedMemorySize, -1));
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttributePreferredSharedMemoryCarveout, 50));
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttributePreferredSharedMemoryCarveout, 101));
    LANEWORK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_up, 128, 40000));
    LANEWORK_CALL(blocks == 3 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttributePreferredSharedMemoryCarveout, -1));
    LANEWORK_CALL(cudaFuncSetAttribute(count_up, cudaFuncAttribute(3), 1));
    LANEWORK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_up, 256, 0));
    LANEWORK_CALL(blocks == 8 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_up, 33, 0));
    LANEWORK_CALL(blocks == 32 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_up, 128, 40000));
    LANEWORK_CALL(blocks == 5 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_up, 2000, 0));
    LANEWORK_CALL(blocks == 0 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, count_up, 0, 0));
    LANEWORK_CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, count_up));
    LANEWORK_CALL(block == 1024 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaOccupancyAvailableDynamicSMemPerBlock(&shared, count_up, 2, 128));
    LANEWORK_CALL(shared == 115712 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(1), dim3(1), arguments, 0, 0));
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(1), dim3(1025), arguments, 0, 0));
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(1), dim3(1, 1, 65), arguments, 0, 0));
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(0), dim3(1), arguments, 0, 0));
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(1, 65536), dim3(1), arguments, 0, 0));
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(1), dim3(1), arguments, 232449, 0));
    LANEWORK_CALL(cudaLaunchKernel(count_up, dim3(1), dim3(1), arguments, 0, cudaStreamPerThread));
    LANEWORK_CALL(cudaFuncSetCacheConfig(count_up, cudaFuncCachePreferL1));
    LANEWORK_CALL(cudaDeviceSynchronize());
    cudaFree(value);
}

}  // namespace contract
