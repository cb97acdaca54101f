// What programs are built with: the host compiler that is here, and the headers and the library of the simt device.
#pragma once

#include <filesystem>
#include <string>

namespace lanework {

enum class CompilerFamily { gnu, clang };

struct Toolchain {
    std::filesystem::path compiler;
    CompilerFamily family = CompilerFamily::gnu;
    /// What of the compiler decides about its output: its file, its size and its age.
    std::string identity;
    /// <cuda_runtime.h> and the like.
    std::filesystem::path headers;
    /// <lanework/half.hpp>, which they stand on.
    std::filesystem::path public_headers;
    /// NVIDIA's CCCL (Thrust, CUB, libcu++): the folder that LANEWORK_CCCL names, or the CUDA toolkit's; empty where
    /// there is none.
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

/// <cuda_runtime.h> and the like alone. Throws UnavailableError where they are not.
std::filesystem::path find_device_headers();

/// The file of a program by its name or path, as a shell finds it; empty where there is none.
std::filesystem::path find_program(const std::string& name);

/// A file's resolved path, size and time of change, as text.
std::string file_identity(const std::filesystem::path& file);

}  // namespace lanework
