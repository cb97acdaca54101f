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
/// A product, or a part of it, and how it is laid out.
struct Part {
    MatmulArgs<float> x;
    SplitLayout layout;

    explicit Part(const MatmulArgs<float>& of) : x(of), layout(SplitLayouts(of.m, of.n, of.k).fastest(true)) {}
    Slices slices() const { return Slices(x.m, x.k, layout.groups, x.workspace); }
};
/// C's rows from this one on, so many.
MatmulArgs<float> rows_of(const MatmulArgs<float>& x, std::int64_t row, std::int64_t count) {
    MatmulArgs<float> some = x;
    some.m = count;
    some.a += row * x.a_pitch;
    some.c += row * x.c_pitch;
    if (x.finish.c_in) some.finish.c_in += row * x.finish.c_in_pitch;
    return some;
}
MatmulArgs<float> columns_of(const MatmulArgs<float>& x, std::int64_t col, std::int64_t count) {
    MatmulArgs<float> some = x;
    some.k = count;
    some.b += x.b_by_columns ? col * x.b_pitch : col;
    some.c += col;
    if (x.finish.c_in) some.finish.c_in += col;
    if (x.finish.bias) some.finish.bias += col;
    return some;
}
/// The parts of C, one launch after the other: all of it, or without a few last rows or columns, which would begin
/// another wave of tiles.
std::array<std::optional<Part>, 2> parts_of(const MatmulArgs<float>& x) {
    constexpr std::int64_t kFew = 32;
    constexpr double kFollows = 3000;  // nanoseconds of a launch that the one before it hides
    std::array<std::optional<Part>, 2> best{Part(x)};
    double least = best[0]->layout.time;
    const auto consider = [&](std::int64_t length, const auto& part) {
        for (const std::int64_t tile : {64, 128}) {
            const std::int64_t most = length / tile * tile, rest = length - most;
            if (most == 0 || rest == 0 || rest > kFew) continue;
            const Part first(part(x, 0, most)), second(part(x, most, rest));
            const double time = first.layout.time + second.layout.time - kFollows;
            if (time >= least) continue;
            best = {first, second};
            least = time;
        }
    };
    consider(x.m, rows_of);
    consider(x.k, columns_of);
    return best;
}

/// What a product has of the workspace: slices of one part after the other, and behind them rows that are copied. Rows
/// that begin anywhere are fetched element by element; where many tiles read them, they are put into others first.
struct Room {
    std::size_t slices = 0;
    std::optional<AlignedRows<float>> rows;

    explicit Room(const MatmulArgs<float>& x) {
        constexpr std::int64_t kReadOften = 768;  // rows and columns of C
        for (const std::optional<Part>& part : parts_of(x))
            if (part) slices = std::max(slices, (part->slices().bytes() + 255) / 256 * 256);
        if (std::min(x.m, x.k) < kReadOften) return;
        MatmulArgs<float> behind_slices = x;
        behind_slices.workspace = static_cast<unsigned char*>(x.workspace) + slices;
        rows.emplace(behind_slices, true, false);
        if (bytes() > x.workspace_bytes) rows.reset();  // of views, which the workspace was not asked for
    }
    std::size_t bytes() const { return slices + (rows ? rows->bytes() : 0); }
};
std::size_t workspace(const MatmulArgs<float>& x) { return x.empty() || x.n == 0 ? 0 : Room(x).bytes(); }

void launch_part(const Part& part, cudaStream_t stream) {
    const MatmulArgs<float>& x = part.x;
    const Slices slices = part.slices();
    MatmulArgs<float> to = x;
    if (slices.count > 1) {
        to = slices.target(x);
        to.a = x.a, to.b = x.b;
        to.a_pitch = x.a_pitch, to.b_pitch = x.b_pitch;
        to.b_by_columns = x.b_by_columns;
    }
    x.b_by_columns ? launch_layout<true>(to, {}, part.layout, slices.size, stream)
                   : launch_layout<false>(to, {}, part.layout, slices.size, stream);
    if (slices.count > 1) launch_adding(x, slices, stream);
}
void launch(const MatmulArgs<float>& given, cudaStream_t stream) {
    if (given.empty()) return;
    const Room room(given);
    MatmulArgs<float> x = given;
    if (room.rows) {
        room.rows->copy_operands(stream);
        x = room.rows->args();
        x.workspace = given.workspace;
    }
    for (const std::optional<Part>& part : parts_of(x))
        if (part) launch_part(*part, stream);
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
