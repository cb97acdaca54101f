// Checked CUDA calls: check(cudaMalloc(&p, n), "cudaMalloc(&p, n)") — by the macro LANEWORK_CHECK — throws a CudaError
// that carries the expression, file, line, code, name and text.
#pragma once

#include <cuda_runtime.h>

#include <lanework/error.hpp>
#include <lanework/on_device.hpp>
#include <string>

namespace lanework::inline LANEWORK_ON_DEVICE {

class CudaError : public DeviceError {
public:
    CudaError(cudaError_t code, const char* expression, const char* file, int line);

    cudaError_t code() const { return code_; }

private:
    cudaError_t code_;
};

/// Throws CudaError unless the code is cudaSuccess. The place is the caller's: a stand-in for std::source_location,
/// which clang 14 does not have.
inline void check(cudaError_t code, const char* expression, const char* file = __builtin_FILE(),
                  int line = __builtin_LINE()) {
    if (code != cudaSuccess) throw CudaError(code, expression, file, line);
}

/// What the device has to add to the error of a failed kernel: on simt the source line and the threads; else nothing.
std::string failure_detail();

}  // namespace lanework::inline LANEWORK_ON_DEVICE

#define LANEWORK_CHECK(expression) ::lanework::check((expression), #expression)
