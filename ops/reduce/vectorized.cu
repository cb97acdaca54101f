// Memory is kept busy by bytes in flight. Loads of sixteen bytes, several per thread before the first is used, ask for
// many times as much at once. So many blocks as that takes must not wait for each other at one total: each leaves its
// sum, and a launch of one block adds the 16 384 sums that 2^28 floats leave. Per launch an element goes through 4
// roundings in its thread (5 at the ends), 3 among the values of a pack and 10 of the tree; a launch takes 2^14 floats
// to one, of which a tree would have 14.
#include "ops/reduce/passes.hpp"
#include "ops/reduce/vector_fold.hpp"
#include "ops/reduce/warp_fold.hpp"

namespace {
constexpr struct {
    int block = 1024;   // short-lived threads: a block reads 64 KiB and ends
    int in_flight = 4;  // 16-byte loads per thread
} kTuning;

template <ReduceForm form, class In, class Out>
__global__ void __launch_bounds__(kTuning.block) vectorized(const In* in, Out* out, std::int64_t n) {
    using T = Folded<form, In>;
    __shared__ T sums[kTuning.block / kWarp];
    const T sum = block_fold<form>(tile_fold<form, kTuning.in_flight>(in, n), sums);
    if (threadIdx.x == 0) write_folded(out + blockIdx.x, sum);
}

template <class T>
constexpr std::int64_t kPerBlock = std::int64_t{kTuning.block} * kTuning.in_flight* Pack<T>::kValues;

template <class T>
std::size_t workspace(const ReduceArgs<T>& a) {
    return static_cast<std::size_t>(partial_count(a.n, kPerBlock<T>)) * folded_bytes<T>(a.form);
}

template <ReduceForm form, class T>
void launch_form(const ReduceArgs<T>& a, cudaStream_t stream) {
    fold_in_passes<form>(a, kPerBlock<T>, static_cast<Folded<form, T>*>(a.workspace),
                         [=](const auto* in, auto* out, std::int64_t n, unsigned blocks) {
                             vectorized<form><<<blocks, kTuning.block, 0, stream>>>(in, out, n);
                         });
}
template <class T>
void launch(const ReduceArgs<T>& a, cudaStream_t stream) {
    with_every_form(a.form, [&](auto form) { launch_form<form.value>(a, stream); });
}
}  // namespace

LANEWORK_RUNG(
    reduce, vectorized,
    {
        .climbs_from = "warp_shuffle",
        .lesson = "16-byte loads, several in flight per thread: enough bytes on their way to fill the memory bus.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {workspace<std::int32_t>, workspace<float>, workspace<double>},
        .refuses = refuse_beyond_grid<kPerBlock<double>>,  // whose blocks take the fewest
        .fits = OneRow<reduce_signature>::fits,
        .only = kRowsTouch,
    });
