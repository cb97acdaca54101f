// Where only multiply-adds are left, it matters which registers they read, and in which order: registers are in two
// banks, and one operand is kept for the next multiply-add. Copies of tiles take no instruction at all, and the last
// tiles are shared out evenly (Stream-K).
// architectures: 90a-real
#include <algorithm>
#include <limits>

#include "ops/matmul/aligned_rows.cuh"
#include "ops/matmul/by_columns.cuh"
#include "ops/matmul/quad_tile.hpp"
#include "ops/matmul/shared_steps.hpp"

namespace {
#if LANEWORK_HAS_WARPGROUPS
constexpr int kSide = SharedSteps::kSide, kDepth = SharedSteps::kDepth, kBlocks = SharedSteps::kBlocks;
constexpr int kThreads = 128;         // four warps, two above two, 64 rows and columns each
constexpr int kRows = 16, kCols = 8;  // elements of C of a thread, in quads 16 rows and 32 columns apart
constexpr int kQuads = kRows * kCols / 4;
constexpr int kTermsAtOnce = 8;  // more are too much code for the instruction cache
constexpr int kStages = 3;

template <class T>
struct alignas(kAlignment) Shared {
    /// What TMA brings, and at a tile's end the sums: each thread's quads are its own.
    union {
        struct {
            T a[kDepth][kSide], b[kDepth][kSide];
        } step[kStages];
        Quad<T> sums[kQuads][kThreads];
    };
    Mbarrier full[kStages];
    Mbarrier empty[kStages];  // each warp has read it
    int arrived;
};

/// What the launch needs beside operands in rows: parts of sums, and for each tile that is shared how many have come.
template <class T>
struct Parts {
    Quad<T>* sums;
    int* arrived;

