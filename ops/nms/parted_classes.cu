// Boxes of other classes never matter. Sorted apart, each class is a short chain of chunks of its own, and all of them
// are decided at once; what is kept finds its place in the output by a bit for each score.
#include "ops/nms/chunks.cuh"
#include "ops/nms/class_order.cuh"

namespace {
constexpr int kChunk = 128;  // candidates of a block
constexpr int kWords = kChunk / kWarp;
constexpr int kSlices = 4;                    // threads that share the comparisons of a candidate
constexpr int kAtOnce = 4;                    // comparisons in flight
constexpr int kComparing = kChunk * kSlices;  // threads that compare…
constexpr int kThreads = kComparing + kWarp;  // …and a warp that waits for earlier chunks, fetches and decides
constexpr int kStride = kSlices * kAtOnce;
constexpr int kBlocks = 2;      // on a multiprocessor, at least
constexpr int kNumbered = 256;  // scores of a block that numbers what is kept, each a thread's
constexpr int kBits = 64;

/// A chunk's slot follows from where it begins and from its group, so that all groups have room for theirs.
struct Board {
    unsigned long long* words;  ///< a ticket counter; images × slots × kWords announcements; images × marks
    std::int64_t slots, marks;  ///< of an image; a bit of marks for each score, the best first: it is kept

    Board(const NmsArgs& a, const ClassGroups& groups, ScratchParts& memory)
        : slots(a.n / kChunk + groups.count()), marks(ceil_div(a.n, std::int64_t{kBits})) {
        const std::int64_t more =
            ClassGroups::most(a) - groups.count();  // slots, had it as many groups as there may be
        words = memory.take<unsigned long long>(count(a) + a.images * more * kWords);
    }
    std::int64_t count(const NmsArgs& a) const { return 1 + a.images * (slots * kWords + marks); }
    __device__ unsigned long long* of(std::int64_t image, std::int64_t slot) const {
        return words + 1 + (image * slots + slot) * kWords;
    }
    __device__ unsigned long long* marks_of(const NmsArgs& a, std::int64_t image) const {
        return words + 1 + a.images * slots * kWords + image * marks;
    }
};

/// The kept boxes of one chunk, and behind the last some that are read and not wanted.
struct Fetched {
    BoxCandidate boxes[kChunk + kStride];
    int count;
    bool full;  ///< as many are kept of the class as are wanted of all
};

/// Which candidates are a block's: places first … end − 1 of the group's.
struct Place {
    std::int64_t image, slot, group_first, group_slot, first, end;
    __device__ std::int64_t chunk() const { return slot - group_slot; }
    __device__ int present() const { return static_cast<int>(end - first < kChunk ? end - first : kChunk); }
};

struct Shared {
    std::int64_t ticket;
    Place place;
    BoxCandidate chunk[kChunk];
    unsigned overlaps[kWords][kChunk];  ///< bits of earlier candidates of the chunk that would suppress each
    unsigned suppressed[kWords], kept[kWords];
    std::int64_t before;  ///< kept in earlier chunks
    Fetched fetched[2];
};

/// By all threads: the group whose slot this is. `place.first >= place.end` where none has a chunk there.
__device__ void find_place(const OrderedByClass& sorted, Shared& s, std::int64_t image, std::int64_t slot) {
    if (threadIdx.x == 0) s.place = {image, slot, 0, 0, 0, 0};
    __syncthreads();
    const std::int32_t* const starts = sorted.starts_of(image);
    for (std::int64_t group = threadIdx.x; group < sorted.groups.count(); group += kThreads) {
        const std::int64_t first = starts[group], end = starts[group + 1], own = first / kChunk + group;
        if (own <= slot && slot <= end / kChunk + group)
            s.place = {image, slot, first, own, first + (slot - own) * kChunk, end};
    }
    __syncthreads();
}

/// By one warp: waits until a chunk is decided and fetches what it kept, of candidates that are on their way meanwhile.
/// Returns how many of the class are kept up to its end.
__device__ std::int64_t fetch(const OrderedByClass& sorted, const Board& board, const NmsArgs& a, const Place& place,
                              std::int64_t chunk, Fetched& to) {
    const unsigned lane = threadIdx.x % kWarp;
    BoxCandidate candidates[kWords];
    const std::int64_t first = place.image * a.n + place.group_first + chunk * kChunk + lane;
#pragma unroll
    for (int w = 0; w < kWords; ++w) candidates[w] = sorted.at(first + w * kWarp);
    unsigned long long word = 0;
    if (lane < kWords) {
        const auto* const announced =
            static_cast<const volatile unsigned long long*>(board.of(place.image, place.group_slot + chunk) + lane);
        do word = *announced;
        while ((word & Announcement::kDecided) == 0);
    }
    const std::int64_t total = Announcement::total(__shfl_sync(~0U, word, 0));
    int count = 0;
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
        const unsigned kept = Announcement::kept(__shfl_sync(~0U, word, w));
        if ((kept >> lane & 1) != 0) to.boxes[count + __popc(kept & ((1U << lane) - 1))] = candidates[w];
        count += __popc(kept);
    }
    if (lane < kStride) to.boxes[count + static_cast<int>(lane)] = {};
    if (lane == 0) {
        to.count = count;
        to.full = total >= a.capacity;
    }
    return total;
}

