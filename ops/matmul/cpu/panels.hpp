// A product on a processor is cut into blocks of C, which a team shares out. What multiplies a block, for one kind of
// processor, is a rung's.
#pragma once

#include <omp.h>

#include <algorithm>
#include <atomic>

#include "ops/matmul/cpu/finish.hpp"
#include "ops/matmul/operation.hpp"
#include "src/core/host.hpp"
#include "src/cpu/helpers.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A length in the fewest parts of at most `most`, which differ by one at most.
struct Parts {
    std::int64_t length, count;
    Parts(std::int64_t of, std::int64_t most) : length(of), count(ceil_div(of, most)) {}
    std::int64_t begin(std::int64_t part) const { return part * (length / count) + std::min(part, length % count); }
    std::int64_t end(std::int64_t part) const { return begin(part + 1); }
};

/// A block of C that one thread computes: rows [row_begin, row_end), the columns of panels [panel_begin, panel_end).
struct TileBlock {
    std::int64_t row_begin, row_end, panel_begin, panel_end;
};

/// Columns of A and rows of B.
struct Depth {
    std::int64_t begin, end;
};

/// The product whose sums the blocks write: C's own, or in a workspace where C is narrower.
template <class T>
struct Sums {
    SumOf<T>* c;
    std::int64_t pitch;  ///< elements from a row to the next
};

/// What a rung multiplies blocks by.
template <class T>
struct PanelKernels {
    std::int64_t rows;         ///< of a tile at most
    std::int64_t width;        ///< columns of a tile and of a panel
    std::int64_t panel_bytes;  ///< that a packed panel takes at most, whole cache lines
    /// `packed` has room for the block's panels, from a cache line on.
    void (*multiply)(const MatmulArgs<T>&, const Sums<T>&, const TileBlock&, std::byte* packed);
};

inline constexpr std::int64_t kWorthATeam = 1 << 21;  // fewer multiplications are done sooner than threads wake up

/// Panels that a thread packs at a time: half of the second cache.
inline std::int64_t panels_at_a_time(std::int64_t panel_bytes) {
    constexpr std::int64_t kUnknown = 1 << 20;  // what most servers have
    static const auto known = static_cast<std::int64_t>(cpu_caches().l2);
    return std::max<std::int64_t>(4, (known > 0 ? known : kUnknown) / 2 / panel_bytes);
}

/// Threads that there is workspace for.
inline int most_threads() {
    static const int most = std::max(omp_get_num_procs(), omp_get_max_threads());
    return most;
}

/// Of so many multiplications, which may be more than 2^63.
template <class T>
int threads_worth(const MatmulArgs<T>& x, int most) {
    std::int64_t products = 0;
    const bool many = __builtin_mul_overflow(x.m, x.n, &products) || __builtin_mul_overflow(products, x.k, &products);
    return !many && products < kWorthATeam ? 1 : std::clamp(most, 1, most_threads());
}

/// Whether the sums stay in the workspace until all are there: C is narrower, or what it holds is still to be added.
template <class T>
bool keeps_sums_apart(const MatmulArgs<T>& x) {
    return !std::is_same_v<Result<T>, SumOf<T>> || x.finish.beta != SumOf<T>{0};
}

/// Bytes of those sums, whole cache lines.
template <class T>
std::size_t sums_bytes(const MatmulArgs<T>& x) {
    constexpr std::size_t kLine = 64;
    if (!keeps_sums_apart(x)) return 0;
    return (static_cast<std::size_t>(x.m * x.k) * sizeof(SumOf<T>) + kLine - 1) / kLine * kLine;
}

/// Bytes of workspace.
template <class T>
std::size_t workspace_of_panels(const MatmulArgs<T>& x, const PanelKernels<T>& kernels) {
    const std::int64_t packed = panels_at_a_time(kernels.panel_bytes) * kernels.panel_bytes;
    return sums_bytes(x) + static_cast<std::size_t>(threads_worth(x, most_threads()) * packed);
}

/// How C is cut into blocks, at least one for each thread: rather into columns, since each block packs its part of B,
/// and only copies A; but not into narrow ones, nor into so high ones that a late thread holds up the others.
struct Blocks {
    Parts across, down;