    Parts(const SharedSteps& shares, void* at)
        : sums(static_cast<Quad<T>*>(at)), arrived(reinterpret_cast<int*>(sums + shares.parts() * kQuads * kThreads)) {}
};

/// The terms of a step for the sums of a thread.
template <class T>
__device__ void add_terms(T (&sums)[kRows][kCols], const T* a, const T* b) {
#pragma unroll kTermsAtOnce
    for (int d = 0; d < kDepth; ++d) {
        Quad<T> down[kRows / 4], across[kCols / 4];
#pragma unroll
        for (int r = 0; r < kRows / 4; ++r) down[r] = *reinterpret_cast<const Quad<T>*>(a + d * kSide + r * 16);
#pragma unroll
        for (int s = 0; s < kCols / 4; ++s) across[s] = *reinterpret_cast<const Quad<T>*>(b + d * kSide + s * 32);
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
            for (int i = 0; i < kCols; ++i) {
                // To and fro: each multiply-add has an operand of the one before, which is not read again.
                const int s = r % 2 == 0 ? i : kCols - 1 - i;
                sums[r][s] = multiply_add(down[r / 4].value[r % 4], across[s / 4].value[s % 4], sums[r][s]);
            }
    }
}

template <bool kWholeQuads, bool kPlain, class T>
__global__ void __launch_bounds__(kThreads, kBlocks)
    register_banks(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                   const __grid_constant__ KernelArgs<kPlain, T> x, const __grid_constant__ SharedSteps shares,
                   Parts<T> parts) {
    auto& shared = *reinterpret_cast<Shared<T>*>(aligned_shared());
    const int thread = static_cast<int>(threadIdx.x), warp = thread / 32, lane = thread % 32;
    if (thread == 0) {
        for (int stage = 0; stage < kStages; ++stage) {
            shared.full[stage].init(1);
            shared.empty[stage].init(kThreads / 32);
        }
        fence_barriers();
    }
    __syncthreads();
    // Lanes are four high and eight wide. Neighbours ask for the same rows and those two apart for the same columns, so
    // that half a warp is served at once.
    const int my_row = warp / 2 * 64 + ((lane >> 1 & 1) | (lane >> 3 & 2)) * 4;
    const int my_col = warp % 2 * 64 + ((lane & 1) | (lane >> 1 & 6)) * 4;

    // This block's steps: those of a tile, or a part of the tiles that are shared.
    const int sharer = static_cast<int>(blockIdx.x) - shares.whole;
    int first = sharer < 0 ? 0 : shares.first_of(sharer);
    const int end = sharer < 0 ? shares.steps : shares.first_of(sharer + 1);
    int count = 0;  // of steps before this tile's
    for (bool again = true; again;) {
        const int tile_shared = first / shares.steps, from = first - tile_shared * shares.steps;
        const int steps = min(shares.steps - from, end - first);
        const auto [row, col] = shares.place(sharer < 0 ? static_cast<int>(blockIdx.x) : shares.whole + tile_shared);

        const auto ask = [&](int step) {  // by one thread
            const int stage = (count + step) % kStages;
            auto& to = shared.step[stage];
            shared.empty[stage].wait((count + step) / kStages % 2 ^ 1);  // the first time round it is
            shared.full[stage].arrive_expecting(sizeof to);
            load_box(to.a, map_a, (from + step) * kDepth, row, shared.full[stage]);
            load_box(to.b, map_b, (from + step) * kDepth, col, shared.full[stage]);
        };
        if (thread == 0)
            for (int step = 0; step < min(kStages - 1, steps); ++step) ask(step);
        __syncwarp();
        T sums[kRows][kCols] = {};
        for (int step = 0; step < steps; ++step) {
            const int stage = (count + step) % kStages;
            shared.full[stage].wait((count + step) / kStages % 2);
            if (thread == 0 && step + kStages - 1 < steps) ask(step + kStages - 1);
            __syncwarp();  // else the warp stays parted, and does all that follows twice
            add_terms(sums, &shared.step[stage].a[0][my_row], &shared.step[stage].b[0][my_col]);
            __syncwarp();
            if (lane == 0) shared.empty[stage].arrive();
        }
        count += steps;
        __syncthreads();  // all have read their last step

        // Through shared memory, neighbours exchanged. Not for the memory's sake: a quad that is stored is in four
        // registers in order. So the sums of even columns are in odd registers, the other bank than that of their
        // columns' elements of B, which were loaded as quads. Stored in their own order they are in one bank: 5%
        // slower.
#pragma unroll
        for (int r = 0; r < kRows; ++r)
#pragma unroll
            for (int s = 0; s < kCols; s += 4)
                shared.sums[(r * kCols + s) / 4][thread] = {
                    {sums[r][s + 1], sums[r][s], sums[r][s + 3], sums[r][s + 2]}};
        const auto own = [&](int quad) {
            const Quad<T> exchanged = shared.sums[quad][thread];
            return Quad<T>{{exchanged.value[1], exchanged.value[0], exchanged.value[3], exchanged.value[2]}};
        };
        const auto write = [&](int quad, Quad<T> value) {
            const int r = quad / (kCols / 4), s = quad % (kCols / 4);
            const std::int64_t to_row = std::int64_t{row} + my_row + r / 4 * 16 + r % 4;
            const std::int64_t to_col = std::int64_t{col} + my_col + s * 32;
            if constexpr (!kPlain) {
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (to_row < x.m && to_col + i < x.k)
                        value.value[i] = finished(x.finish, value.value[i], to_row, to_col + i);
            }
            put_quad<kWholeQuads>(value, rows_of_c(x), to_row, to_col);
        };
        if (steps == shares.steps) {
#pragma unroll 4
            for (int quad = 0; quad < kQuads; ++quad) write(quad, own(quad));
        } else {
            // Each block leaves its part in the workspace; the last one adds them up, in the order of the terms.
            const auto part = [&](int block) {
                return parts.sums + std::int64_t{shares.part_of(block, tile_shared)} * (kQuads * kThreads) + thread;
            };
            Quad<T>* const mine = part(sharer);
#pragma unroll 4
            for (int quad = 0; quad < kQuads; ++quad) mine[quad * kThreads] = own(quad);
            __threadfence();
            __syncthreads();
            const int first_block = shares.sharer_of(tile_shared * shares.steps);
            const int last_block = shares.sharer_of((tile_shared + 1) * shares.steps - 1);
            if (thread == 0) shared.arrived = atomicAdd(parts.arrived + tile_shared, 1);
            __syncthreads();
            if (shared.arrived == last_block - first_block) {
                __threadfence();
                constexpr int kAtOnce = 16;  // loads of a part that are on their way
#pragma unroll 1
                for (int quad = 0; quad < kQuads; quad += kAtOnce) {
                    Quad<T> sum[kAtOnce];
#pragma unroll
                    for (int q = 0; q < kAtOnce; ++q) sum[q] = part(first_block)[(quad + q) * kThreads];
                    for (int block = first_block + 1; block <= last_block; ++block) {
                        Quad<T> next[kAtOnce];
#pragma unroll
                        for (int q = 0; q < kAtOnce; ++q) next[q] = part(block)[(quad + q) * kThreads];
#pragma unroll
                        for (int q = 0; q < kAtOnce; ++q)
#pragma unroll
                            for (int i = 0; i < 4; ++i)
                                sum[q].value[i] = multiply_add(T{1}, next[q].value[i], sum[q].value[i]);
                    }
#pragma unroll
                    for (int q = 0; q < kAtOnce; ++q) write(quad + q, sum[q]);
                }
            }
        }
        first += steps;
        again = first < end;
        if (again) {
            fence_for_async();  // TMA writes where the sums were
            __syncthreads();
        }
    }
}

/// The operands in rows of terms, whole 16 bytes each: A turned, B as it is, or turned where it is by columns.
template <class T>
struct Plan {
    SharedSteps shares;
    AlignedRows<T> rows;  ///< of B; A is turned in any case
    std::int64_t a_pitch, b_pitch;
    T *a, *b;  ///< turned
    Parts<T> parts;
    std::size_t bytes;

