// GELU of one element on a processor, in float.
#pragma once

#include "ops/gelu/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

inline float wide(float x) { return x; }
inline float wide(float16 x) { return to_float(x); }
inline float wide(bfloat16 x) { return to_float(x); }
inline void assign(float& to, float x) { to = x; }
inline void assign(float16& to, float x) { to = to_float16(x); }
inline void assign(bfloat16& to, float x) { to = to_bfloat16(x); }

/// Elements begin … end − 1 of a row.
template <class T>
void gelu_range(const GeluArgs<T>& a, std::int64_t row, std::int64_t begin, std::int64_t end) {
    const T* const in = a.in + row * a.in_pitch;
    T* const out = a.out + row * a.out_pitch;
    with_form(a.form, [&]<GeluForm form>() {
        for (std::int64_t i = begin; i < end; ++i) assign(out[i], gelu_of<form>(wide(in[i])));
    });
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
