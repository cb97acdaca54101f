// The tree of the GPU's rung of the same name, walked by threads of a processor: the same bits as on every GPU, however
// many threads there are. Its leaves lie side by side in memory, so that vectors add them.
#include "ops/reduce/fixed_tree.hpp"
#include "src/cpu/share.hpp"

namespace {
constexpr std::int64_t kWorthATeam = 1 << 16;  // fewer elements are summed sooner than threads wake up
constexpr int kWarp = 32, kWarps = kFixedThreads / kWarp;

/// The sum of 32 lanes as shuffles make it.
template <class T>
T warp_sum(T* lanes) {
    for (int offset = kWarp / 2; offset > 0; offset /= 2)
        for (int lane = 0; lane < offset; ++lane) lanes[lane] = plus(lanes[lane], lanes[lane + offset]);
    return lanes[0];
}

/// Values in rows of `cols`, `pitch` from one to the next.
template <class T>
struct Values {
    const T* from;
    std::int64_t cols, pitch;
};

/// One block's sum of n ≤ kFixedBlock values from the first-th on. What a GPU adds beyond the end is +0, which changes
/// nothing here: no sum that begins with +0 is −0.
template <class T>
T block_sum(const Values<T>& in, std::int64_t first, std::int64_t n) {
    constexpr int kRow = kFixedThreads * kFixedValues<T>;
    T totals[kRow] = {}, threads[kFixedThreads], warps[kWarp] = {};
    for (; n > 0; first += kRow, n -= kRow) {
        T* total = totals;
        const Share share{first, first + std::min<std::int64_t>(n, kRow)};
        for_each_stretch(share, in.cols, [&](std::int64_t row, std::int64_t begin, std::int64_t end) {
            const T* const from = in.from + row * in.pitch + begin;
            for (std::int64_t i = 0; i < end - begin; ++i) total[i] = plus(total[i], from[i]);
            total += end - begin;
        });
    }
    for (int t = 0; t < kFixedThreads; ++t) {
        threads[t] = T{};
        for (int k = 0; k < kFixedValues<T>; ++k) threads[t] = plus(threads[t], totals[t * kFixedValues<T> + k]);
    }
    for (int warp = 0; warp < kWarps; ++warp) warps[warp] = warp_sum(threads + warp * kWarp);
    return warp_sum(warps);
}

template <class T>
void launch(const ReduceArgs<T>& a, Team team) {
    const auto pass = [&](const T* in, T* out, std::int64_t n, unsigned blocks) {
        const int threads = n < kWorthATeam ? 1 : team.threads;
        const Values<T> values = in == a.in ? Values<T>{in, a.cols, a.pitch} : Values<T>{in, n, n};
#pragma omp parallel for num_threads(threads) schedule(static)
        for (std::int64_t block = 0; block < std::int64_t{blocks}; ++block) {
            const std::int64_t begin = block * kFixedBlock<T>, rest = n - begin;
            out[block] = block_sum(values, begin, rest < kFixedBlock<T> ? rest : kFixedBlock<T>);
        }
    };
    in_passes(a, kFixedBlock<T>, static_cast<T*>(a.workspace), pass);
}
}  // namespace

LANEWORK_RUNG(
    reduce, reproducible,
    {
        .climbs_from = "serial",
        .lesson = "The GPU's fixed tree on a processor: the same bits everywhere, with any number of threads.",
        .launch = {launch<std::int32_t>, launch<float>, launch<double>},
        .workspace = {fixed_tree_bytes<std::int32_t>, fixed_tree_bytes<float>, fixed_tree_bytes<double>},
        .refuses = refuse_beyond_grid<kFixedBlock<double>, refuse_other_forms>,
    });
