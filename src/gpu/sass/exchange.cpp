// What the lanes of a warp tell each other: shuffles, votes, matches and sums over them.
#include <algorithm>
#include <bit>
#include <iterator>

#include "src/gpu/sass/warp.hpp"

namespace lanework::machine {
namespace {

// -- shuffles ---------------------------------------------------------------------------------------------------------

enum Shuffle : std::uint32_t { kIndex, kUp, kDown, kButterfly };

void shuffle(Warp& warp, const Step& step, std::uint32_t lanes) {
    std::array<Words, 3> spare;
    const Words value = integers(warp, step.source[0], spare[0]);
    const Words &by = integers(warp, step.source[1], spare[1]), &control = integers(warp, step.source[2], spare[2]);
    Words result;
    std::uint32_t within = 0;
    for (unsigned i = 0; i < kWarp; ++i) {
        // As the PTX ISA defines shfl: c holds a clamp, and above it the mask that parts the warp into segments.
        const unsigned segment = control[i] >> 8 & 31, clamp = control[i] & 31, amount = by[i] & 31;
        const unsigned last = (i & segment) | (clamp & ~segment), first = i & segment;
        int from = 0;
        bool inside = false;
        switch (step.variant) {
            case kUp:
                from = static_cast<int>(i) - static_cast<int>(amount);
                inside = from >= static_cast<int>(last);
                break;
            case kDown:
                from = static_cast<int>(i + amount);
                inside = from <= static_cast<int>(last);
                break;
            case kButterfly:
                from = static_cast<int>(i ^ amount);
                inside = from <= static_cast<int>(last);
                break;
            default: from = static_cast<int>(first | (amount & ~segment)); inside = from <= static_cast<int>(last);
        }
        within |= std::uint32_t{inside} << i;
        result[i] = value[inside ? static_cast<unsigned>(from) & 31 : i];
    }
    put(warp, step, result, lanes);
    warp.set(step.set[0], within, lanes);
}
void decode_shuffle(Decoding& d, Step& step) {
    constexpr std::string_view kNames[] = {"IDX", "UP", "DOWN", "BFLY"};
    step.action = shuffle;
    const auto found = std::ranges::find_if(kNames, [&](std::string_view name) { return d.take(name); });
    if (found == std::end(kNames)) d.refuse();
    step.variant = static_cast<std::uint32_t>(found - std::begin(kNames));
    d.set(step, 1);
    d.target(step);
    for (unsigned i = 0; i < 3; ++i) step.source[i] = d.source();
}

// -- votes ------------------------------------------------------------------------------------------------------------

constexpr std::uint32_t kAny = 0, kEvery = 1, kSame = 2, kNoVote = 3;

void vote(Warp& warp, const Step& step, std::uint32_t lanes) {
    const std::uint32_t votes = warp.test(step.test[0]) & lanes;
    const bool all = votes == lanes;
    const bool result = step.variant == kAny ? votes != 0 : step.variant == kEvery ? all : all || votes == 0;
    Words words;
    words.fill(votes);
    put(warp, step, words, lanes);
    warp.set(step.set[0], result ? kAll : 0, lanes);
}
void decode_vote(Decoding& d, Step& step) {
    step.action = vote;
    step.variant = d.take("ANY") ? kAny : d.take("ALL") ? kEvery : d.take("EQ") ? kSame : kNoVote;
    if (step.variant == kNoVote) d.refuse();
    if (!d.peek().is_predicate()) d.target(step);
    d.set(step, 1);
    step.test[0] = d.test();
}

// The lanes that hold the same word.
void match(Warp& warp, const Step& step, std::uint32_t lanes) {
    Longs value{};
    if (step.bytes == 8) {
        longs(warp, step.source[0], value);
    } else {
        Words spare;
        const Words& words = integers(warp, step.source[0], spare);
        std::ranges::copy(words, value.begin());
    }
    Words result;
    for (unsigned i = 0; i < kWarp; ++i)
        result[i] = lanes & mask_of([&](unsigned other) { return value[other] == value[i]; });
    const bool one = mask_of([&](unsigned i) { return (lanes >> i & 1) && result[i] != lanes; }) == 0;
    // A group is counted at its first lane.
    warp.block->launch->run.counts[step.index].matched += static_cast<unsigned>(std::popcount(
        mask_of([&](unsigned i) { return (lanes >> i & 1) && std::countr_zero(result[i]) == static_cast<int>(i); })));
    if (step.variant == kEvery) result.fill(one ? lanes : 0);
    put(warp, step, result, lanes);
    warp.set(step.set[0], one ? kAll : 0, lanes);
}
void decode_match(Decoding& d, Step& step) {
    step.action = match;
    step.variant = d.take("ALL") ? kEvery : kAny;
    d.take("ANY");
    step.bytes = d.take("U64") ? 8 : 4;
    d.set(step, 1);
    d.target(step);
    step.source[0] = d.source();
}

// -- one word of all lanes --------------------------------------------------------------------------------------------

enum Reduction : std::uint32_t { kSum, kAnd, kOr, kXor, kLeast, kGreatest, kSigned = 8 };

void reduce(Warp& warp, const Step& step, std::uint32_t lanes) {
    Words spare;
    const Words& words = integers(warp, step.source[0], spare);
    std::uint32_t result = 0;
    bool first = true;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1, first = false) {
        const std::uint32_t word = words[static_cast<unsigned>(std::countr_zero(left))];
        const bool less = step.variant & kSigned ? static_cast<std::int32_t>(word) < static_cast<std::int32_t>(result)
                                                 : word < result;
        if (first) {
            result = word;
            continue;
        }
        switch (step.variant & 7) {
            case kSum: result += word; break;
            case kAnd: result &= word; break;
            case kOr: result |= word; break;
            case kXor: result ^= word; break;
            case kLeast: result = less ? word : result; break;
            default: result = less ? result : word;
        }
    }
    if (step.target != kZeroUniform) warp.uniform[step.target] = result;
}
void decode_reduce(Decoding& d, Step& step) {
    constexpr std::string_view kNames[] = {"SUM", "AND", "OR", "XOR", "MIN", "MAX"};
    step.action = reduce;
    const auto found = std::ranges::find_if(kNames, [&](std::string_view name) { return d.take(name); });
    step.variant = found == std::end(kNames) ? kAnd : static_cast<std::uint32_t>(found - std::begin(kNames));
    if (d.take("S32")) step.variant |= kSigned;
    d.target(step);
    if (!step.uniform_target) d.refuse();
    step.source[0] = d.source();
}

}  // namespace

Decoder warp_decoder(std::string_view name) {
    struct Named {
        std::string_view name;
        Decoder decoder;
    };
    constexpr Named kNamed[] = {
        {"SHFL", decode_shuffle}, {"VOTE", decode_vote},    {"VOTEU", decode_vote},
        {"MATCH", decode_match},  {"REDUX", decode_reduce},
    };
    const auto found = std::ranges::find(kNamed, name, &Named::name);
    return found == std::end(kNamed) ? nullptr : found->decoder;
}

}  // namespace lanework::machine
