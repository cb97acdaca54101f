// cuBLAS by dlopen, with the types of its own header.
#include "src/peers/cublas.hpp"

#include <cublas_v2.h>

#include <lanework/error.hpp>
#include <map>
#include <mutex>
#include <string>

#include "src/core/shared_library.hpp"
#include "src/cuda/check.hpp"

namespace lanework {
namespace {

constexpr const char* kNames[] = {"libcublas.so.13", "libcublas.so.12"};

/// The library's functions, under the types of its header.
struct Cublas {
    // Never closed: its handles live until the program ends, and the driver may be gone by then.
    const SharedLibrary& library = *new SharedLibrary(kNames);
    decltype(&cublasCreate_v2) create = library.function<decltype(&cublasCreate_v2)>("cublasCreate_v2");
    decltype(&cublasSetStream_v2) set_stream = library.function<decltype(&cublasSetStream_v2)>("cublasSetStream_v2");
    decltype(&cublasSgemm_v2) sgemm = library.function<decltype(&cublasSgemm_v2)>("cublasSgemm_v2");
    decltype(&cublasGetStatusString) status_string =
        library.function<decltype(&cublasGetStatusString)>("cublasGetStatusString");

    void check(cublasStatus_t status, const char* call) const {
        if (status != CUBLAS_STATUS_SUCCESS)
            throw DeviceError(std::string(call) + " failed: " + status_string(status) + " (" + std::to_string(status) +
                              ")");
    }
};

const Cublas& cublas() {
    static const Cublas instance;
    return instance;
}

/// The current device's handle, made on first use. A handle serves one thread at a time: `lock` is that of the caller.
cublasHandle_t handle_of_current_device(const std::lock_guard<std::mutex>&) {
    static std::map<int, cublasHandle_t> handles;
    int device = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    const auto found = handles.find(device);
    if (found != handles.end()) return found->second;
    cublasHandle_t handle = nullptr;
    cublas().check(cublas().create(&handle), "cublasCreate");
    return handles[device] = handle;
}

}  // namespace

std::string_view cublas_refusal() {
    const Cublas& blas = cublas();
    if (!blas.library) return "cuBLAS was not found: neither libcublas.so.13 nor libcublas.so.12 can be opened";
    if (!blas.create || !blas.set_stream || !blas.sgemm || !blas.status_string)
        return "the cuBLAS that was found lacks a function that is called here";
    return {};
}

void cublas_sgemm(const float* a, const float* b, float* c, std::int64_t m, std::int64_t n, std::int64_t k,
                  cudaStream_t stream) {
    static std::mutex mutex;
    const std::lock_guard lock(mutex);
    const Cublas& blas = cublas();
    const cublasHandle_t handle = handle_of_current_device(lock);
    const float one = 1, zero = 0;
    const int rows = static_cast<int>(m), inner = static_cast<int>(n), cols = static_cast<int>(k);
    blas.check(blas.set_stream(handle, stream), "cublasSetStream");
    // cuBLAS thinks in columns: a row-major matrix is to it the transpose. Cᵀ = Bᵀ·Aᵀ, so the operands change places.
    blas.check(blas.sgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, cols, rows, inner, &one, b, cols, a, inner, &zero, c, cols),
               "cublasSgemm");
}

}  // namespace lanework
