// Sort, then compare each candidate with the boxes that are kept already: those that were suppressed cost nothing more.
#include <algorithm>

#include "ops/nms/candidates.hpp"

namespace {
struct Scratch {
    std::uint64_t* keys;  // n
    BoxCandidate* kept;   // n

    Scratch(const NmsArgs& a, ScratchParts& memory)
        : keys(memory.take<std::uint64_t>(a.n)), kept(memory.take<BoxCandidate>(a.n)) {}
};

// The sorted keys of an image's candidates; returns their end.
std::uint64_t* sort_keys(const NmsArgs& a, std::int64_t image, std::uint64_t* keys) {
    std::uint64_t* end = keys;
    a.dropped[image] = 0;
    for (std::int64_t i = 0; i < a.n; ++i) {
        bool dropped = false;
        *end = key_of(a, image, i, dropped);
        end += *end != kNoCandidate ? 1 : 0;
        a.dropped[image] += dropped ? 1 : 0;
    }
    std::sort(keys, end);
    return a.top > 0 && end - keys > a.top ? keys + a.top : end;
}

void suppress(const NmsArgs& a, std::int64_t image, const Scratch& scratch) {
    const std::uint64_t* const end = sort_keys(a, image, scratch.keys);
    std::int64_t count = 0;
    for (const std::uint64_t* key = scratch.keys; key != end && count < a.capacity; ++key) {
        const BoxCandidate candidate = candidate_of(a, image, index_of(*key));
        if (std::any_of(scratch.kept, scratch.kept + count,
                        [&](const BoxCandidate& kept) { return suppresses(kept, candidate, a.iou_threshold); }))
            continue;
        scratch.kept[count] = candidate;
        write_kept(a, image, count++, index_of(*key), candidate.box);
    }
    a.counts[image] = static_cast<std::int32_t>(count);
    for (; count < a.capacity; ++count) write_none(a, image * a.capacity + count);
}

std::size_t workspace(const NmsArgs& a) {
    ScratchParts memory(nullptr);
    const Scratch scratch(a, memory);
    return memory.bytes();
}

void launch(const NmsArgs& a, Team) {
    ScratchParts memory(a.workspace);
    const Scratch scratch(a, memory);
    for (std::int64_t image = 0; image < a.images; ++image) suppress(a, image, scratch);
}
}  // namespace

LANEWORK_RUNG(
    nms, serial,
    {
        .lesson = "Sort; compare each candidate with the kept ones only, and stop at the first that suppresses.",
        .launch = launch,
        .workspace = workspace,
    });
