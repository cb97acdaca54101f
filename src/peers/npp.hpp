// NPP, NVIDIA's image primitives, opened when it is first asked for: a program starts on machines that lack it, and is
// built where its headers are not. The few types of its interface are declared here, as versions 12 and 13 have them.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace lanework {

struct NppSize {
    int width, height;
};
struct NppPoint {
    int x, y;
};
struct NppRect {
    int x, y, width, height;
};
/// What NPP's functions take by value as their last argument.
struct NppStream {
    cudaStream_t stream;
    int device, multiprocessors, most_threads_of_multiprocessor, most_threads_of_block;
    std::size_t shared_memory_of_block;
    int capability_major, capability_minor;
    unsigned int flags;
    int reserved;
};
/// Its borders, masks and interpolations are enumerators, which travel as int.
inline constexpr int kNppReplicate = 2, kNppMirror = 4;
inline constexpr int kNppMask3x3 = 200;
inline constexpr int kNppLinear = 2;

/// The libraries that NPP comes in.
enum class NppPart : std::uint8_t {
    colours,   ///< libnppicc: conversion of colours
    filters,   ///< libnppif
    geometry,  ///< libnppig: resampling and warps
};

namespace detail {
void* npp_symbol(NppPart part, const char* name);
}
/// The function of this name, null where NPP or the function is missing; Function is a type like
/// int(const std::uint8_t*, int, …, NppStream), NPP's status its result.
template <class Function>
Function* npp_function(NppPart part, const char* name) {
    return reinterpret_cast<Function*>(detail::npp_symbol(part, name));
}
/// Why a function of NPP cannot be called, in one sentence; empty when it can.
std::string_view npp_refusal(NppPart part, const char* name);
/// The libraries' version, such as "NPP 13.0.3"; empty where there is none.
std::string_view npp_version();

/// The current device's stream in NPP's words. Attributes of a device are asked for once.
NppStream npp_stream(cudaStream_t stream);
/// Throws DeviceError where a call's status is an error (< 0); a positive one is a warning.
void check_npp(int status, const char* call);

}  // namespace lanework
