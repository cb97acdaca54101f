// What the device says about itself: the limits and sizes are those of the GPU that it stands for, and of what the
// runtime offers it says what works here.
#include <lanework_simt/device.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>

#include "src/simt/api_call.hpp"
#include "src/simt/devices.hpp"
#include "src/simt/gpu.hpp"

namespace lanework_simt {
inline namespace api {
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

void describe_multiprocessors(cudaDeviceProp& device, const lanework::Gpu& gpu) {
    const lanework::Capability& sm = gpu.limits();
    device.major = sm.number / 10;
    device.minor = sm.number % 10;
    device.multiProcessorCount = gpu.sms;
    device.maxThreadsPerMultiProcessor = sm.threads_per_sm();
    device.maxBlocksPerMultiProcessor = sm.blocks_per_sm;
    device.sharedMemPerMultiprocessor = size_t(sm.shared_per_sm);
    device.regsPerMultiprocessor = sm.registers_per_sm;
    device.concurrentKernels = 1;
    device.asyncEngineCount = 2;  // one for each direction, as timelines have it
}

void describe_memory(cudaDeviceProp& device, const lanework::Gpu& gpu) {
    device.totalGlobalMem = gpu.memory_bytes;
    device.memoryBusWidth = gpu.memory_bus_bits;
    device.l2CacheSize = int(gpu.l2_bytes);
    device.memPitch = 0x7fffffff;
    device.textureAlignment = device.surfaceAlignment = 512;
    device.texturePitchAlignment = 32;
    device.canMapHostMemory = 1;
    device.unifiedAddressing = 1;
    device.managedMemory = 1;
    device.concurrentManagedAccess = 1;
    device.canUseHostPointerForRegisteredMem = 1;
    device.hostRegisterSupported = 1;
    device.memoryPoolsSupported = 1;
    device.globalL1CacheSupported = device.localL1CacheSupported = 1;
    device.hostNumaId = -1;
}

int kilohertz(double hertz) { return int(hertz / 1000); }

cudaDeviceProp describe(const lanework::Gpu& gpu) {
    cudaDeviceProp device;
    std::memset(&device, 0, sizeof device);
    std::snprintf(device.name, sizeof device.name, "SIMT device as %.*s", int(gpu.title.size()), gpu.title.data());
    std::memcpy(device.uuid.bytes, "lanework simt 0", sizeof device.uuid.bytes);
    describe_blocks(device, gpu.limits());
    describe_multiprocessors(device, gpu);
    describe_memory(device, gpu);
    device.cooperativeLaunch = 1;
    device.clockRate = kilohertz(gpu.clock_hz);
    device.memoryClockRate = kilohertz(gpu.memory_clock_hz());
    device.deviceOverlap = device.asyncEngineCount != 0;
    return device;
}

int times_slower_in_double(const lanework::Gpu& gpu) {
    return gpu.multiply_adds_per_clock(lanework::DType::float32) /
           gpu.multiply_adds_per_clock(lanework::DType::float64);
}

/// Attributes without a case are those of hardware that this device lacks: 0.
int value_of(cudaDeviceAttr attribute, const lanework::Gpu& gpu) {
    const cudaDeviceProp device = describe(gpu);
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
        case cudaDevAttrCooperativeLaunch: return int(device.cooperativeLaunch);
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
        case cudaDevAttrClockRate: return kilohertz(gpu.clock_hz);
        case cudaDevAttrMemoryClockRate: return kilohertz(gpu.memory_clock_hz());
        case cudaDevAttrGlobalMemoryBusWidth: return int(device.memoryBusWidth);
        case cudaDevAttrSingleToDoublePrecisionPerfRatio: return times_slower_in_double(gpu);
        default: return 0;
    }
}

}  // namespace

cudaError_t cudaGetDeviceProperties(cudaDeviceProp* properties, int device) {
    return call([&] {
        if (properties == nullptr) return cudaErrorInvalidValue;
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        *properties = describe(presented_gpu());
        properties->pciBusID = device;
        properties->uuid.bytes[sizeof properties->uuid.bytes - 1] = char(device);
        return cudaSuccess;
    });
}

cudaError_t cudaDeviceGetAttribute(int* value, cudaDeviceAttr attribute, int device) {
    return call([&] {
        if (value == nullptr || attribute < cudaDevAttrMaxThreadsPerBlock || attribute >= cudaDevAttrMax)
            return cudaErrorInvalidValue;
        if (!device_exists(device)) return cudaErrorInvalidDevice;
        *value = attribute == cudaDevAttrPciBusId ? device : value_of(attribute, presented_gpu());
        return cudaSuccess;
    });
}

}  // namespace api
}  // namespace lanework_simt
