// Small CUDA programs that tests write, and a place to run them in.
#pragma once

#include <string>
#include <vector>

#include "tests/cli/run.hpp"

namespace lanework {

/// What programs are compiled with: g++, and clang++ as well where everything is tested (LANEWORK_THOROUGH), or alone
/// where it is alone.
inline std::vector<std::string> compilers() {
    std::vector<std::string> here;
    for (const std::string name : {"g++", "clang++"})
        if ((here.empty() || LANEWORK_THOROUGH) && shell("command -v " + name).status == 0) here.push_back(name);
    return here;
}

/// Kernel and main in one file: the kernel gets `int* data`, 64 elements that the host cleared.
inline std::string program_with(const std::string& kernel, const std::string& launch = "kernel<<<2, 32>>>(data);") {
    return "#include <cstdio>\n" + kernel +
           "\nint main(int argc, char** argv) {\n"
           "    int* data;\n"
           "    cudaMalloc(&data, 64 * sizeof(int));\n"
           "    cudaMemset(data, 0, 64 * sizeof(int));\n    " +
           launch +
           "\n"
           "    const cudaError_t error = cudaDeviceSynchronize();\n"
           "    std::printf(\"%s\\n\", cudaGetErrorName(error));\n"
           "    cudaFree(data);\n"
           "    return argc > 1 ? std::atoi(argv[1]) : 0;\n"
           "}\n";
}

/// Two kernels that are launched without <<<>>> and write beyond their 64 elements.
inline std::string launched_by_address(const std::string& launch) {
    return program_with(
        "namespace kernels {\n"
        "template <class T, int N>\n"
        "__global__ void scale(T* data) { data[64 + threadIdx.x] = N; }\n"
        "}\n"
        "namespace {\n__global__ void shift(int* data, void (*)(int)) { data[64 + threadIdx.x] = 1; }\n}\n",
        "void* words[] = {&data, &data};\n" + launch);
}

inline const std::string kClean = "__global__ void kernel(int* data) { data[blockIdx.x * 32 + threadIdx.x] += 1; }";

/// Runs `lanework` with these words in this folder.
inline Said in(const Folder& folder, const std::string& words) {
    return shell("cd '" + folder.string() + "'\nlanework " + words);
}

}  // namespace lanework