/// Which of kMost boxes from `boxes` on, `stride` apart, suppress the candidate: a bit for each that is wanted.
template <int kMost>
__device__ unsigned suppressing(const BoxCandidate* boxes, int stride, unsigned wanted, const BoxCandidate& own,
                                const OverlapThreshold& threshold) {
    unsigned hits = 0, unsure = 0;
#pragma unroll kAtOnce
    for (int k = 0; k < kMost; ++k) {
        const OverlapGuess guess = guess_suppression(boxes[k * stride], own, threshold);
        hits |= (guess.above ? 1U : 0U) << k;
        unsure |= (guess.unsure ? 1U : 0U) << k;
    }
    for (unsure &= wanted; unsure != 0; unsure &= unsure - 1) {
        const int k = __ffs(static_cast<int>(unsure)) - 1;
        if (suppresses(boxes[k * stride], own, threshold.threshold)) hits |= 1U << k;
    }
    return hits & wanted;
}

/// The lowest bits.
__device__ unsigned first_bits(int count) { return count < kWarp ? (1U << count) - 1 : ~0U; }

/// Whether one of the fetched boxes suppresses the candidate, as far as the slice's share of them goes.
__device__ bool is_suppressed(const Fetched& fetched, const BoxCandidate& own, int slice,
                              const OverlapThreshold& threshold) {
    for (int k = slice; k < fetched.count; k += kStride) {
        const unsigned there = first_bits((fetched.count - k + kSlices - 1) / kSlices);
        if (suppressing<kAtOnce>(fetched.boxes + k, kSlices, there, own, threshold) != 0) return true;
    }
    return false;
}

/// By one warp, once the chunk is decided.
__device__ void announce(const Board& board, const NmsArgs& a, const Shared& s) {
    const unsigned lane = threadIdx.x % kWarp;
    std::int64_t total = s.before;
#pragma unroll
    for (const unsigned kept : s.kept) total += __popc(kept);
    if (total > a.capacity) total = a.capacity;
    if (lane < kWords) atomicExch(board.of(s.place.image, s.place.slot) + lane, Announcement::of(s.kept[lane], total));
}

/// By the comparing threads: which candidates of the chunk would suppress which later one.
__device__ void find_overlaps(const OverlapThreshold& threshold, Shared& s, const BoxCandidate& candidate, int own,
                              int slice) {
    for (int word = slice; word <= own / kWarp; word += kSlices)
        s.overlaps[word][own] =
            suppressing<kWarp>(s.chunk + word * kWarp, 1, first_bits(own - word * kWarp), candidate, threshold);
}

/// Compares the chunk with all kept boxes of its class's earlier ones. `alive`: that it is a candidate at all.
__device__ void compare_earlier(const OrderedByClass& sorted, const Board& board, const NmsArgs& a, Shared& s,
                                const BoxCandidate& candidate, const OverlapThreshold& threshold, bool alive) {
    const int thread = static_cast<int>(threadIdx.x), own = thread % kChunk, slice = thread / kChunk;
    const bool fetches = thread >= kComparing;
    const std::int64_t chunks = s.place.chunk();
    std::int64_t before = 0;
    if (!fetches && !alive) atomicOr(&s.suppressed[own / kWarp], 1U << own % kWarp);
    if (fetches && chunks > 0) before = fetch(sorted, board, a, s.place, 0, s.fetched[0]);
    __syncthreads();
    for (std::int64_t chunk = 0; chunk < chunks; ++chunk) {
        const Fetched& fetched = s.fetched[chunk % 2];
        if (fetched.full) {
            if (thread < kWords) s.suppressed[thread] = ~0U;
            break;
        }
        if (fetches) {
            if (chunk + 1 < chunks) before = fetch(sorted, board, a, s.place, chunk + 1, s.fetched[(chunk + 1) % 2]);
        } else if (alive && is_suppressed(fetched, candidate, slice, threshold)) {
            alive = false;
            atomicOr(&s.suppressed[own / kWarp], 1U << own % kWarp);
        }
        __syncthreads();
    }
    if (thread == kComparing) s.before = before;
}

