// What the device says about itself. Limits that decide whether a launch is legal are an H100's; sizes and counts of
// what really runs the threads are this machine's.
#include <lanework_simt/device.hpp>
#include <lanework_simt/schedule.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "src/cuda/capabilities.hpp"
#include "src/simt/api_call.hpp"
#include "src/simt/api_memory_map.hpp"

namespace lanework_simt {
namespace {

constexpr int kKibi = 1024;

void describe_blocks(cudaDeviceProp& device, const lanework::Capability& sm) {
    device.warpSize = sm.warp_size;
    device.maxThreadsPerBlock = sm.threads_per_block;
    std::copy_n(std::initializer_list<int>{1024, 1024, 64}.begin(), 3, device.maxThreadsDim);
    std::copy_n(std::initializer_list<int>{0x7fffffff, 65535, 65535}.begin(), 3, device.maxGridSize);
    device.sharedMemPerBlock = size_t(sm.shared_per_block_default);
    device.sharedMemPerBlockOptin = size_t(sm.shared_per_block);
    device.reservedSharedMemPerBlock = size_t(sm.shared_reserved);
    device.regsPerBlock = sm.registers_per_block;
    device.totalConstMem = 64 * kKibi;
}

void describe_multiprocessors(cudaDeviceProp& device, const lanework::Capability& sm) {
    device.major = sm.number / 10;
    device.minor = sm.number % 10;
    device.multiProcessorCount = worker_count();
    device.maxThreadsPerMultiProcessor = sm.threads_per_sm();
    device.maxBlocksPerMultiProcessor = sm.blocks_per_sm;
    device.sharedMemPerMultiprocessor = size_t(sm.shared_per_sm);
    device.regsPerMultiprocessor = sm.registers_per_sm;
}

/// The last cache before memory, as the device's L2 is.
int last_cache_bytes() {
    const long third = sysconf(_SC_LEVEL3_CACHE_SIZE);
    return int(std::max(0L, third > 0 ? third : sysconf(_SC_LEVEL2_CACHE_SIZE)));
}

// Work is done when it is submitted: nothing overlaps, so that there are no copy engines and no concurrent kernels.
void describe_memory(cudaDeviceProp& device) {
    device.totalGlobalMem = memory_map().total();
    device.l2CacheSize = last_cache_bytes();
    device.memPitch = 0x7fffffff;
    device.textureAlignment = device.surfaceAlignment = 512;
    device.texturePitchAlignment = 32;
    device.integrated = 1;
    device.canMapHostMemory = 1;
    device.unifiedAddressing = 1;
    device.managedMemory = 1;
    device.concurrentManagedAccess = 1;
    device.directManagedMemAccessFromHost = 1;
    device.canUseHostPointerForRegisteredMem = 1;
    device.hostRegisterSupported = 1;
    device.hostNativeAtomicSupported = 1;
    device.memoryPoolsSupported = 1;
    device.globalL1CacheSupported = device.localL1CacheSupported = 1;
    device.hostNumaId = -1;
}

cudaDeviceProp describe() {
    cudaDeviceProp device;
    std::memset(&device, 0, sizeof device);
    const int threads = worker_count();
    std::snprintf(device.name, sizeof device.name, "SIMT device (%d thread%s)", threads, threads == 1 ? "" : "s");
    std::memcpy(device.uuid.bytes, "lanework simt 0", sizeof device.uuid.bytes);
    const lanework::Capability& hopper = *lanework::find_capability(90);
    describe_blocks(device, hopper);
    describe_multiprocessors(device, hopper);
    describe_memory(device);
    return device;
}

/// The processor's highest clock rate in kHz, as the system states it; 0 where it does not.
int clock_rate() {
    std::ifstream highest("/sys/devices/system/cpu/cpu0/cpufreq/cpuinfo_max_freq");
    if (int rate = 0; highest >> rate) return rate;
    std::ifstream processors("/proc/cpuinfo");
    for (std::string line; std::getline(processors, line);) {
        float megahertz = 0;
        if (std::sscanf(line.c_str(), "cpu MHz : %f", &megahertz) == 1) return int(megahertz * 1000);
    }
    return 0;
}

/// Attributes without a case are those of hardware that this device lacks: 0.
int value_of(cudaDeviceAttr attribute, const cudaDeviceProp& device) {
    switch (attribute) {
        case cudaDevAttrMaxThreadsPerBlock: return int(device.maxThreadsPerBlock);
        case cudaDevAttrMaxBlockDimX: return int(device.maxThreadsDim[0]);
        case cudaDevAttrMaxBlockDimY: return int(device.maxThreadsDim[1]);
        case cudaDevAttrMaxBlockDimZ: return int(device.maxThreadsDim[2]);
        case cudaDevAttrMaxGridDimX: return int(device.maxGridSize[0]);
        case cudaDevAttrMaxGridDimY: return int(device.maxGridSize[1]);
        case cudaDevAttrMaxGridDimZ: return int(device.maxGridSize[2]);
        case cudaDevAttrMaxSharedMemoryPerBlock: return int(device.sharedMemPerBlock);
        case cudaDevAttrTotalConstantMemory: return int(device.totalConstMem);
        case cudaDevAttrWarpSize: return int(device.warpSize);
        case cudaDevAttrMaxPitch: return int(device.memPitch);
        case cudaDevAttrMaxRegistersPerBlock: return int(device.regsPerBlock);
        case cudaDevAttrTextureAlignment: return int(device.textureAlignment);
        case cudaDevAttrTexturePitchAlignment: return int(device.texturePitchAlignment);
        case cudaDevAttrSurfaceAlignment: return int(device.surfaceAlignment);
        case cudaDevAttrMultiProcessorCount: return int(device.multiProcessorCount);
        case cudaDevAttrIntegrated: return int(device.integrated);
        case cudaDevAttrCanMapHostMemory: return int(device.canMapHostMemory);
        case cudaDevAttrConcurrentKernels: return int(device.concurrentKernels);
        case cudaDevAttrL2CacheSize: return int(device.l2CacheSize);
        case cudaDevAttrMaxThreadsPerMultiProcessor: return int(device.maxThreadsPerMultiProcessor);
        case cudaDevAttrAsyncEngineCount: return int(device.asyncEngineCount);
        case cudaDevAttrGpuOverlap: return int(device.asyncEngineCount);
        case cudaDevAttrUnifiedAddressing: return int(device.unifiedAddressing);
        case cudaDevAttrComputeCapabilityMajor: return int(device.major);
        case cudaDevAttrComputeCapabilityMinor: return int(device.minor);
        case cudaDevAttrGlobalL1CacheSupported: return int(device.globalL1CacheSupported);
        case cudaDevAttrLocalL1CacheSupported: return int(device.localL1CacheSupported);
        case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return int(device.sharedMemPerMultiprocessor);
        case cudaDevAttrMaxRegistersPerMultiprocessor: return int(device.regsPerMultiprocessor);
        case cudaDevAttrManagedMemory: return int(device.managedMemory);
        case cudaDevAttrHostNativeAtomicSupported: return int(device.hostNativeAtomicSupported);
        case cudaDevAttrConcurrentManagedAccess: return int(device.concurrentManagedAccess);
        case cudaDevAttrCanUseHostPointerForRegisteredMem: return int(device.canUseHostPointerForRegisteredMem);
        case cudaDevAttrMaxSharedMemoryPerBlockOptin: return int(device.sharedMemPerBlockOptin);
        case cudaDevAttrHostRegisterSupported: return int(device.hostRegisterSupported);
        case cudaDevAttrDirectManagedMemAccessFromHost: return int(device.directManagedMemAccessFromHost);
        case cudaDevAttrMaxBlocksPerMultiprocessor: return int(device.maxBlocksPerMultiProcessor);
        case cudaDevAttrReservedSharedMemoryPerBlock: return int(device.reservedSharedMemPerBlock);
        case cudaDevAttrMemoryPoolsSupported: return int(device.memoryPoolsSupported);
        case cudaDevAttrHostNumaId: return int(device.hostNumaId);
        case cudaDevAttrClockRate: return clock_rate();
        case cudaDevAttrSingleToDoublePrecisionPerfRatio: return 2;
        default: return 0;
    }
}

}  // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call([&] {
        if (properties == nullptr) return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *properties = describe();
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call([&] {
        if (value == nullptr || attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax)
            return cudaErrorInvalidValue;
        if (device != 0) return cudaErrorInvalidDevice;
        *value = value_of(attribute, describe());
        return cudaSuccess;
    });
}

}  // namespace lanework_simt