    explicit Plan(const MatmulArgs<T>& x)
        : shares(x.m, x.n, x.k, std::is_integral_v<T>),
          rows(x, !x.b_by_columns, false, false),
          a_pitch(padded_column<T>(x.m)),
          b_pitch(x.b_by_columns ? padded_column<T>(x.k) : rows.args().b_pitch),
          a(static_cast<T*>(rows.args().workspace)),
          b(a + whole(x.n * a_pitch)),
          parts(shares, b + (x.b_by_columns ? whole(x.n * b_pitch) : 0)),
          bytes(static_cast<std::size_t>(reinterpret_cast<unsigned char*>(parts.arrived + shares.shared_tiles()) -
                                         static_cast<unsigned char*>(x.workspace))) {}

private:
    static std::int64_t whole(std::int64_t elements) {
        constexpr std::int64_t kUnit = kAlignment / sizeof(T);
        return ceil_div(elements, kUnit) * kUnit;
    }
};
template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return x.empty() || x.n == 0 ? 0 : Plan<T>(x).bytes;
}

/// An operand in rows of terms, `length` elements each, in boxes of a step's part of a tile.
template <class T>
CUtensorMap map_of_terms(const T* first, std::int64_t terms, std::int64_t length, std::int64_t pitch) {
    return map_of_boxes(first, 1, 0, terms, length, pitch, kDepth, kSide, Boxes::rows, 2);
}

template <bool kWholeQuads, bool kPlain, class T>
void launch_form(const MatmulArgs<T>& x, const Plan<T>& plan, const CUtensorMap& map_a, const CUtensorMap& map_b,
                 cudaStream_t stream) {
    const auto kernel = register_banks<kWholeQuads, kPlain, T>;
    const int bytes = allow_tiles(kernel, sizeof(Shared<T>));
    kernel<<<static_cast<unsigned>(plan.shares.blocks()), kThreads, bytes, stream>>>(map_a, map_b, x, plan.shares,
                                                                                     plan.parts);
}
template <class T>
void launch(const MatmulArgs<T>& x, cudaStream_t stream) {
    if (x.empty()) return;
    if (x.n == 0) return write_zeros(x, stream);
    const Plan<T> plan(x);
    if (const int shared = plan.shares.shared_tiles(); shared > 0)
        LANEWORK_CHECK(cudaMemsetAsync(plan.parts.arrived, 0, shared * sizeof(int), stream));
    plan.rows.copy_operands(stream);
    put_in_columns(x.a, x.m, x.n, x.a_pitch, plan.a, plan.a_pitch, stream);
    if (x.b_by_columns) put_in_columns(x.b, x.k, x.n, x.b_pitch, plan.b, plan.b_pitch, stream);
    const T* const b = x.b_by_columns ? plan.b : plan.rows.args().b;
    const CUtensorMap map_a = map_of_terms(plan.a, x.n, x.m, plan.a_pitch);
    const CUtensorMap map_b = map_of_terms(b, x.n, x.k, plan.b_pitch);
    const bool quads = rows_of_c(x).in_quads();
    if (x.finish.plain())
        quads ? launch_form<true, true>(x, plan, map_a, map_b, stream)
              : launch_form<false, true>(x, plan, map_a, map_b, stream);
    else
        launch_form<false, false>(x, plan, map_a, map_b, stream);
    LANEWORK_CHECK(cudaGetLastError());
}

std::string_view refuses(const Problem& p) {
    const auto [m, n, k] = p.lengths<MatmulAxes>();
    const std::string_view reason = refuse_without_hopper(p);
    if (!reason.empty()) return reason;
    const std::int64_t across = std::max<std::int64_t>(ceil_div(k, kSide), 1);
    const bool too_many = ceil_div(m, kSide) > (std::numeric_limits<int>::max() - SharedSteps::kSharers) / across;
    return too_many ? "a grid ends at 2147483647 blocks, one for each tile of 128 × 128" : std::string_view{};
}
#else
std::string_view refuses(const Problem& p) { return refuse_without_hopper(p); }
template <class T>
std::size_t workspace(const MatmulArgs<T>&) {
    return 0;
}
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
#endif

template <class T>
bool fits(const MatmulArgs<T>& x) {
    const bool finishes = x.finish.plain() || (x.n > 0 && has_epilogue(x));
    return finishes && workspace(x) <= x.workspace_bytes;
}
}  // namespace

LANEWORK_RUNG(
    matmul, register_banks,
    {
        .climbs_from = "asynchronous_copies",
        .lesson = "What is left are multiply-adds: their order, the banks of their registers, and work for all "
                  "multiprocessors to the end.",
        .launch = {launch<std::int32_t>, launch<float>},
        .workspace = {workspace<std::int32_t>, workspace<float>},
        .refuses = refuses,
        .fits = {fits<std::int32_t>, fits<float>},
        .only = "with an epilogue sums of one term or more, GELU of floats alone",
    });
// mends: few_blocks
