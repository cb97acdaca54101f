// What every function of cuBLAS begins and ends with: a handle that exists, factors that the host or the device has, a
// turn in the handle's stream, and a status.
#pragma once

#include <cublas_v2.h>

#include <lanework_simt/error.hpp>
#include <string>
#include <tuple>

#include "src/simt/library_turn.hpp"

namespace lanework_simt {
inline namespace api {

struct cublasContext {
    cudaStream_t stream = nullptr;
    cublasPointerMode_t pointers = CUBLAS_POINTER_MODE_HOST;
};

}  // namespace api

/// Whether cublasCreate made it and cublasDestroy has not ended it.
bool is_blas_handle(cublasHandle_t handle);

inline cublasStatus_t status_of(bool good) { return good ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_INVALID_VALUE; }
inline cublasStatus_t status_of(cublasStatus_t status) { return status; }

/// A function that is called with a handle; its name is that of the function which makes this.
struct BlasCall {
    BlasCall(cublasHandle_t its_handle, const char* its_function = __builtin_FUNCTION())
        : handle(its_handle), function(its_function) {}
    cublasHandle_t handle;
    const char* function;

    cublasStatus_t refusal() const {
        if (!is_blas_handle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
        return sticky_error() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
    }
    /// The numbers that it is given and gives by their address are the host's.
    bool numbers_of_host() const { return handle->pointers == CUBLAS_POINTER_MODE_HOST; }
};

/// Does what a function does with a handle alone, which returns whether its arguments are valid, unless a kernel has
/// failed.
template <class Work>
cublasStatus_t with(const BlasCall& call, const Work& work) {
    const cublasStatus_t refusal = call.refusal();
    return refusal == CUBLAS_STATUS_SUCCESS ? status_of(work()) : refusal;
}

/// A factor that a function is given by its address: the host's is what it is when the function is called, the device's
/// what it is when the work begins.
template <class T>
class Factor {
public:
    Factor(const BlasCall& call, const T* factor)
        : of_host_(call.numbers_of_host() ? *factor : T{}), of_device_(call.numbers_of_host() ? nullptr : factor) {}
    T value() const {
        if (!of_device_) return of_host_;
        note_read(StridedBytes::of(of_device_, 1));
        return *of_device_;
    }

private:
    T of_host_;
    const T* of_device_;
};

/// Does a function's work on the device, of its factors' values, at its turn in the handle's stream. It returns whether
/// the function's arguments are valid, or a status, and holds everything that it needs.
template <class Work, class... T>
cublasStatus_t compute(const BlasCall& call, const Work& work, const T*... factors) {
    if (const cublasStatus_t refusal = call.refusal(); refusal != CUBLAS_STATUS_SUCCESS) return refusal;
    if ((!factors || ...)) return CUBLAS_STATUS_INVALID_VALUE;
    return at_turn({.name = call.function, .stream = call.handle->stream},
                   [work, all = std::tuple(Factor(call, factors)...)] {
                       return status_of(std::apply([&](const auto&... each) { return work(each.value()...); }, all));
                   });
}

/// The same of work that returns a number, for which the host waits where it is the host's: then it cannot be captured.
template <class Work, class T>
cublasStatus_t compute_number(T* result, const BlasCall& call, const Work& work) {
    if (const cublasStatus_t refusal = call.refusal(); refusal != CUBLAS_STATUS_SUCCESS) return refusal;
    if (result == nullptr) return CUBLAS_STATUS_INVALID_VALUE;
    const bool to_host = call.numbers_of_host();
    if (to_host && capturing(call.handle->stream)) {
        record(refuse_to_wait(call.handle->stream),
               std::string(call.function) +
                   " returns its result to the host, which a stream that is captured cannot; " +
                   "CUBLAS_POINTER_MODE_DEVICE leaves it on the device");
        return CUBLAS_STATUS_NOT_SUPPORTED;
    }
    return at_turn({.name = call.function, .stream = call.handle->stream, .host_waits = to_host}, [=] {
        const T value = work();
        to_host ? note_written_by_host(StridedBytes::of(result, 1)) : note_written(StridedBytes::of(result, 1));
        *result = value;
        return CUBLAS_STATUS_SUCCESS;
    });
}

}  // namespace lanework_simt
