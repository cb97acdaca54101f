// A second launch need not wait for the first one's end to begin: its block is there, and has its code and its
// arguments, when the last of the sums is written (programmatic dependent launch). That leaves nothing of what a second
// launch costs but adding the sums. Elsewhere than on a GPU of compute capability 9.0 one follows the other. Per launch
// an element goes through 8 roundings in its thread (9 at the ends), 3 among the values of a pack and 9 of the tree; in
// the last through up to 8 in its thread and 10 of the tree.
#include "ops/reduce/passes.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"
#include "src/cuda/chained.hpp"

namespace {
constexpr struct {
    int block = 512;
    int in_flight = 8;              // 16-byte loads per thread
    int last_block = 1024;          // threads of the launch that adds what blocks have left
    std::int64_t most_left = 8192;  // values that it adds: more are passed on as the input was
} kTuning;

template <ReduceForm form, class In, class Out>
__global__ void __launch_bounds__(kTuning.block) fold_tiles(const In* in, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kTuning.block / kWarp];
    wait_for_previous();
    let_next_begin();
    const T sum = block_fold<form>(tile_fold<form, kTuning.in_flight>(in, n), sums);
    if (threadIdx.x == 0) write_folded(out + blockIdx.x, sum);
}

/// Of what blocks have left: little code, since it is fetched while nothing else is done.
template <ReduceForm form, class T, class Out>
__global__ void __launch_bounds__(kTuning.last_block) fold_left(const T* left, Out* out, std::int64_t n) {
    __shared__ T sums[kTuning.last_block / kWarp];
    wait_for_previous();
    T rest = of_none<form, T>();
    for (auto i = static_cast<int>(threadIdx.x); i < n; i += kTuning.last_block) rest = fold<form>(rest, left[i]);
    rest = block_fold<form>(rest, sums);
    if (threadIdx.x == 0) write_folded(out, rest);
}

template <class T>
constexpr std::int64_t kPerBlock = std::int64_t{kTuning.block} * kTuning.in_flight* Pack<T>::kValues;

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kPerBlock<T>)) * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    auto* const partial = static_cast<Folded<form, T>*>(a.workspace);
    fold_in_passes<form>(a, kPerBlock<T>, partial, [&](const auto* in, auto* out, std::int64_t n, unsigned blocks) {
        using In = std::remove_cvref_t<decltype(*in)>;
        using Out = std::remove_cvref_t<decltype(*out)>;
        if (static_cast<const void*>(in) == a.in)
            fold_tiles<form><<<blocks, kTuning.block, 0, stream>>>(in, out, n);
        else if constexpr (std::is_same_v<In, Folded<form, T>>) {
            if (n > kTuning.most_left)
                LANEWORK_CHAINED((fold_tiles<form, In, Out>), blocks, kTuning.block, stream, in, out, n);
            else
                LANEWORK_CHAINED((fold_left<form, In, Out>), 1, kTuning.last_block, stream, in, out, n);
        }
    });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(
    reduce, chained,
    {
        .climbs_from = "vectorized",
        .lesson = "The second launch is there before the first is done: it waits for sums, not for its start.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
        .refuses = refuse_beyond_grid<kPerBlock<double>>,  // whose blocks take the fewest
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
// mends: separate_launches
