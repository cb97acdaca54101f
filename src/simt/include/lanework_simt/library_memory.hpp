// Memory for a library whose algorithms run on the host here, and on the device on a GPU.
#pragma once

#include <cstddef>
#include <lanework_simt/memory.hpp>

namespace lanework_simt {
inline namespace api {

/// Memory of the current device, for programs like cudaMalloc's, in bytes; cudaFree gives it back. What host code
/// writes there counts as written, and waits for nothing: on a GPU a kernel of the library's writes it.
cudaError_t allocate_for_library(void** pointer, std::size_t bytes);

}  // namespace api
}  // namespace lanework_simt
