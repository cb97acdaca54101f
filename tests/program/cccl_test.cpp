// What CCCL's headers ask of the driver and of PTX is answered by the simt device. The CCCL here is a stand-in that has
// what these answers include.
#include "tests/program/programs.hpp"

namespace lanework {
namespace {

class AnswersToCccl : public ::testing::Test {
protected:
    AnswersToCccl() {
        shell("cd '" + folder_.string() +
              "'; mkdir -p cccl/thrust cccl/cub cccl/nv cccl/cuda/std/detail cccl/cuda/std/__exception "
              "cccl/cuda/std/__cccl cccl/cuda/std/__bit");
        folder_.write("cccl/cub/version.cuh", "#define CUB_VERSION 300300\n");
        folder_.write("cccl/cuda/std/detail/__config",
                      "#pragma once\n"
                      "#define _CCCL_BEGIN_NAMESPACE_CUDA_DRIVER namespace cuda::__driver {\n"
                      "#define _CCCL_END_NAMESPACE_CUDA_DRIVER }\n"
                      "#define _CCCL_BEGIN_NAMESPACE_CUDA_PTX namespace cuda::ptx {\n"
                      "#define _CCCL_END_NAMESPACE_CUDA_PTX }\n");
        folder_.write(
            "cccl/cuda/std/__exception/cuda_error.h",
            "#pragma once\nnamespace cuda {\nstruct cuda_error {\n    cudaError_t status;\n    const char* what;\n"
            "    cuda_error(cudaError_t a, const char* b) : status(a), what(b) {}\n};\n}\n");
        folder_.write(
            "cccl/cuda/std/__bit/bit_cast.h",
            "#pragma once\nnamespace cuda::std {\n"
            "template <class To, class From>\nTo bit_cast(From a) { return __builtin_bit_cast(To, a); }\n}\n");
        folder_.write("cccl/cuda/std/cstdint",
                      "#pragma once\nnamespace cuda::std { using uint32_t = unsigned int; }\n");
        for (const char* empty : {"prologue.h", "epilogue.h"})
            folder_.write(std::string("cccl/cuda/std/__cccl/") + empty, "\n");
    }

    /// What the program prints, run with the options.
    Said run(const std::string& program, const std::string& options = "") const {
        folder_.write("a.cu", program);
        return shell("cd '" + folder_.string() + "'; LANEWORK_CCCL=cccl lanework run a.cu " + options);
    }

    const Folder folder_;
};

TEST_F(AnswersToCccl, AStreamHasADeviceAndAContextThatIsPushedAndPopped) {
    const Said said =
        run("#include <cuda/__driver/driver_api.h>\n#include <cstdio>\nnamespace driver = cuda::__driver;\n"
            "int current() {\n    int device = -1;\n    cudaGetDevice(&device);\n    return device;\n}\n"
            "int main() {\n"
            "    cudaSetDevice(1);\n    cudaStream_t second = "
            "driver::__streamCreateWithPriority(cudaStreamNonBlocking, 0);\n"
            "    cudaSetDevice(0);\n"
            "    std::printf(\"%d %d \", driver::__streamGetDevice(nullptr), driver::__streamGetDevice(second));\n"
            "    driver::__ctxPush(driver::__streamGetCtx(second));\n    std::printf(\"%d \", current());\n"
            "    driver::__ctxPush(driver::__primaryCtxRetain(0));\n    std::printf(\"%d \", current());\n"
            "    driver::__ctxPop();\n    std::printf(\"%d \", current());\n"
            "    const CUcontext popped = driver::__ctxPop();\n"
            "    std::printf(\"%d %d\\n\", current(), popped == driver::__streamGetCtx(second));\n"
            "    driver::__streamDestroyNoThrow(second);\n"
            "    try {\n        driver::__streamGetDevice(second);\n    } catch (const cuda::cuda_error& error) {\n"
            "        std::printf(\"%s: %s\\n\", error.what, cudaGetErrorName(error.status));\n    }\n"
            "    try {\n        driver::__ctxPop();\n    } catch (const cuda::cuda_error& error) {\n"
            "        std::printf(\"%s\\n\", error.what);\n    }\n}\n",
            "--devices 2");
    EXPECT_EQ(said.out, "0 1 1 0 1 0 1\ncudaStreamGetDevice: cudaErrorInvalidResourceHandle\nno context was pushed\n")
        << said.err;
}

TEST_F(AnswersToCccl, LanesExchangeValuesByPtxWithinTheirSegment) {
    const Said said =
        run("#include <cuda/__ptx/instructions/shfl_sync.h>\n#include <cstdio>\n"
            "__global__ void kernel(float* values, int* inside) {\n    bool is_inside;\n"
            "    const float mine = 0.5f * threadIdx.x;\n"
            "    values[threadIdx.x] = cuda::ptx::shfl_sync_up(mine, is_inside, 3, 0x1800, ~0u);\n"
            "    inside[threadIdx.x] = is_inside;\n"
            "    values[32 + threadIdx.x] = cuda::ptx::shfl_sync_bfly(mine, 1, 0x1f, ~0u);\n}\n"
            "int main() {\n    float* values;\n    int* inside;\n    cudaMallocManaged(&values, 64 * 4);\n"
            "    cudaMallocManaged(&inside, 32 * 4);\n    kernel<<<1, 32>>>(values, inside);\n"
            "    cudaDeviceSynchronize();\n    for (int i : {1, 3, 9, 12, 36, 37}) std::printf(\"%g \", values[i]);\n"
            "    std::printf(\"%d %d %d\\n\", inside[1], inside[3], inside[9]);\n}\n");
    EXPECT_EQ(said.out, "0.5 0 4.5 4.5 2.5 2 0 1 0\n") << said.err;
}

}  // namespace
}  // namespace lanework
