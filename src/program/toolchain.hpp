// What programs are built with: the host compiler that is here, and the headers and the library of the simt device.
#pragma once

#include <filesystem>
#include <string>

namespace lanework {

enum class CompilerFamily { gnu, clang };

/// What brings a CCCL that everything was tried with.
inline constexpr const char* kCcclPackage = "`pip install nvidia-cuda-cccl==13.0.85`";

struct Toolchain {
    std::filesystem::path compiler;
    CompilerFamily family = CompilerFamily::gnu;
    /// What of the compiler decides about its output: its file, its size and its age.
    std::string identity;
    /// <cuda_runtime.h> and the like.
    std::filesystem::path headers;
    /// <lanework/half.hpp>, which they stand on.
    std::filesystem::path public_headers;
    /// NVIDIA's CCCL (Thrust, CUB, libcu++) and nothing else: the folder that LANEWORK_CCCL names, or that of a CUDA
    /// toolkit or of Python's packages; empty where there is none that programs can be built with.
    std::filesystem::path cccl;
    /// liblanework_simt.so.
    std::filesystem::path library;
    std::string library_identity;
};

/// The compiler `wanted`, or else $CXX, g++ or clang++, the first that is there; the rest from where this program is:
/// in its build folder, or where it was installed. Throws UnavailableError that names what is missing.
Toolchain find_toolchain(const std::string& wanted = {});

/// The folder of ops/ and src/, which rungs are compiled from: the project's, or what was installed of it; empty where
/// neither is here.
std::filesystem::path find_sources();

/// The folder, if it is a CCCL that programs can be built with and nothing else; else empty.
std::filesystem::path cccl_in(const std::filesystem::path& folder);

/// Of Toolchain::cccl: "3.0.1 in /usr/local/cuda/include/cccl", what does not work with it, or what brings one.
std::string describe_cccl(const std::filesystem::path& cccl);

/// <cuda_runtime.h> and the like alone. Throws UnavailableError where they are not.
std::filesystem::path find_device_headers();

/// The file of a program by its name or path, as a shell finds it; empty where there is none.
std::filesystem::path find_program(const std::string& name);

/// A file's resolved path, size and time of change, as text.
std::string file_identity(const std::filesystem::path& file);

}  // namespace lanework
