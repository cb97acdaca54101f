// Chunks of candidates are decided one after the other, but by blocks that all work at once: each compares its chunk
// with the kept boxes of earlier ones as soon as their blocks announce them. Suppressed boxes are never compared with.
#include "ops/nms/chunks.cuh"
#include "ops/nms/sorting.cuh"

namespace {
constexpr int kChunk = 128;  // candidates of a block
constexpr int kWords = kChunk / kWarp;
constexpr int kSlices = 4;                    // threads that share the comparisons of a candidate
constexpr int kAtOnce = 4;                    // comparisons in flight
constexpr int kComparing = kChunk * kSlices;  // threads that compare…
constexpr int kThreads = kComparing + kWarp;  // …and a warp that waits for earlier chunks, fetches and decides
constexpr int kStride = kSlices * kAtOnce;
static_assert(kSlices == kWords, "a slice of threads finds one word of a chunk's overlaps");

struct Board {
    unsigned long long* words;  ///< a ticket counter; then images × chunks × kWords announcements
    std::int64_t chunks;

    Board(const NmsArgs& a, ScratchParts& memory) : chunks(ceil_div(a.most_candidates(), std::int64_t{kChunk})) {
        words = memory.take<unsigned long long>(count(a));
    }
    std::int64_t count(const NmsArgs& a) const { return 1 + a.images * chunks * kWords; }
    __device__ unsigned long long* of(std::int64_t image, std::int64_t chunk) const {
        return words + 1 + (image * chunks + chunk) * kWords;
    }
};

/// The kept boxes of one chunk; those behind the last overlap nothing.
struct Fetched {
    BoxCandidate boxes[kChunk + kStride];
    int count;
    bool full;  ///< as many are kept as are wanted
};

struct Shared {
    std::int64_t ticket;
    BoxCandidate chunk[kChunk];
    unsigned overlaps[kWords][kChunk];  ///< bits of earlier candidates of the chunk that would suppress each
    unsigned suppressed[kWords], kept[kWords];
    std::int64_t before;  ///< kept in earlier chunks
    Fetched fetched[2];
};

struct Place {
    std::int64_t image, chunk, first, end;  ///< of the chunk's candidates
};

/// By one warp: waits until a chunk is decided and fetches what it kept. Returns how many are kept up to its end.
__device__ std::int64_t fetch(const Sorted& sorted, const Board& board, const NmsArgs& a, const Place& place,
                              std::int64_t chunk, Fetched& to) {
    const unsigned lane = threadIdx.x % kWarp;
    unsigned long long word = 0;
    if (lane < kWords) {
        const auto* const announced =
            static_cast<const volatile unsigned long long*>(board.of(place.image, chunk) + lane);
        do word = *announced;
        while ((word & Announcement::kDecided) == 0);
    }
    const std::int64_t total = Announcement::total(__shfl_sync(~0U, word, 0));
    int count = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
        const unsigned kept = Announcement::kept(__shfl_sync(~0U, word, w));
        if ((kept >> lane & 1) != 0) {
            const int at = count + __popc(kept & ((1U << lane) - 1));
            to.boxes[at] = sorted.at(place.image * a.n + chunk * kChunk + w * kWarp + lane);
        }
        count += __popc(kept);
    }
    if (lane < kStride) to.boxes[count + static_cast<int>(lane)] = {{}, NAN, 0};  // whose quotients are NaN
    if (lane == 0) {
        to.count = count;
        to.full = total >= a.capacity;
    }
    return total;
}

/// Whether one of the fetched boxes suppresses the candidate, as far as the slice's share of them goes.
__device__ bool is_suppressed(const Fetched& fetched, const BoxCandidate& own, int slice, float threshold) {
    for (int k = slice; k < fetched.count; k += kStride) {
        bool hit = false;
#pragma unroll
        for (int m = 0; m < kAtOnce; ++m) hit |= suppresses(fetched.boxes[k + m * kSlices], own, threshold);
        if (hit) return true;
    }
    return false;
}

/// By one warp, once the chunk is decided.
__device__ void announce(const Board& board, const NmsArgs& a, const Place& place, const Shared& s, bool last) {
    const unsigned lane = threadIdx.x % kWarp;
    std::int64_t total = s.before;
#pragma unroll
    for (const unsigned kept : s.kept) total += __popc(kept);
    if (total > a.capacity) total = a.capacity;
    if (lane < kWords) atomicExch(board.of(place.image, place.chunk) + lane, Announcement::of(s.kept[lane], total));
    if (lane == 0 && last) a.counts[place.image] = static_cast<std::int32_t>(total);
}

