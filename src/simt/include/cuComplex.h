// CUDA's complex numbers: pairs of floats and doubles.
#pragma once

#include <math.h>

#include <lanework_simt/vector_types.hpp>

namespace lanework_simt {
inline namespace api {

using cuFloatComplex = float2;
using cuDoubleComplex = double2;
using cuComplex = cuFloatComplex;

#define LANEWORK_SIMT_COMPLEX(type, real, c, f)                                                                     \
    LANEWORK_SIMT_BUILTIN type make_##type(real x, real y) { return {x, y}; }                                       \
    LANEWORK_SIMT_BUILTIN real cuCreal##f(type a) { return a.x; }                                                   \
    LANEWORK_SIMT_BUILTIN real cuCimag##f(type a) { return a.y; }                                                   \
    LANEWORK_SIMT_BUILTIN type cuConj##f(type a) { return {a.x, -a.y}; }                                            \
    LANEWORK_SIMT_BUILTIN type cuCadd##f(type a, type b) { return {a.x + b.x, a.y + b.y}; }                         \
    LANEWORK_SIMT_BUILTIN type cuCsub##f(type a, type b) { return {a.x - b.x, a.y - b.y}; }                         \
    LANEWORK_SIMT_BUILTIN type cuCmul##f(type a, type b) { return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x}; } \
    LANEWORK_SIMT_BUILTIN type cuCfma##f(type a, type b, type d) { return cuCadd##f(cuCmul##f(a, b), d); }          \
    /* Scaled, so that no part of a quotient in range overflows. */                                                 \
    LANEWORK_SIMT_BUILTIN type cuCdiv##f(type a, type b) {                                                          \
        const real scale = 1 / (fabs##c(b.x) + fabs##c(b.y));                                                       \
        const type p{a.x * scale, a.y * scale}, q{b.x * scale, b.y * scale};                                        \
        const real size = 1 / (q.x * q.x + q.y * q.y);                                                              \
        return {(p.x * q.x + p.y * q.y) * size, (p.y * q.x - p.x * q.y) * size};                                    \
    }                                                                                                               \
    LANEWORK_SIMT_BUILTIN real cuCabs##f(type a) { return hypot##c(a.x, a.y); }
LANEWORK_SIMT_COMPLEX(cuFloatComplex, float, f, f)
LANEWORK_SIMT_COMPLEX(cuDoubleComplex, double, , )
#undef LANEWORK_SIMT_COMPLEX
LANEWORK_SIMT_BUILTIN cuComplex make_cuComplex(float x, float y) { return {x, y}; }
LANEWORK_SIMT_BUILTIN cuFloatComplex cuComplexDoubleToFloat(cuDoubleComplex a) { return {float(a.x), float(a.y)}; }
LANEWORK_SIMT_BUILTIN cuDoubleComplex cuComplexFloatToDouble(cuFloatComplex a) { return {a.x, a.y}; }

}  // namespace api
}  // namespace lanework_simt

using namespace lanework_simt::api;  // NOLINT: CUDA's names are global
