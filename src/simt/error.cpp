// The last error of each host thread and the device's sticky one, as CUDA 13.0 keeps them on an H200: a failed kernel
// is the last error until a get clears it, and again after every later call.
#include <lanework_simt/error.hpp>

#include <atomic>
#include <mutex>

#include "src/simt/sticky.hpp"

namespace lanework_simt {

namespace {

struct LastError {
    cudaError_t code = cudaSuccess;
    std::string detail;
};
thread_local LastError last;

std::atomic<cudaError_t> sticky{cudaSuccess};
std::mutex sticky_mutex;
std::string sticky_detail;

}  // namespace

namespace engine {

void set_sticky(cudaError_t error, const std::string& detail) {
    {
        const std::lock_guard lock(sticky_mutex);
        if (sticky == cudaSuccess) {
            sticky_detail = detail;
            sticky = error;
        }
    }
    record(error);
}

}  // namespace engine

cudaError_t record(cudaError_t error) { return record(error, {}); }

cudaError_t record(cudaError_t error, std::string detail) {
    if (const cudaError_t stuck = sticky; stuck != cudaSuccess) error = stuck;
    if (error != cudaSuccess) last = {error, std::move(detail)};
    return error;
}

cudaError_t sticky_error() { return sticky; }

std::string failure_detail() {
    if (sticky != cudaSuccess) {
        const std::lock_guard lock(sticky_mutex);
        return sticky_detail;
    }
    return last.detail;
}

void clear_for_reset() {
    const std::lock_guard lock(sticky_mutex);
    sticky = cudaSuccess;
    sticky_detail.clear();
    last = {};
}

cudaError_t api::cudaGetLastError() {
    const cudaError_t error = last.code;
    last.code = cudaSuccess;  // the detail stays for whoever reports the error now
    return error;
}

cudaError_t api::cudaPeekAtLastError() { return last.code; }

}  // namespace lanework_simt
