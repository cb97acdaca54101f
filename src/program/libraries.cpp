// The names of the libraries.
#include "src/program/libraries.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <lanework/error.hpp>

namespace lanework {
namespace {

constexpr std::string_view kOption = "-l";

/// Those whose headers are here: what the headers lack is refused where a program asks for it.
constexpr std::array<std::string_view, 11> kOwn = {"cudart", "cudart_static", "cudadevrt", "cuda",
                                                   "cublas", "cublas_static", "cublasLt",  "cublasLt_static",
                                                   "curand", "curand_static", "nvToolsExt"};

struct Missing {
    std::string_view name, what;
};
constexpr Missing kMissing[] = {
    {"nvrtc", "compilation at run time"},
    {"cufft", "cuFFT"},
    {"cusparse", "cuSPARSE"},
    {"cusolver", "cuSOLVER"},
    {"cudnn", "cuDNN"},
    {"nccl", "NCCL"},
    {"nvjpeg", "nvJPEG"},
    {"cutensor", "cuTENSOR"},
    {"cupti", "CUPTI"},
    {"nvidia-ml", "NVML"},
};

}  // namespace

bool is_device_library(std::string_view word) {
    if (!word.starts_with(kOption)) return false;
    const std::string_view name = word.substr(kOption.size());
    if (std::find(kOwn.begin(), kOwn.end(), name) != kOwn.end()) return true;
    for (const Missing& missing : kMissing)
        if (name == missing.name || name == fmt::format("{}_static", missing.name))
            throw UsageError(fmt::format("{}: the simt device has no {}", word, missing.what));
    if (name.starts_with("npp")) throw UsageError(fmt::format("{}: the simt device has no NPP", word));
    return false;
}

}  // namespace lanework
