// What a program asks of its errors. The device's own side of them is in error.hpp, whose names programs do not see.
#pragma once

#include <lanework_simt/error_codes.hpp>

namespace lanework_simt {
inline namespace api {

/// CUDA's __trap(): fails the kernel with cudaErrorLaunchFailure.
[[noreturn]] void __trap();

/// The last error of this host thread, which is cudaSuccess from then on.
cudaError_t cudaGetLastError();
/// The same, and it stays.
cudaError_t cudaPeekAtLastError();

}  // namespace api
}  // namespace lanework_simt
