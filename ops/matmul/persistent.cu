// As many blocks as the GPU has multiprocessors, tile after tile in each: one tile is written while the next is
// fetched, two blocks share the columns of B that one of them fetched, tiles that run together share what the cache
// holds, and where tiles would not fill the last round, their sums are shared out.
// architectures: 90a-real
#include "ops/matmul/aligned_rows.cuh"
#include "ops/matmul/by_columns.cuh"
#include "ops/matmul/persistent.cuh"

namespace {
constexpr std::string_view kOnly = "with an epilogue sums of one term or more, GELU of floats alone";

/// wgmma reads B by rows where its elements have 16 bits; others are put in columns first.
template <class T>
constexpr bool kReadsRows = sizeof(T) == 2;

#if LANEWORK_HAS_WARPGROUPS
/// B that is put into columns first need not start on 16 bytes.
template <class T>
AlignedRows<T> aligned_rows(const MatmulArgs<T>& x) {
    return AlignedRows<T>(x, kReadsRows<T> || x.b_by_columns, true);
}
/// What is in the workspace: copies of rows, B in columns, and sums of parts of tiles, which it works without.
template <class T>
struct Room {
    std::size_t rows = 0, columns = 0, sums = 0;

    explicit Room(const MatmulArgs<T>& x) {
        if (x.empty() || x.n == 0) return;
        const auto whole = [](std::size_t bytes) { return ceil_div(bytes, std::size_t{kAlignment}) * kAlignment; };
        rows = aligned_rows(x).bytes();
        if (!kReadsRows<T> && !x.b_by_columns)
            columns = whole(static_cast<std::size_t>(x.k * padded_column<T>(x.n)) * sizeof(T));
        sums = SharedSums<T>::bytes_for(x.m, x.n, x.k);
    }
    std::size_t needed() const { return rows + columns; }
    std::size_t bytes() const { return needed() + sums; }
};

/// `x` in rows that start on 16 bytes, with the workspace behind those; `sums` is null or has SharedSums<T>::kBytes.
template <class T, class Product>
void launch_product(const MatmulArgs<T>& x, const Product& product, void* sums, cudaStream_t stream) {
    const CUtensorMap map_a = map_of(x.a, 1, 0, x.m, x.n, x.a_pitch, kBlockRows);
    if constexpr (kReadsRows<T>)
        if (!x.b_by_columns)
            return launch_persistent<T, false, true>(product, {}, PieceProducts{}, true, map_a,
                                                     map_of(x.b, 1, 0, x.n, x.k, x.b_pitch, kStepDepth), sums, stream);
    const T* columns = x.b;
    std::int64_t pitch = x.b_pitch;
    if constexpr (!kReadsRows<T>)
        if (!x.b_by_columns) {
            pitch = padded_column<T>(x.n);
            put_in_columns(x.b, x.n, x.k, x.b_pitch, static_cast<T*>(x.workspace), pitch, stream);
            columns = static_cast<const T*>(x.workspace);
        }
    constexpr int kColsOfBlock = kBlockCols / PersistentTiles<T, Result<T>, true, true>::kCluster;
    launch_persistent<T, true, true>(product, {}, PieceProducts{}, true, map_a,
                                     map_of(columns, 1, 0, x.k, x.n, pitch, kColsOfBlock), sums, stream);
}

template <class T>
void launch(const MatmulArgs<T>& given, cudaStream_t stream) {
    if (given.empty()) return;
    if (given.n == 0) return write_zeros(given, stream);
    const AlignedRows<T> rows = aligned_rows(given);
    rows.copy_operands(stream);
    const MatmulArgs<T>& x = rows.args();
    const Room<T> room(given);
    const bool shares = room.sums > 0 && room.bytes() <= given.workspace_bytes;
    void* const sums = shares ? static_cast<unsigned char*>(x.workspace) + room.columns : nullptr;
    with_product(x, [&](const auto& product) { launch_product(x, product, sums, stream); });
    rows.copy_result(stream);
}
#else
template <class T>
void launch(const MatmulArgs<T>&, cudaStream_t) {}  // refused
template <class T>
struct Room {
    explicit Room(const MatmulArgs<T>&) {}
    static std::size_t needed() { return 0; }
    static std::size_t bytes() { return 0; }
};
#endif

template <class T>
std::size_t workspace(const MatmulArgs<T>& x) {
    return Room<T>(x).bytes();
}

template <class T>
bool fits(const MatmulArgs<T>& x) {
    const bool finishes = x.finish.plain() || (x.n > 0 && has_epilogue(x));
    return finishes && Room<T>(x).needed() <= x.workspace_bytes;
}
}  // namespace

LANEWORK_RUNG(
    matmul, persistent,
    {
        .climbs_from = "warp_specialized",
        .lesson = "Blocks stay and take tile after tile: writing, fetching and multiplying overlap, in pairs that "
                  "share what they fetch.",
        .launch = {launch<float16>, launch<bfloat16>, launch<std::int8_t>, launch<float8_e4m3>, launch<tfloat32>},
        .workspace = {workspace<float16>, workspace<bfloat16>, workspace<std::int8_t>, workspace<float8_e4m3>,
                      workspace<tfloat32>},
        .refuses = refuse_without_hopper,
        .fits = {fits<float16>, fits<bfloat16>, fits<std::int8_t>, fits<float8_e4m3>, fits<tfloat32>},
        .only = kOnly,
    });
// mends: few_blocks
