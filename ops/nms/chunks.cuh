// Chunks of sorted candidates: what the block of one announces, and how it decides them once the boxes kept before are
// known.
#pragma once

#include <cstdint>

namespace lanework::inline LANEWORK_ON_DEVICE {

inline constexpr int kWarp = 32;

/// What a block announces, in words that say everything by themselves, so that no order among writes is needed:
/// 32 candidates, one bit for each that is kept; the number kept up to the chunk's end; and that it is decided.
struct Announcement {
    static constexpr unsigned long long kDecided = 1ULL << 63;

    static __device__ unsigned long long of(unsigned kept, std::int64_t total) {
        return kDecided | static_cast<unsigned long long>(total) << kWarp | kept;
    }
    static __device__ unsigned kept(unsigned long long word) { return static_cast<unsigned>(word); }
    static __device__ std::int64_t total(unsigned long long word) {
        return static_cast<std::int64_t>((word & ~kDecided) >> kWarp);
    }
};

/// By one warp: decides a chunk. `overlaps[w][c]`: which candidates of the chunk's word w would suppress candidate c.
/// A candidate is kept when nothing before it that overlaps it is kept or undecided; each round decides all for which
/// that is known. Lane l decides candidates l, l + 32 and so on, of which the first `present` are there.
template <int kWords>
__device__ void decide(const unsigned (&overlaps)[kWords][kWords * kWarp], const unsigned (&suppressed)[kWords],
                       unsigned (&to)[kWords], int present) {
    const unsigned lane = threadIdx.x % kWarp;
    unsigned kept[kWords] = {};
#pragma unroll
    for (int w = 0; w < kWords; ++w) {
        const int own = w * kWarp + static_cast<int>(lane);
        bool candidate = own < present && (suppressed[w] >> lane & 1) == 0;
#pragma unroll
        for (int earlier = 0; earlier < w; ++earlier) candidate &= (overlaps[earlier][own] & kept[earlier]) == 0;
        const unsigned own_word = overlaps[w][own];
        unsigned undecided = __ballot_sync(~0U, candidate);
        while (undecided != 0) {
            const bool waits = (undecided >> lane & 1) != 0;
            kept[w] |= __ballot_sync(~0U, waits && (own_word & undecided) == 0);
            undecided &= __ballot_sync(~0U, waits && (own_word & kept[w]) == 0 && (kept[w] >> lane & 1) == 0);
        }
    }
    if (lane == 0)
#pragma unroll
        for (int w = 0; w < kWords; ++w) to[w] = kept[w];
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
