// The element types that operations are computed in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <lanework/half.hpp>
#include <lanework/narrow.hpp>
#include <string_view>

namespace lanework {

enum class DType : std::uint8_t {
    uint8,
    int16,
    uint16,
    int32,
    uint32,
    int64,
    uint64,
    float16,
    bfloat16,
    float32,
    float64,
    int8,
    float8_e4m3,
    tfloat32
};

/// Every type, in the order in which they are listed to a user.
inline constexpr DType kDTypes[] = {DType::uint8,   DType::int8,     DType::int16,       DType::uint16,
                                    DType::int32,   DType::uint32,   DType::int64,       DType::uint64,
                                    DType::float16, DType::bfloat16, DType::float8_e4m3, DType::tfloat32,
                                    DType::float32, DType::float64};

/// Bytes of one element.
constexpr std::size_t size_of(DType type) {
    switch (type) {
        case DType::uint8:
        case DType::int8:
        case DType::float8_e4m3: return 1;
        case DType::int16:
        case DType::uint16:
        case DType::float16:
        case DType::bfloat16: return 2;
        case DType::int32:
        case DType::uint32:
        case DType::tfloat32:
        case DType::float32: return 4;
        case DType::int64:
        case DType::uint64:
        case DType::float64: return 8;
    }
    return 0;
}

/// The name used by --dtype and in results files.
constexpr std::string_view name_of(DType type) {
    switch (type) {
        case DType::uint8: return "uint8";
        case DType::int16: return "int16";
        case DType::uint16: return "uint16";
        case DType::int32: return "int32";
        case DType::uint32: return "uint32";
        case DType::int64: return "int64";
        case DType::uint64: return "uint64";
        case DType::float16: return "float16";
        case DType::bfloat16: return "bfloat16";
        case DType::float32: return "float32";
        case DType::float64: return "float64";
        case DType::int8: return "int8";
        case DType::float8_e4m3: return "float8_e4m3";
        case DType::tfloat32: return "tfloat32";
    }
    return "unknown";
}

template <class T>
struct DTypeOf;
template <>
struct DTypeOf<std::uint8_t> {
    static constexpr DType value = DType::uint8;
};
template <>
struct DTypeOf<std::int16_t> {
    static constexpr DType value = DType::int16;
};
template <>
struct DTypeOf<std::uint16_t> {
    static constexpr DType value = DType::uint16;
};
template <>
struct DTypeOf<std::int32_t> {
    static constexpr DType value = DType::int32;
};
template <>
struct DTypeOf<std::uint32_t> {
    static constexpr DType value = DType::uint32;
};
template <>
struct DTypeOf<std::int64_t> {
    static constexpr DType value = DType::int64;
};
template <>
struct DTypeOf<std::uint64_t> {
    static constexpr DType value = DType::uint64;
};
template <>
struct DTypeOf<float16> {
    static constexpr DType value = DType::float16;
};
template <>
struct DTypeOf<bfloat16> {
    static constexpr DType value = DType::bfloat16;
};
template <>
struct DTypeOf<float> {
    static constexpr DType value = DType::float32;
};
template <>
struct DTypeOf<double> {
    static constexpr DType value = DType::float64;
};
template <>
struct DTypeOf<std::int8_t> {
    static constexpr DType value = DType::int8;
};
template <>
struct DTypeOf<float8_e4m3> {
    static constexpr DType value = DType::float8_e4m3;
};
template <>
struct DTypeOf<tfloat32> {
    static constexpr DType value = DType::tfloat32;
};

/// The DType of a C++ type.
template <class T>
inline constexpr DType dtype_of = DTypeOf<T>::value;

}  // namespace lanework
