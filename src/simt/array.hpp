// A CUDA array as the device keeps it.
#pragma once

#include <cstddef>
#include <lanework_simt/arrays.hpp>

struct cudaArray {
    std::byte* base;
    lanework_simt::cudaChannelFormatDesc format;
    /// As the program gave them: zeros where there is no such dimension.
    lanework_simt::cudaExtent given;
    unsigned flags;
    std::size_t element_bytes;
    /// In elements, rows and slices; never zero.
    std::size_t width, height, slices;

    std::size_t pitch() const { return width * element_bytes; }
    std::byte* row(std::size_t y, std::size_t z) const { return base + (z * height + y) * pitch(); }
};

namespace lanework_simt {

/// Bytes of an element of the format; 0 for a format that no array or texture has.
std::size_t element_bytes(const cudaChannelFormatDesc& format);
bool array_exists(const cudaArray* array);
/// cudaDeviceReset's part; the memory is freed with everything else.
void forget_arrays();

}  // namespace lanework_simt