    static Blocks of(std::int64_t m, std::int64_t panels, std::int64_t rows, std::int64_t most_panels, int threads) {
        constexpr std::int64_t kNarrow = 8, kHigh = 2048;
        const std::int64_t columns = std::clamp<std::int64_t>(panels / kNarrow, 1, threads);
        const Parts across(panels, std::min(most_panels, ceil_div(panels, columns)));
        const std::int64_t strips = ceil_div(std::int64_t{threads}, across.count);
        return {across, Parts(m, std::clamp(ceil_div(m, strips), rows, kHigh))};
    }
};

/// Where the sums go.
template <class T>
Sums<T> sums_of(const MatmulArgs<T>& x) {
    if constexpr (std::is_same_v<Result<T>, SumOf<T>>)
        if (!keeps_sums_apart(x)) return {x.c, x.c_pitch};
    return {static_cast<SumOf<T>*>(x.workspace), x.k};
}

/// Writes what the epilogue makes of the sums of rows and columns that are there, while the cache has them.
template <class T>
void finish_rows(const MatmulArgs<T>& x, const Sums<T>& sums, std::int64_t row_begin, std::int64_t row_end,
                 std::int64_t col_begin, std::int64_t col_end) {
    for (std::int64_t row = row_begin; row < row_end; ++row)
        for (std::int64_t col = col_begin; col < col_end; ++col)
            x.c[row * x.c_pitch + col] = finished_on_host(x.finish, sums.c[row * sums.pitch + col], row, col);
}

template <class T>
void narrow(const MatmulArgs<T>& x, const SumOf<T>* sums, int threads) {
    const Parts rows(x.m, std::max<std::int64_t>(1, ceil_div(x.m, std::int64_t{threads})));
    share_out(threads, static_cast<std::uint32_t>(rows.count), [&](std::int64_t share) {
        for (std::int64_t row = rows.begin(share); row < rows.end(share); ++row)
            for (std::int64_t col = 0; col < x.k; ++col)
                x.c[row * x.c_pitch + col] = narrowed<Result<T>>(sums[row * x.k + col]);
    });
}

/// The product, in blocks that the team shares out.
template <class T>
void multiply_by_panels(const MatmulArgs<T>& x, Team team, const PanelKernels<T>& kernels) {
    if (x.empty()) return;
    if (x.n == 0) {
        for (std::int64_t row = 0; row < x.m; ++row)
            for (std::int64_t col = 0; col < x.k; ++col)
                x.c[row * x.c_pitch + col] = finished_on_host(x.finish, SumOf<T>{}, row, col);
        return;
    }
    const Sums<T> sums = sums_of(x);
    const bool plain = x.finish.plain();
    std::byte* const room = static_cast<std::byte*>(x.workspace) + sums_bytes(x);
    const int threads = threads_worth(x, team.threads);
    const std::int64_t most_panels = panels_at_a_time(kernels.panel_bytes);
    const Blocks blocks_of = Blocks::of(x.m, ceil_div(x.k, kernels.width), kernels.rows, most_panels, threads);
    const Parts &across = blocks_of.across, &down = blocks_of.down;  // clang 14 captures no structured bindings
    const auto multiply_block = [&](std::int64_t index, std::int64_t place) {
        const std::int64_t group = index / down.count, strip = index % down.count;
        std::byte* const packed = room + place * most_panels * kernels.panel_bytes;
        kernels.multiply(x, sums, {down.begin(strip), down.end(strip), across.begin(group), across.end(group)}, packed);
        if (!plain)
            finish_rows(x, sums, down.begin(strip), down.end(strip), across.begin(group) * kernels.width,
                        std::min(x.k, across.end(group) * kernels.width));
    };
    const std::int64_t blocks = across.count * down.count;
    if (threads == 1) {
        for (std::int64_t block = 0; block < blocks; ++block) multiply_block(block, 0);
    } else {
        std::atomic<std::int64_t> next{0};
        share_out(threads, static_cast<std::uint32_t>(threads),
                  [&](std::int64_t share) {  // each packs in a place of its own
                      for (std::int64_t block; (block = next.fetch_add(1)) < blocks;) multiply_block(block, share);
                  });
    }
    if (plain && keeps_sums_apart(x)) narrow(x, sums.c, threads);
}
}  // namespace lanework::inline LANEWORK_ON_DEVICE
