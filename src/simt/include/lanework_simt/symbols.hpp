// Copies to and from `__device__`, `__constant__` and `__managed__` variables. Here they are the host's variables, so a
// symbol is the variable itself and its size is its type's.
#pragma once

#include <lanework_simt/memory.hpp>

namespace lanework_simt {
namespace symbol_copies {
cudaError_t write(const void* symbol, size_t size, const void* from, size_t bytes, size_t offset, cudaMemcpyKind kind,
                  cudaStream_t stream);
cudaError_t read(const void* symbol, size_t size, void* to, size_t bytes, size_t offset, cudaMemcpyKind kind,
                 cudaStream_t stream);
cudaError_t address(void** pointer, const void* symbol, size_t size);
cudaError_t size(size_t* bytes, size_t size);
}  // namespace symbol_copies
inline namespace api {

template <class T>
cudaError_t cudaMemcpyToSymbol(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                               cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return symbol_copies::write((const void*)&symbol, sizeof symbol, from, bytes, offset, kind, 0);
}
template <class T>
cudaError_t cudaMemcpyToSymbolAsync(const T& symbol, const void* from, size_t bytes, size_t offset = 0,
                                    cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return symbol_copies::write((const void*)&symbol, sizeof symbol, from, bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaMemcpyFromSymbol(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                 cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return symbol_copies::read((const void*)&symbol, sizeof symbol, to, bytes, offset, kind, 0);
}
template <class T>
cudaError_t cudaMemcpyFromSymbolAsync(void* to, const T& symbol, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return symbol_copies::read((const void*)&symbol, sizeof symbol, to, bytes, offset, kind, stream);
}
template <class T>
cudaError_t cudaGetSymbolAddress(void** pointer, const T& symbol) {
    return symbol_copies::address(pointer, (const void*)&symbol, sizeof symbol);
}
template <class T>
cudaError_t cudaGetSymbolSize(size_t* bytes, const T& symbol) {
    return symbol_copies::size(bytes, sizeof symbol);
}

// A symbol by its address, as (const void*)&symbol: how large it is nobody knows.
inline cudaError_t cudaMemcpyToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset = 0,
                                      cudaMemcpyKind kind = cudaMemcpyHostToDevice) {
    return symbol_copies::write(symbol, offset + bytes, from, bytes, offset, kind, 0);
}
inline cudaError_t cudaMemcpyToSymbolAsync(const void* symbol, const void* from, size_t bytes, size_t offset = 0,
                                           cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0) {
    return symbol_copies::write(symbol, offset + bytes, from, bytes, offset, kind, stream);
}
inline cudaError_t cudaMemcpyFromSymbol(void* to, const void* symbol, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyDeviceToHost) {
    return symbol_copies::read(symbol, offset + bytes, to, bytes, offset, kind, 0);
}
inline cudaError_t cudaMemcpyFromSymbolAsync(void* to, const void* symbol, size_t bytes, size_t offset = 0,
                                             cudaMemcpyKind kind = cudaMemcpyDeviceToHost, cudaStream_t stream = 0) {
    return symbol_copies::read(symbol, offset + bytes, to, bytes, offset, kind, stream);
}
cudaError_t cudaGetSymbolAddress(void** pointer, const void* symbol) = delete;
cudaError_t cudaGetSymbolSize(size_t* bytes, const void* symbol) = delete;

}  // namespace api
}  // namespace lanework_simt