/// By the comparing threads: the chunk's candidates, and which of them would suppress which.
__device__ BoxCandidate prepare(const Sorted& sorted, const NmsArgs& a, const Place& place, Shared& s, int own,
                                int slice) {
    BoxCandidate candidate{};
    if (place.first + own < place.end) candidate = sorted.at(place.image * a.n + place.first + own);
    if (slice == 0) s.chunk[own] = candidate;
    return candidate;
}

__device__ void find_overlaps(const NmsArgs& a, Shared& s, const BoxCandidate& candidate, int own, int slice) {
    unsigned overlaps = 0;
    for (int k = 0; k < kWarp; ++k) {
        const int earlier = slice * kWarp + k;
        if (earlier < own && suppresses(s.chunk[earlier], candidate, a.iou_threshold)) overlaps |= 1U << k;
    }
    s.overlaps[slice][own] = overlaps;
}

/// Compares the chunk with all kept boxes of earlier ones.
__device__ void compare_earlier(const Sorted& sorted, const Board& board, const NmsArgs& a, const Place& place,
                                Shared& s, const BoxCandidate& candidate) {
    const int thread = static_cast<int>(threadIdx.x), own = thread % kChunk, slice = thread / kChunk;
    const bool fetches = thread >= kComparing;
    bool alive = place.first + own < place.end;
    std::int64_t before = 0;
    if (fetches && place.chunk > 0) before = fetch(sorted, board, a, place, 0, s.fetched[0]);
    __syncthreads();
    for (std::int64_t chunk = 0; chunk < place.chunk; ++chunk) {
        const Fetched& fetched = s.fetched[chunk % 2];
        if (fetched.full) {
            alive = false;
            break;
        }
        if (!fetches)
            alive = alive && !is_suppressed(fetched, candidate, slice, a.iou_threshold);
        else if (chunk + 1 < place.chunk)
            before = fetch(sorted, board, a, place, chunk + 1, s.fetched[(chunk + 1) % 2]);
        __syncthreads();
    }
    if (!fetches && !alive) atomicOr(&s.suppressed[own / kWarp], 1U << own % kWarp);
    if (thread == kComparing) s.before = before;
}

__global__ void __launch_bounds__(kThreads) wavefront(NmsArgs a, Sorted sorted, Board board) {
    __shared__ Shared s;
    const int thread = static_cast<int>(threadIdx.x), own = thread % kChunk, slice = thread / kChunk;
    // Blocks take chunks in the order in which they begin: who waits, waits for a block that runs.
    if (thread == 0) s.ticket = static_cast<std::int64_t>(atomicAdd(board.words, 1ULL));
    if (thread < kWords) s.suppressed[thread] = 0;
    __syncthreads();
    Place place{s.ticket % a.images, s.ticket / a.images, 0, 0};
    place.first = place.chunk * kChunk;
    place.end = sorted.candidates[place.image];
    if (a.top > 0 && place.end > a.top) place.end = a.top;
    if (place.first >= place.end) return;

    BoxCandidate candidate{};
    if (thread < kComparing) candidate = prepare(sorted, a, place, s, own, slice);
    __syncthreads();
    if (thread < kComparing) find_overlaps(a, s, candidate, own, slice);
    compare_earlier(sorted, board, a, place, s, candidate);
    __syncthreads();
    if (thread >= kComparing) {
        decide(s.overlaps, s.suppressed, s.kept,
               static_cast<int>(place.end - place.first < kChunk ? place.end - place.first : kChunk));
        __syncwarp();
        announce(board, a, place, s, place.end - place.first <= kChunk);
    }
    __syncthreads();
    if (slice != 0 || (s.kept[own / kWarp] >> own % kWarp & 1) == 0) return;
    std::int64_t number = s.before + __popc(s.kept[own / kWarp] & ((1U << own % kWarp) - 1));
    for (int w = 0; w < own / kWarp; ++w) number += __popc(s.kept[w]);
    if (number < a.capacity)
        write_kept(a, place.image, number, sorted.order[place.image * a.n + place.first + own], candidate.box);
}

std::size_t workspace(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const Sorted sorted(a, memory);
    const Board board(a, memory);
    return memory.bytes();
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    if (a.images == 0) return;
    ScratchParts memory(a.workspace);
    const Sorted sorted(a, memory);
    const Board board(a, memory);
    sort_candidates(a, sorted, board.words, board.count(a), stream);
    if (a.n == 0) return;
    wavefront<<<static_cast<unsigned>(board.chunks * a.images), kThreads, 0, stream>>>(a, sorted, board);
}
}  // namespace

LANEWORK_RUNG(
    nms, wavefront,
    {
        .climbs_from = "bitmask",
        .lesson = "Blocks wait for what earlier ones keep and compare with nothing else: no mask, one launch.",
        .launch = launch,
        .workspace = workspace,
    });
// mends: few_blocks, separate_launches
