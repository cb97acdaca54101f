// A pass serves one word of 4 bytes from each bank, to all lanes that want that word. Lanes go together as lane_groups
// says.
#include "src/trace/analyse/banks.hpp"

#include <algorithm>
#include <bit>

#include "src/gpu/memory_units.hpp"
#include "src/trace/analyse/bank_use.hpp"
#include "src/trace/analyse/coalescing.hpp"

namespace lanework {
namespace {

/// The words that a group of lanes wants, bank by bank.
class Wanted {
public:
    void add(std::uint64_t word) {
        const auto bank = static_cast<unsigned>(word % kBanks);
        if (!(used_ >> bank & 1)) {
            used_ |= 1u << bank;
            count_[bank] = 0;
        }
        auto& words = word_[bank];
        const unsigned count = count_[bank];
        if (std::find(words.begin(), words.begin() + count, word) != words.begin() + count) return;
        words[count] = word;
        most_ = std::max(most_, ++count_[bank]);
        ++distinct_;
    }
    unsigned passes() const { return most_; }
    unsigned distinct() const { return distinct_; }

private:
    std::uint32_t used_ = 0;
    unsigned most_ = 0, distinct_ = 0;
    std::array<unsigned, kBanks> count_;
    std::array<std::array<std::uint64_t, kLanes>, kBanks> word_;
};

struct Passes {
    unsigned needed = 0, ideal = 0;
};

/// Of the lanes of `lanes`; at least one.
Passes passes(const Request& request, std::uint32_t lanes) {
    const unsigned words = std::max(1u, request.site->bytes / kWordBytes);
    std::uint64_t least = ~std::uint64_t{0}, greatest = 0;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const std::uint64_t word = request.address[static_cast<unsigned>(std::countr_zero(left))] / kWordBytes;
        least = std::min(least, word);
        greatest = std::max(greatest, word + words - 1);
    }
    if (greatest - least < kBanks) return {1, 1};  // no two words share a bank
    Wanted wanted;
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const std::uint64_t word = request.address[static_cast<unsigned>(std::countr_zero(left))] / kWordBytes;
        for (unsigned i = 0; i < words; ++i) wanted.add(word + i);
    }
    return {wanted.passes(), (wanted.distinct() + kBanks - 1) / kBanks};
}

/// Of the parts of `lanes` that could take all banks at once by the bytes of each, in as many passes as each needs.
Passes passes_apart(const Request& request, unsigned lanes) {
    Passes sum;
    for (unsigned first = 0; first < kLanes; first += lanes) {
        const std::uint32_t part = request.lanes & ((1u << lanes) - 1) << first;
        if (part == 0) continue;
        const Passes some = passes(request, part);
        sum.needed += some.needed;
        sum.ideal += some.ideal;
    }
    return sum;
}

/// Whether the passes that Nsight Compute says a load of 8 or 16 bytes takes hang on which lanes it takes to go
/// together, which is known of what was measured alone (results/h200/shared-loads-of-16-bytes.csv). They are the fewest
/// where all go together, and the most where none do that two passes could take.
bool is_unclear(const Request& request) {
    const unsigned bytes = request.site->bytes;
    if (request.site->kind != EventKind::load || bytes <= kWordBytes) return false;
    constexpr unsigned kHalf = kLanes / 2;
    const auto groups = lane_groups(request.lanes, bytes, false, request.address);
    const bool whole = request.lanes == ~std::uint32_t{0}, joined = groups[1] == 0;
    if (whole && !joined) return false;
    const Passes apart = passes_apart(request, 128 / bytes);
    if (whole) {
        // Lanes that share addresses and collide: it says 8 passes where the GPU takes 4.
        unsigned most = 0, sum = 0;
        for (const std::uint32_t group : groups) {
            const unsigned needed = group != 0 ? passes(request, group).needed : 0;
            most = std::max(most, needed);
            sum += needed;
        }
        return most > 1 && sum != apart.needed;
    }
    const Passes together = passes(request, request.lanes);
    if (apart.needed == together.needed && apart.ideal == together.ideal) return false;
    if (bytes == 8 || joined) return true;
    const Passes halves = passes_apart(request, kHalf);
    return apart.needed != halves.needed || apart.ideal != halves.ideal;
}

}  // namespace

SharedCounters count_shared(const Request& request) {
    SharedCounters counted;
    counted.requests = 1;
    counted.lanes = static_cast<unsigned>(std::popcount(request.lanes));
    const bool stores = request.site->kind == EventKind::store;
    for (const std::uint32_t group : lane_groups(request.lanes, request.site->bytes, stores, request.address)) {
        if (group == 0) continue;
        const Passes some = passes(request, group);
        counted.wavefronts += some.needed;
        counted.ideal_wavefronts += some.ideal;
    }
    if (stores && request.site->bytes == 8) {
        // Nsight Compute counts the lanes' bytes here, also those of lanes that store to one place.
        constexpr auto kPass = static_cast<unsigned>(kBanks * kWordBytes);
        const auto ideal = static_cast<unsigned>((counted.lanes * request.site->bytes + kPass - 1) / kPass);
        counted.apart_wavefronts = counted.ideal_wavefronts - ideal;
        counted.ideal_wavefronts = ideal;
    }
    counted.most_wavefronts = counted.wavefronts;
    counted.unclear = is_unclear(request) ? 1 : 0;
    if (request.site->kind == EventKind::atomic) counted.most_lanes_per_address = most_lanes_per_address(request);
    return counted;
}

void Banks::request(const Request& request) {
    const SharedCounters counted = count_shared(request);
    request.site->shared.add(counted);
    worst_.offer(request, counted.wavefronts);
}

}  // namespace lanework
