// A small sum is nothing but waiting: for the launch, for memory once, for the block once. So one block asks for all of
// it at one go, leaves the sums of its threads in shared memory, and one warp adds those after the only barrier. Code
// is kept short, and the block small where that is enough: where caches are cold, code comes from memory, too. An
// element goes through up to 8 roundings in its thread, 3 among the values of a pack, 31 of the warp's lanes and 5 of
// its tree; the longest of these paths need the most elements, and a tree of as many is allowed twice theirs.
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
/// Threads of the block, and 16-byte loads that each of them has in flight.
struct Shape {
    int block, in_flight;

    template <class T>
    constexpr int most() const {
        return block * in_flight * Pack<T>::kValues;
    }
};
constexpr Shape kSmall{.block = 256, .in_flight = 4}, kLarge{.block = 1024, .in_flight = 8};

template <int kBlock, int kInFlight, ReduceForm form, class In, class Out>
__global__ void __launch_bounds__(kBlock) one_block(const In* in, Out* out, int n) {
    using T = Folded<form, In>;
    __shared__ T of_threads[kBlock];
    const auto thread = static_cast<int>(threadIdx.x);
    of_threads[thread] = fold_at_once<form, kInFlight, kBlock>(in, n, thread);
    __syncthreads();
    if (thread >= kWarp) return;

    T all = of_threads[thread];
#pragma unroll
    for (int first = kWarp; first < kBlock; first += kWarp) all = fold<form>(all, of_threads[first + thread]);
    all = warp_fold<form>(all);
    if (thread == 0) write_folded(out, all);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_result<form>(a, [&](auto* out) {
        const auto n = static_cast<int>(a.n);
        if (n <= kSmall.most<T>())
            one_block<kSmall.block, kSmall.in_flight, form><<<1, kSmall.block, 0, stream>>>(a.in, out, n);
        else
            one_block<kLarge.block, kLarge.in_flight, form><<<1, kLarge.block, 0, stream>>>(a.in, out, n);
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}

std::string_view refuse_long(const Problem& p) {
    const std::int64_t n = p.lengths<ReduceAxes>().n;
    return n <= (p.dtype == DType::float64 ? kLarge.most<double>() : kLarge.most<float>())
               ? std::string_view()
               : "one block reads up to 128 KiB; more is read faster by many";
}
}  // namespace

LANEWORK_RUNG(
    reduce, one_block,
    {
        .climbs_from = "vectorized",
        .lesson = "A small sum is waiting, not work: one launch, all loads at once, one barrier, little code.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .refuses = refuse_long,
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