__global__ void __launch_bounds__(kThreads, kBlocks)
    parted_classes(NmsArgs a, OrderedByClass sorted, Board board, OverlapThreshold threshold) {
    __shared__ Shared s;
    const int thread = static_cast<int>(threadIdx.x), own = thread % kChunk, slice = thread / kChunk;
    // Blocks take chunks in the order in which they begin: who waits, waits for a block that runs.
    if (thread == 0) s.ticket = static_cast<std::int64_t>(atomicAdd(board.words, 1ULL));
    if (thread < kWords) s.suppressed[thread] = 0;
    __syncthreads();
    find_place(sorted, s, s.ticket % a.images, s.ticket / a.images);
    const Place& place = s.place;
    if (place.first >= place.end) return;

    const bool compares = thread < kComparing, present = compares && own < place.present();
    const std::int64_t at = place.image * a.n + place.first + own;
    BoxCandidate candidate{};
    if (present) candidate = sorted.at(at);
    if (compares && slice == 0) s.chunk[own] = candidate;
    const std::int32_t rank = present ? sorted.ranks[place.image * a.n + sorted.indices[at]] : 0;
    __syncthreads();
    if (compares) find_overlaps(threshold, s, candidate, own, slice);
    compare_earlier(sorted, board, a, s, candidate, threshold, present && rank < a.most_candidates());
    __syncthreads();
    if (!compares) {
        decide(s.overlaps, s.suppressed, s.kept, place.present());
        __syncwarp();
        announce(board, a, s);
    }
    __syncthreads();
    if (slice == 0 && (s.kept[own / kWarp] >> own % kWarp & 1) != 0)
        atomicOr(board.marks_of(a, place.image) + rank / kBits, 1ULL << rank % kBits);
}

/// Writes what is kept of kNumbered scores: the marks before each are its number.
__global__ void __launch_bounds__(kNumbered) number_kept(NmsArgs a, OrderedByClass sorted, Board board) {
    __shared__ unsigned before;
    const std::int64_t first = std::int64_t{blockIdx.x} * kNumbered, score = first + threadIdx.x;
    for (std::int64_t image = blockIdx.y; image < a.images; image += gridDim.y) {
        const unsigned long long* const marks = board.marks_of(a, image);
        __syncthreads();
        if (threadIdx.x == 0) before = 0;
        __syncthreads();
        unsigned marked = 0;
        for (std::int64_t word = threadIdx.x; word < first / kBits; word += kNumbered)
            marked += static_cast<unsigned>(__popcll(marks[word]));
        if (marked > 0) atomicAdd(&before, marked);
        std::int64_t number = 0;
        std::int32_t index = 0;
        bool kept = false;
        if (score < a.n) {
            const unsigned long long word = marks[score / kBits], bit = 1ULL << score % kBits;
            kept = (word & bit) != 0;
            if (kept) index = sorted.by_score.order[image * a.n + score];
            for (std::int64_t earlier = first / kBits; earlier < score / kBits; ++earlier)
                number += __popcll(marks[earlier]);
            number += __popcll(word & (bit - 1));
        }
        __syncthreads();
        number += before;
        if (score == a.n - 1) {
            const std::int64_t all = number + (kept ? 1 : 0);
            a.counts[image] = static_cast<std::int32_t>(all < a.capacity ? all : a.capacity);
        }
        if (kept && number < a.capacity) write_kept(a, image, number, index, candidate_of(a, image, index).box);
    }
}

std::size_t workspace(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const OrderedByClass sorted(a, memory);
    const Board board(a, sorted.groups, memory);
    return memory.bytes();
}

void launch(const NmsArgs& a, cudaStream_t stream) {
    if (a.images == 0) return;
    ScratchParts memory(a.workspace);
    const OrderedByClass sorted(a, memory);
    const Board board(a, sorted.groups, memory);
    sort_by_class(a, sorted, board.words, board.count(a), stream);
    if (a.n == 0) return;
    parted_classes<<<static_cast<unsigned>(board.slots * a.images), kThreads, 0, stream>>>(
        a, sorted, board, OverlapThreshold::of(a.iou_threshold));
    const dim3 blocks(static_cast<unsigned>(ceil_div(a.n, std::int64_t{kNumbered})),
                      static_cast<unsigned>(a.images < kMostImagesInGrid ? a.images : kMostImagesInGrid));
    number_kept<<<blocks, kNumbered, 0, stream>>>(a, sorted, board);
}
}  // namespace

LANEWORK_RUNG(nms, parted_classes,
              {
                  .climbs_from = "wavefront",
                  .lesson = "Sort classes apart: each is a short chain of its own, and all are decided at once.",
                  .launch = launch,
                  .workspace = workspace,
              });
// mends: no rule (boxes of other classes never matter: no trace says which comparisons are needless)
