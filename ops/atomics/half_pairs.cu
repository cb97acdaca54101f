// Two halves side by side are one word, which memory changes as a whole: atomicAdd of a pair adds to both, each by
// itself. A call on one cell adds −0 to the cell beside it, which leaves every number as it is: x + −0 = x, for −0 too.
#include "ops/atomics/ledger.hpp"

namespace {
/// The pair of halves of a type, and −0 beside a value.
template <class T>
struct Pair;
template <>
struct Pair<float16> {
    using Type = __half2;
    static __device__ Type of(__half low, __half high) { return __halves2half2(low, high); }
    static __device__ __half low(Type pair) { return __low2half(pair); }
    static __device__ __half high(Type pair) { return __high2half(pair); }
};
template <>
struct Pair<bfloat16> {
    using Type = __nv_bfloat162;
    static __device__ Type of(__nv_bfloat16 low, __nv_bfloat16 high) { return __halves2bfloat162(low, high); }
    static __device__ __nv_bfloat16 low(Type pair) { return __low2bfloat16(pair); }
    static __device__ __nv_bfloat16 high(Type pair) { return __high2bfloat16(pair); }
};

template <class T>
__global__ void half_pairs(T* cells, const T* values, T* olds, std::int64_t calls, std::int64_t per_cell,
                           std::int64_t count) {
    using P = Pair<T>;
    using Half = typename CudaType<T>::Type;
    const std::int64_t call = std::int64_t{blockIdx.x} * kBlock + threadIdx.x;
    if (call >= calls) return;
    const std::int64_t cell = call / per_cell;
    const Half value = as<Half>(values[call]), nothing = as<Half>(T{0x8000});
    if (cell + 1 == count && cell % 2 == 0) {  // the last of an odd number stands alone
        olds[call] = as<T>(atomicAdd(reinterpret_cast<Half*>(cells + cell), value));
        return;
    }
    auto* const pair = reinterpret_cast<typename P::Type*>(cells + (cell & ~std::int64_t{1}));
    const bool high = cell % 2 != 0;
    const typename P::Type old = atomicAdd(pair, high ? P::of(nothing, value) : P::of(value, nothing));
    olds[call] = as<T>(high ? P::high(old) : P::low(old));
}

template <class T>
void launch(const AtomicsArgs<T>& a, cudaStream_t stream) {
    account(a, stream, [&](T* olds) {
        half_pairs<<<static_cast<unsigned>(ceil_div(a.calls, kBlock)), kBlock, 0, stream>>>(
            a.final, a.values, olds, a.calls, a.per_cell, a.cells());
    });
}
}  // namespace

LANEWORK_RUNG(
    atomics, half_pairs,
    {
        .climbs_from = "device_scope",
        .lesson = "Two halves are one word: atomicAdd of a pair adds to both, and −0 leaves a neighbour alone.",
        .launch = {launch<float16>, launch<bfloat16>},
        .workspace = {olds_bytes<float16>, olds_bytes<bfloat16>},
        .refuses = refuse_call,
    });
