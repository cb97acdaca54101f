// The text of a CUDA error.
#include "src/cuda/check.hpp"

#include <fmt/format.h>

#include <string_view>

namespace lanework::inline LANEWORK_ON_DEVICE {
namespace {

std::string_view project_relative(std::string_view file) {
    const auto at = file.rfind("/src/");
    return at == std::string_view::npos ? file : file.substr(at + 1);
}

std::string describe(cudaError_t code, const char* expression, const char* file, int line) {
    const std::string detail = failure_detail();
    return fmt::format("{}{}{} ({}): {} [{} at {}:{}]", detail, detail.empty() ? "" : " — ", cudaGetErrorName(code),
                       static_cast<int>(code), cudaGetErrorString(code), expression, project_relative(file), line);
}

}  // namespace

CudaError::CudaError(cudaError_t code, const char* expression, const char* file, int line)
    : DeviceError(describe(code, expression, file, line)), code_(code) {}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
