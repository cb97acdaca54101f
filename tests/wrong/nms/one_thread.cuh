// Suppression by one thread for each image, for the mistakes that wrong kernels make in it.
#pragma once

#include "ops/nms/sorting.cuh"

namespace lanework::inline LANEWORK_ON_DEVICE {

struct OneThread {
    Sorted sorted;
    std::uint8_t* suppressed;  ///< images × n, by place

    OneThread(const NmsArgs& a, ScratchParts& memory)
        : sorted(a, memory), suppressed(memory.take<std::uint8_t>(a.images * a.n)) {}
};

/// Candidate j suppresses i, which is later, when rule(j is suppressed itself, candidate j, candidate i).
template <class Rule>
__device__ void suppress_in_order(const NmsArgs& a, const OneThread& work, std::int64_t image, Rule rule) {
    std::int64_t count = 0, end = work.sorted.candidates[image];
    if (a.top > 0 && end > a.top) end = a.top;
    for (std::int64_t i = 0; i < end; ++i) {
        const std::int64_t first = image * a.n;
        const BoxCandidate own = work.sorted.at(first + i);
        bool suppressed = false;
        for (std::int64_t j = 0; j < i && !suppressed; ++j)
            suppressed = rule(work.suppressed[first + j] != 0, work.sorted.at(first + j), own);
        work.suppressed[first + i] = suppressed ? 1 : 0;
        if (suppressed || count >= a.capacity) continue;
        write_kept(a, image, count++, work.sorted.order[first + i], own.box);
    }
    a.counts[image] = static_cast<std::int32_t>(count);
}

inline std::size_t one_thread_workspace(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const OneThread work(a, memory);
    return memory.bytes();
}

}  // namespace lanework::inline LANEWORK_ON_DEVICE
