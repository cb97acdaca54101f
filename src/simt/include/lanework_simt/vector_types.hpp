// CUDA's built-in vector types, with the sizes and alignments that decide how wide a single access is, and dim3. Like
// CUDA's they are global: other libraries' headers declare them again, and a program's operators are found by them.
#pragma once

#include <lanework_simt/qualifiers.hpp>

#define __VECTOR_TYPES_H__  // programs ask by it whether CUDA's header was read

// Each line of the list below defines a type of 1, 2, 3 and 4 elements and its maker. The pair of numbers is the
// alignment in bytes of the 2- and the 4-element type; the others are aligned as their element.
#define LANEWORK_SIMT_VECTOR(name, element, align2, align4)                              \
    struct name##1 {                                                                     \
        element x;                                                                       \
    };                                                                                   \
    struct __align__(align2) name##2 {                                                   \
        element x, y;                                                                    \
    };                                                                                   \
    struct name##3 {                                                                     \
        element x, y, z;                                                                 \
    };                                                                                   \
    struct __align__(align4) name##4 {                                                   \
        element x, y, z, w;                                                              \
    };                                                                                   \
    inline name##1 make_##name##1(element x) { return {x}; }                             \
    inline name##2 make_##name##2(element x, element y) { return {x, y}; }               \
    inline name##3 make_##name##3(element x, element y, element z) { return {x, y, z}; } \
    inline name##4 make_##name##4(element x, element y, element z, element w) { return {x, y, z, w}; }

LANEWORK_SIMT_VECTOR(char, signed char, 2, 4)
LANEWORK_SIMT_VECTOR(uchar, unsigned char, 2, 4)
LANEWORK_SIMT_VECTOR(short, short, 4, 8)
LANEWORK_SIMT_VECTOR(ushort, unsigned short, 4, 8)
LANEWORK_SIMT_VECTOR(int, int, 8, 16)
LANEWORK_SIMT_VECTOR(uint, unsigned int, 8, 16)
LANEWORK_SIMT_VECTOR(long, long, 16, 16)
LANEWORK_SIMT_VECTOR(ulong, unsigned long, 16, 16)
LANEWORK_SIMT_VECTOR(longlong, long long, 16, 16)
LANEWORK_SIMT_VECTOR(ulonglong, unsigned long long, 16, 16)
LANEWORK_SIMT_VECTOR(float, float, 8, 16)
LANEWORK_SIMT_VECTOR(double, double, 16, 16)
#undef LANEWORK_SIMT_VECTOR

// The 32-byte types of CUDA 13 state their alignment in their name.
#define LANEWORK_SIMT_WIDE_VECTOR(name, element, align)                                               \
    struct __align__(align) name##4_##align##a {                                                      \
        element x, y, z, w;                                                                           \
    };                                                                                                \
    inline name##4_##align##a make_##name##4_##align##a(element x, element y, element z, element w) { \
        return {x, y, z, w};                                                                          \
    }

LANEWORK_SIMT_WIDE_VECTOR(long, long, 16)
LANEWORK_SIMT_WIDE_VECTOR(long, long, 32)
LANEWORK_SIMT_WIDE_VECTOR(ulong, unsigned long, 16)
LANEWORK_SIMT_WIDE_VECTOR(ulong, unsigned long, 32)
LANEWORK_SIMT_WIDE_VECTOR(longlong, long long, 16)
LANEWORK_SIMT_WIDE_VECTOR(longlong, long long, 32)
LANEWORK_SIMT_WIDE_VECTOR(ulonglong, unsigned long long, 16)
LANEWORK_SIMT_WIDE_VECTOR(ulonglong, unsigned long long, 32)
LANEWORK_SIMT_WIDE_VECTOR(double, double, 16)
LANEWORK_SIMT_WIDE_VECTOR(double, double, 32)
#undef LANEWORK_SIMT_WIDE_VECTOR

/// The extent of a grid or a block; what is not given is 1.
struct dim3 {
    unsigned int x, y, z;
    constexpr dim3(unsigned int x_ = 1, unsigned int y_ = 1, unsigned int z_ = 1) : x(x_), y(y_), z(z_) {}
    constexpr dim3(uint3 extent) : x(extent.x), y(extent.y), z(extent.z) {}
    constexpr operator uint3() const { return uint3{x, y, z}; }
};
