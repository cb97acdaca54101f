// cuBLASLt for the simt device: its handles, which programs make beside those of cuBLAS. Its products, and all that
// describes them, are unknown by name.
#pragma once

#include <cublas_v2.h>

#include <lanework_simt/letters_aside.hpp>

namespace lanework_simt {
inline namespace api {

struct cublasLtContext;
using cublasLtHandle_t = cublasLtContext*;

cublasStatus_t cublasLtCreate(cublasLtHandle_t* handle);
cublasStatus_t cublasLtDestroy(cublasLtHandle_t handle);
size_t cublasLtGetVersion();

}  // namespace api
}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
