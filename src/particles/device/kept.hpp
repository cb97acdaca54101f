// What a warp finds of short lists, on its way to memory: answers, one bit for each candidate and atom, become keys.
#pragma once

#include "src/particles/device/keys.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// What a warp finds, until it is written down: who is near, of a few registers of candidates.
struct FoundRoom {
    static constexpr int kRegisters = 4;
    std::uint32_t keys[kRegisters * kWarp];        ///< of the candidates
    std::uint32_t answers[kRegisters][kTogether];  ///< which of them are neighbours of atom k
    std::uint8_t before[kRegisters][kTogether];    ///< how many such there were in earlier registers, of these
    std::uint8_t chosen[kTogether][kKept];         ///< of atom k: which candidates, one after the other
};

/// Keys of neighbours in the order in which they are found, up to kKept for each atom of a group.
template <class T>
class KeptKeys {
public:
    __device__ KeptKeys(FoundRoom& room, std::uint32_t* kept, const SearchRoom<T>& search, int size, int lane)
        : room_(room), kept_(kept), search_(search), size_(size), lane_(lane) {}

    /// A register of candidates: the key of the lane's own, and in lane k which of them are neighbours of atom k.
    __device__ void add(std::uint32_t key, std::uint32_t answer, bool last) {
        room_.keys[held_ * kWarp + lane_] = key;
        if (lane_ < kTogether) {
            room_.answers[held_][lane_] = answer;
            room_.before[held_][lane_] = static_cast<std::uint8_t>(fresh_);
        }
        fresh_ += __popc(answer);
        if (++held_ == FoundRoom::kRegisters || last) write();
    }

private:
    /// A lane turns the bits of one answer into numbers; then the warp writes the keys of each atom side by side. Lists
    /// that get longer than kKept are not kept.
    __device__ void write() {
        const int fresh = written_ + fresh_ <= kKept ? fresh_ : 0;
        const auto size = static_cast<unsigned>(size_), pairs = static_cast<unsigned>(held_) * size;
        __syncwarp();
        for (auto pair = static_cast<unsigned>(lane_); pair < pairs; pair += kWarp) {
            const unsigned r = pair / size, k = pair % size;
            std::uint32_t answer = room_.answers[r][k];
            std::uint8_t* to = &room_.chosen[k][room_.before[r][k]];
            if (room_.before[r][k] + __popc(answer) > kKept) answer = 0;
            for (; answer != 0; answer &= answer - 1)
                *to++ =
                    static_cast<std::uint8_t>(r * kWarp + static_cast<unsigned>(__ffs(static_cast<int>(answer))) - 1);
        }
        __syncwarp();
        for (int k = 0; k < size_; ++k) {
            const int count = __shfl_sync(~0U, fresh, k);
            std::uint32_t* const to = kept_ + std::int64_t{search_.at[k]} * kKept + __shfl_sync(~0U, written_, k);
            for (int first = 0; first < count; first += kWarp)
                if (first + lane_ < count) to[first + lane_] = room_.keys[room_.chosen[k][first + lane_]];
        }
        __syncwarp();
        written_ += fresh_;
        fresh_ = held_ = 0;
    }

    FoundRoom& room_;
    std::uint32_t* kept_;
    const SearchRoom<T>& search_;
    int size_, lane_, held_ = 0;
    int written_ = 0, fresh_ = 0;  // lane k: neighbours of atom k
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
