// Pieces of floats that are written to memory and read again are three times the reading. Here the warps that fetch an
// operand split it on its way into shared memory: a narrow product reads its large operand once, and writes C alone.
// architectures: 90a-real
#include <algorithm>
#include <array>
#include <optional>

#include "ops/matmul/aligned_rows.cuh"
#include "ops/matmul/slices.cuh"
#include "ops/matmul/split_tiles.cuh"

namespace {
#if LANEWORK_HAS_WARPGROUPS
/// Rows [row, row + m) and columns [col, col + k) of C, and how they are laid out.
struct Part {
    std::int64_t row, m, col, k;
    SplitLayout layout;

    MatmulArgs<float> of(const MatmulArgs<float>& x) const {
        MatmulArgs<float> part = x;
        part.m = m, part.k = k;
        part.a += row * x.a_pitch;
        part.b += x.b_by_columns ? col * x.b_pitch : col;
        part.c += row * x.c_pitch + col;
        if (x.finish.c_in) part.finish.c_in += row * x.finish.c_in_pitch + col;
        if (x.finish.bias) part.finish.bias += col;
        return part;
    }
};
/// The parts of C, a launch each: one, or two where a few last rows or columns would begin another wave of tiles.
struct Parts {
    std::array<Part, 2> part{};
    std::size_t count = 1;

    explicit Parts(const MatmulArgs<float>& x) {
        constexpr std::int64_t kFew = 32;
        // Nanoseconds: of a launch that the one before it hides, and of products that are not worth another.
        constexpr double kFollows = 3000, kSmall = 30000;
        const auto laid = [&](std::int64_t row, std::int64_t m, std::int64_t col, std::int64_t k) {
            return Part{row, m, col, k, SplitLayouts(m, x.n, k).fastest(true)};
        };
        part[0] = laid(0, x.m, 0, x.k);
        double least = part[0].layout.time;
        if (least < kSmall) return;
        const auto consider = [&](const Part& first, const Part& second) {
            const double time = first.layout.time + second.layout.time - kFollows;
            if (time >= least) return;
            part = {first, second};
            count = 2;
            least = time;
        };
        // Without the last tile of 64, and without that of 128 where it is another.
        const auto each_end = [&](std::int64_t length, const auto& cut) {
            std::int64_t before = 0;
            for (const std::int64_t tile : {64, 128}) {
                const std::int64_t at = length / tile * tile;
                if (at > 0 && at < length && length - at <= kFew && at != before) cut(at);
                before = at;
            }
        };
        each_end(x.m, [&](std::int64_t at) { consider(laid(0, at, 0, x.k), laid(at, x.m - at, 0, x.k)); });
        each_end(x.k, [&](std::int64_t at) { consider(laid(0, x.m, 0, at), laid(0, x.m, at, x.k - at)); });
    }
};

SlicesOfRows slices_of(const MatmulArgs<float>& part, const SplitLayout& layout) {
    return SlicesOfRows(part.m, part.k, layout.groups, part.workspace);
}

/// A product's parts and its workspace: slices, which each part uses in its turn, and behind them operands that are
/// copied. Rows that begin anywhere are fetched element by element; where many tiles read them, they are put into
/// others first.
struct Plan {
    Parts parts;
    std::size_t slices = 0;
    std::optional<AlignedRows<float>> rows;

    explicit Plan(const MatmulArgs<float>& x) : parts(x) {
        constexpr std::int64_t kReadOften = 768;  // rows and columns of C
        for (std::size_t i = 0; i < parts.count; ++i) {
            const Part& part = parts.part[i];
            slices = std::max(slices, slices_of(part.of(x), part.layout).bytes());
        }
        if (std::min(x.m, x.k) < kReadOften) return;
        MatmulArgs<float> behind_slices = x;
        behind_slices.workspace = static_cast<unsigned char*>(x.workspace) + slices;
        rows.emplace(behind_slices, true, false);
        // Whoever asked for the workspace of matrices without gaps may give views: those are read where they lie.
        if (bytes() > x.workspace_bytes) rows.reset();
    }
    std::size_t bytes() const { return slices + (rows ? rows->bytes() : 0); }
};
std::size_t workspace(const MatmulArgs<float>& x) { return x.empty() || x.n == 0 ? 0 : Plan(x).bytes(); }

void launch_part(const MatmulArgs<float>& x, const SplitLayout& layout, cudaStream_t stream) {
    const SlicesOfRows slices = slices_of(x, layout);
    MatmulArgs<float> to = x;
    if (slices.count > 1) {
        to = slices.target(x);
        to.a = x.a, to.b = x.b;
        to.a_pitch = x.a_pitch, to.b_pitch = x.b_pitch;
        to.b_by_columns = x.b_by_columns;
    }
    x.b_by_columns ? launch_layout<true>(to, {}, layout, slices.size, stream)
                   : launch_layout<false>(to, {}, layout, slices.size, stream);
    if (slices.count > 1) launch_adding(x, slices, stream);
}
void launch(const MatmulArgs<float>& given, cudaStream_t stream) {
    if (given.empty()) return;
    const Plan plan(given);
    MatmulArgs<float> x = given;
    if (plan.rows) {
        plan.rows->copy_operands(stream);
        x = plan.rows->args();
        x.workspace = given.workspace;
    }
    for (std::size_t i = 0; i < plan.parts.count; ++i)
        launch_part(plan.parts.part[i].of(x), plan.parts.part[i].layout, stream);
}
#else
std::size_t workspace(const MatmulArgs<float>&) { return 0; }
void launch(const MatmulArgs<float>&, cudaStream_t) {}  // refused
#endif

bool fits(const MatmulArgs<float>& x) { return not_onto_itself(x) && workspace(x) <= x.workspace_bytes; }
}  // namespace

LANEWORK_RUNG(matmul, split_on_arrival,
              {
                  .climbs_from = "split_floats",
                  .lesson = "Who fetches floats splits them on the way into shared memory; the sums of few tiles are "
                            "split, too.",
                  .launch = {launch},
                  .workspace = {workspace},
                  .refuses = refuse_without_hopper,
                  .fits = {fits},
                  .only = "no c that is added to itself",
                  .deviation = kPiecesDeviation,
              });
// mends: few_blocks
