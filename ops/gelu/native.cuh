// The device's own types for the elements, and how packs of them become floats. All arithmetic is done in float: half
// precision is a way to move numbers.
#pragma once

#include <cuda_bf16.h>
#include <cuda_fp16.h>

#include "ops/gelu/operation.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

template <class T>
struct NativeOf;
template <>
struct NativeOf<float> {
    using One = float;
    using Two = float2;
};
template <>
struct NativeOf<float16> {
    using One = __half;
    using Two = __half2;
};
template <>
struct NativeOf<bfloat16> {
    using One = __nv_bfloat16;
    using Two = __nv_bfloat162;
};
/// The type by which the device knows an element.
template <class T>
using Native = typename NativeOf<T>::One;

template <class T>
const Native<T>* native(const T* elements) {
    static_assert(sizeof(T) == sizeof(Native<T>));
    return reinterpret_cast<const Native<T>*>(elements);
}
template <class T>
Native<T>* native(T* elements) {
    return reinterpret_cast<Native<T>*>(elements);
}

__device__ inline float2 widen(float2 pair) { return pair; }
__device__ inline float2 widen(__half2 pair) { return __half22float2(pair); }
__device__ inline float2 widen(__nv_bfloat162 pair) { return __bfloat1622float2(pair); }

__device__ inline void narrow(float2 pair, float2& to) { to = pair; }
__device__ inline void narrow(float2 pair, __half2& to) { to = __float22half2_rn(pair); }
__device__ inline void narrow(float2 pair, __nv_bfloat162& to) { to = __float22bfloat162_rn(pair); }

}  // namespace lanework::inline LANEWORK_ON_DEVICE
