// CUDA's numbers of 8 bits for the simt device: e4m3 and e5m2, in ones, pairs and fours.
#pragma once

#include <lanework_simt/letters_aside.hpp>

#include <lanework_simt/float8.hpp>

namespace lanework_simt {
inline namespace api {

using __nv_fp8_storage_t = unsigned char;
using __nv_fp8x2_storage_t = unsigned short;
using __nv_fp8x4_storage_t = unsigned int;
enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE };
enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 };

using __nv_fp8_e4m3 = eighths::Eighth<eighths::E4M3>;
using __nv_fp8_e5m2 = eighths::Eighth<eighths::E5M2>;
using __nv_fp8x2_e4m3 = eighths::Pair<eighths::E4M3>;
using __nv_fp8x2_e5m2 = eighths::Pair<eighths::E5M2>;
using __nv_fp8x4_e4m3 = eighths::Four<eighths::E4M3>;
using __nv_fp8x4_e5m2 = eighths::Four<eighths::E5M2>;

inline __nv_fp8_storage_t __nv_cvt_double_to_fp8(double x, __nv_saturation_t saturate,
                                                 __nv_fp8_interpretation_t format) {
    const bool finite = saturate == __NV_SATFINITE;
    return format == __NV_E4M3 ? eighths::rounded<eighths::E4M3>(x, finite)
                               : eighths::rounded<eighths::E5M2>(x, finite);
}
inline __nv_fp8_storage_t __nv_cvt_float_to_fp8(float x, __nv_saturation_t saturate, __nv_fp8_interpretation_t format) {
    return __nv_cvt_double_to_fp8(eighths::as_double(x), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(__half_raw x, __nv_saturation_t saturate,
                                                  __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(__half(x), saturate, format);
}
inline __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(__nv_bfloat16_raw x, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
    return __nv_cvt_float_to_fp8(__nv_bfloat16(x), saturate, format);
}

// Pairs: x in the low byte.
inline __nv_fp8x2_storage_t __nv_cvt_double2_to_fp8x2(double2 pair, __nv_saturation_t saturate,
                                                      __nv_fp8_interpretation_t format) {
    return __nv_fp8x2_storage_t(__nv_cvt_double_to_fp8(pair.y, saturate, format) << 8 |
                                __nv_cvt_double_to_fp8(pair.x, saturate, format));
}
inline __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(float2 pair, __nv_saturation_t saturate,
                                                     __nv_fp8_interpretation_t format) {
    return __nv_cvt_double2_to_fp8x2(make_double2(eighths::as_double(pair.x), eighths::as_double(pair.y)), saturate,
                                     format);
}
inline __nv_fp8x2_storage_t __nv_cvt_halfraw2_to_fp8x2(__half2_raw pair, __nv_saturation_t saturate,
                                                       __nv_fp8_interpretation_t format) {
    return __nv_cvt_float2_to_fp8x2(__half22float2(__half2(pair)), saturate, format);
}
inline __nv_fp8x2_storage_t __nv_cvt_bfloat16raw2_to_fp8x2(__nv_bfloat162_raw pair, __nv_saturation_t saturate,
                                                           __nv_fp8_interpretation_t format) {
    return __nv_cvt_float2_to_fp8x2(__bfloat1622float2(__nv_bfloat162(pair)), saturate, format);
}

/// Exact: every number of 8 bits is one of 16.
inline __half_raw __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t x, __nv_fp8_interpretation_t format) {
    return __half(format == __NV_E4M3 ? eighths::widened<eighths::E4M3>(x) : eighths::widened<eighths::E5M2>(x));
}
inline __half2_raw __nv_cvt_fp8x2_to_halfraw2(__nv_fp8x2_storage_t x, __nv_fp8_interpretation_t format) {
    return {__nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(x), format).x,
            __nv_cvt_fp8_to_halfraw(__nv_fp8_storage_t(x >> 8), format).x};
}

}  // namespace api
}  // namespace lanework_simt

#include <lanework_simt/letters_back.hpp>
