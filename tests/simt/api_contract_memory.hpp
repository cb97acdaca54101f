// The part of the contract about memory: allocation, pointers, copies, symbols, advice.
#pragma once

#include "tests/simt/api_contract_transcript.hpp"

namespace contract {

__device__ int counter[4];

inline void allocation(Transcript& transcript) {
    void* null = nullptr;
    char *device = nullptr, *pinned = nullptr, *managed = nullptr, *nothing = nullptr;
    static char host[256];
    std::size_t pitch = 0;
    LANEWORK_CALL(cudaFree(null));
    LANEWORK_CALL(cudaFreeHost(null));
    LANEWORK_CALL(cudaMalloc(&device, 1000));
    LANEWORK_CALL(cudaMalloc((void**)nullptr, 1000));
    LANEWORK_CALL(cudaMalloc(&nothing, 0));
    LANEWORK_CALL(nothing == nullptr ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaMalloc(&nothing, std::size_t{1} << 60));
    LANEWORK_CALL(cudaMallocHost(&pinned, 1000));
    LANEWORK_CALL(cudaHostAlloc(&nothing, 1000, 0x80));
    LANEWORK_CALL(cudaMallocManaged(&managed, 1000));
    LANEWORK_CALL(cudaMallocManaged(&nothing, 0));
    LANEWORK_CALL(cudaMallocManaged(&nothing, 1000, 0));
    LANEWORK_CALL(cudaMallocPitch(&nothing, &pitch, 100, 7));
    LANEWORK_CALL(pitch == 512 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaFree(nothing));
    LANEWORK_CALL(cudaFree(device + 256));
    LANEWORK_CALL(cudaFree(host));
    LANEWORK_CALL(cudaFree(pinned));
    LANEWORK_CALL(cudaFreeHost(device));
    LANEWORK_CALL(cudaFreeHost(host));
    LANEWORK_CALL(cudaFree(managed));
    LANEWORK_CALL(cudaFree(device));
    LANEWORK_CALL(cudaFree(device));
    LANEWORK_CALL(cudaFreeHost(pinned));
    LANEWORK_CALL(cudaFreeHost(pinned));
}

inline void pointers(Transcript& transcript) {
    char *device = nullptr, *pinned = nullptr, *managed = nullptr;
    static char host[1 << 16];
    void* seen = nullptr;
    unsigned flags = 0;
    cudaPointerAttributes about{};
    cudaMalloc(&device, 1000), cudaMallocHost(&pinned, 1000), cudaMallocManaged(&managed, 1000);
    LANEWORK_CALL(cudaPointerGetAttributes(&about, device + 10));
    LANEWORK_CALL(about.type == cudaMemoryTypeDevice && about.device == 0 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(about.devicePointer == device + 10 && !about.hostPointer ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaPointerGetAttributes(&about, pinned));
    LANEWORK_CALL(about.type == cudaMemoryTypeHost && about.device == 0 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(about.devicePointer == pinned && about.hostPointer == pinned ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaPointerGetAttributes(&about, managed));
    LANEWORK_CALL(about.type == cudaMemoryTypeManaged && about.device == 0 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(about.devicePointer == managed && about.hostPointer == managed ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaPointerGetAttributes(&about, host));
    LANEWORK_CALL(about.type == cudaMemoryTypeUnregistered && about.device == -2 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(about.devicePointer == nullptr ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(about.hostPointer == host ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaPointerGetAttributes(nullptr, host));
    LANEWORK_CALL(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
    LANEWORK_CALL(cudaHostRegister(host, sizeof host, cudaHostRegisterDefault));
    LANEWORK_CALL(cudaHostGetDevicePointer(&seen, host, 0));
    LANEWORK_CALL(cudaHostGetDevicePointer(&seen, host, 1));
    LANEWORK_CALL(cudaHostUnregister(host));
    LANEWORK_CALL(cudaHostUnregister(host));
    LANEWORK_CALL(cudaHostUnregister(nullptr));
    LANEWORK_CALL(cudaHostRegister(nullptr, 10, 0));
    LANEWORK_CALL(cudaHostRegister(host, 0, 0));
    LANEWORK_CALL(cudaHostGetDevicePointer(&seen, pinned, 0));
    LANEWORK_CALL(cudaHostGetDevicePointer(&seen, host, 0));
    LANEWORK_CALL(cudaHostGetFlags(&flags, pinned));
    LANEWORK_CALL(cudaHostGetFlags(&flags, host));
    cudaFree(device), cudaFreeHost(pinned), cudaFree(managed);
}

inline void copies(Transcript& transcript) {
    char *device = nullptr, *other = nullptr, *pinned = nullptr, *managed = nullptr;
    static char host[1 << 22];
    cudaMalloc(&device, 1024), cudaMalloc(&other, 1024);
    cudaMallocHost(&pinned, 1024), cudaMallocManaged(&managed, 1024);
    const auto wrong_kind = cudaMemcpyKind(9);
    LANEWORK_CALL(cudaMemcpy(device, host, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(host, device, 1024, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpy(other, device, 1024, cudaMemcpyDeviceToDevice));
    LANEWORK_CALL(cudaMemcpy(host, host + 2048, 1024, cudaMemcpyHostToHost));
    LANEWORK_CALL(cudaMemcpy(host, device, 1024, cudaMemcpyDefault));
    LANEWORK_CALL(cudaMemcpy(device, host, 1024, cudaMemcpyDefault));
    LANEWORK_CALL(cudaMemcpy(device, host, 1024, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpy(host, device, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(device, other, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(device, other, 1024, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpy(device, other, 1024, cudaMemcpyHostToHost));
    LANEWORK_CALL(cudaMemcpy(host, device, 1024, cudaMemcpyHostToHost));
    LANEWORK_CALL(cudaMemcpy(device, host, 1024, cudaMemcpyHostToHost));
    LANEWORK_CALL(cudaMemcpy(device, host, 1024, cudaMemcpyDeviceToDevice));
    LANEWORK_CALL(cudaMemcpy(host, device, 1024, cudaMemcpyDeviceToDevice));
    LANEWORK_CALL(cudaMemcpy(host, host + 2048, 1024, cudaMemcpyDefault));
    LANEWORK_CALL(cudaMemcpy(host, host + 2048, 1024, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpy(host, host + 2048, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(pinned, host, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(host, pinned, 1024, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpy(pinned, device, 1024, cudaMemcpyDeviceToDevice));
    LANEWORK_CALL(cudaMemcpy(managed, host, 1024, cudaMemcpyHostToHost));
    LANEWORK_CALL(cudaMemcpy(managed, host, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemset(pinned, 1, 1024));
    LANEWORK_CALL(cudaMemset(managed, 1, 1024));
    LANEWORK_CALL(cudaMemcpy(device, host, 1 << 22, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemset(device, 0, 1 << 22));
    LANEWORK_CALL(cudaMemcpy2D(device, 64, host, 128, 0, 15, wrong_kind));
    LANEWORK_CALL(cudaMemcpy2D(device, 64, host, 128, 8, 15, wrong_kind));
    LANEWORK_CALL(cudaMemcpy(device, host, 1024, wrong_kind));
    LANEWORK_CALL(cudaMemcpy(device, host, 0, wrong_kind));
    LANEWORK_CALL(cudaMemcpy(nullptr, host, 0, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(nullptr, host, 16, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy(device, nullptr, 16, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpyAsync(device, host, 1024, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy2D(device, 64, host, 128, 60, 16, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy2D(device, 64, host, 128, 65, 15, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy2D(device, 64, host, 32, 60, 15, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemcpy2D(device, 64, host, 128, 0, 15, cudaMemcpyHostToDevice));
    LANEWORK_CALL(cudaMemset(device, 1, 1024));
    LANEWORK_CALL(cudaMemset(nullptr, 1, 0));
    LANEWORK_CALL(cudaMemset(nullptr, 1, 16));
    LANEWORK_CALL(cudaMemset(host, 1, 16));
    LANEWORK_CALL(cudaMemset2D(device, 64, 1, 60, 16));
    LANEWORK_CALL(cudaMemset2D(device, 64, 1, 65, 15));
    LANEWORK_CALL(cudaDeviceSynchronize());
    cudaFree(device), cudaFree(other), cudaFreeHost(pinned), cudaFree(managed);
}

inline void symbols(Transcript& transcript) {
    int values[5] = {1, 2, 3, 4, 5};
    void* address = nullptr;
    std::size_t size = 0;
    LANEWORK_CALL(cudaMemcpyToSymbol(counter, values, 16));
    LANEWORK_CALL(cudaMemcpyToSymbol(counter, values, 20));
    LANEWORK_CALL(cudaMemcpyToSymbol(counter, values, 8, 8));
    LANEWORK_CALL(cudaMemcpyToSymbol(counter, values, 8, 12));
    LANEWORK_CALL(cudaMemcpyToSymbol(counter, values, 16, 0, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpyFromSymbol(values, counter, 16));
    LANEWORK_CALL(cudaMemcpyFromSymbol(values, counter, 17));
    LANEWORK_CALL(cudaMemcpyFromSymbol(values, counter, 16, 0, cudaMemcpyHostToDevice));
    LANEWORK_CALL(values[2] == 1 && values[3] == 2 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaGetSymbolAddress(&address, counter));
    LANEWORK_CALL(cudaGetSymbolSize(&size, counter));
    LANEWORK_CALL(size == 16 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaMemcpy(values, address, 16, cudaMemcpyDeviceToHost));
    LANEWORK_CALL(cudaMemcpy(address, values, 16, cudaMemcpyHostToDevice));
}

inline void advice(Transcript& transcript) {
    char *managed = nullptr, *device = nullptr;
    cudaMemPool_t pool = nullptr;
    unsigned long long threshold = 1 << 20;
    const cudaMemLocation here{cudaMemLocationTypeDevice, 0}, host{cudaMemLocationTypeHost, 0};
    const cudaMemLocation nowhere{cudaMemLocationTypeInvalid, 0}, missing{cudaMemLocationTypeDevice, 64};
    cudaMallocManaged(&managed, 4096), cudaMalloc(&device, 1024);
    LANEWORK_CALL(cudaMemPrefetchAsync(managed, 4096, here, 0, cudaStream_t{}));
    LANEWORK_CALL(cudaMemPrefetchAsync(managed, 4096, host, 0, cudaStream_t{}));
    LANEWORK_CALL(cudaMemPrefetchAsync(managed, 4096, missing, 0, cudaStream_t{}));
    LANEWORK_CALL(cudaMemPrefetchAsync(managed, 4096, nowhere, 0, cudaStream_t{}));
    LANEWORK_CALL(cudaMemPrefetchAsync(managed, 4096, here, 1, cudaStream_t{}));
    LANEWORK_CALL(cudaMemPrefetchAsync(managed, 0, here, 0, cudaStream_t{}));
    LANEWORK_CALL(cudaMemPrefetchAsync(device, 1024, here, 0, cudaStream_t{}));
    LANEWORK_CALL(cudaMemAdvise(managed, 4096, cudaMemAdviseSetReadMostly, here));
    LANEWORK_CALL(cudaMemAdvise(managed, 4096, cudaMemAdviseSetPreferredLocation, missing));
    LANEWORK_CALL(cudaMemAdvise(managed, 4096, cudaMemoryAdvise(99), here));
    LANEWORK_CALL(cudaMemAdvise(device, 1024, cudaMemAdviseSetReadMostly, here));
    LANEWORK_CALL(cudaDeviceSynchronize());
    cudaFree(managed), cudaFree(device);
    LANEWORK_CALL(cudaDeviceGetDefaultMemPool(&pool, 0));
    LANEWORK_CALL(cudaDeviceGetDefaultMemPool(&pool, 64));
    LANEWORK_CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    LANEWORK_CALL(cudaMemPoolGetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &threshold));
    LANEWORK_CALL(threshold == 1 << 20 ? cudaSuccess : cudaErrorUnknown);
    LANEWORK_CALL(cudaMemPoolSetAttribute(pool, cudaMemPoolAttr(99), &threshold));
    LANEWORK_CALL(cudaMallocAsync(&device, 1024, cudaStream_t{}));
    LANEWORK_CALL(cudaFreeAsync(device, cudaStream_t{}));
    LANEWORK_CALL(cudaFreeAsync(nullptr, cudaStream_t{}));
    LANEWORK_CALL(cudaFreeAsync(&threshold, cudaStream_t{}));
    LANEWORK_CALL(cudaMallocAsync(&device, 0, cudaStream_t{}));
}

}  // namespace contract
