// Counting, for atomic operations alone address by address: there are few of those in a kernel that is worth its time.
#include "src/trace/analyse/pace.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/gpu/memory_units.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {
namespace {

bool updates(EventKind kind) { return kind == EventKind::atomic || kind == EventKind::reduction; }

}  // namespace

/// The addresses of a request, in order, each as often as lanes name it.
struct PaceAnalyser::Named {
    std::array<std::uint64_t, kLanes> address;
    unsigned count = 0;

    explicit Named(const Request& request) {
        for (std::uint32_t left = request.lanes; left != 0; left &= left - 1)
            address[count++] = request.address[static_cast<unsigned>(std::countr_zero(left))];
        std::sort(address.begin(), address.begin() + count);
    }
    /// Lanes in the bank that most are in, less the words of the bank that has most.
    std::uint64_t turns_in_banks() const;
    /// Most lanes that name one of the addresses from `first` to before `end`.
    std::uint64_t turns(unsigned first, unsigned end) const {
        std::uint64_t turns = 0, most = 0;
        for (unsigned i = first; i < end; ++i) {
            turns = i != first && address[i] == address[i - 1] ? turns + 1 : 1;
            most = std::max(most, turns);
        }
        return most;
    }
};

std::uint64_t PaceAnalyser::Named::turns_in_banks() const {
    std::array<unsigned, kBanks> lanes{}, words{};
    for (unsigned i = 0; i < count; ++i) {
        const std::uint64_t bank = address[i] / kWordBytes % kBanks;
        ++lanes[bank];
        words[bank] += i == 0 || address[i] != address[i - 1];
    }
    return *std::ranges::max_element(lanes) - *std::ranges::max_element(words);
}

void PaceAnalyser::launch_begins(const LaunchShape&) {
    pace_ = {};
    updates_.clear();
    words_.clear();
}

void PaceAnalyser::request(const Request& request) {
    if (!updates(request.site->kind)) return;
    const Named named(request);
    if (request.site->space == Space::shared) {
        for (unsigned i = 1; i < named.count; ++i) pace_.shared_collisions += named.address[i] == named.address[i - 1];
        pace_.shared_turns += named.turns_in_banks();
        pace_.shared_same += named.turns(0, named.count);
        auto& words = words_[request.block];
        for (unsigned i = 0; i < named.count; ++i) ++words[named.address[i] / kWordBytes];
        return;
    }
    if (request.site->block_scope) {
        ++pace_.block_requests;
        pace_.block_turns += named.turns(0, named.count);
        return;
    }
    update(named);
}

void PaceAnalyser::update(const Named& named) {
    // A slice of L2 serves neighbouring bytes: at one address lanes take turns, and sectors go one by one.
    constexpr std::uint64_t kRegion = 512, kSector = 32;
    for (unsigned first = 0, end = 0; first < named.count; first = end) {
        const std::uint64_t region = named.address[first] / kRegion;
        Updates& counted = updates_[region];
        for (end = first; end < named.count && named.address[end] / kRegion == region; ++end)
            counted.sectors += end == first || named.address[end] / kSector != named.address[end - 1] / kSector;
        counted.turns += named.turns(first, end);
    }
}

void PaceAnalyser::meeting(const Meeting&) { ++pace_.meetings; }
void PaceAnalyser::barrier(std::uint64_t) { ++pace_.barriers; }
void PaceAnalyser::block_ends(std::uint64_t block) {
    const auto found = words_.find(block);
    if (found == words_.end()) return;
    std::uint64_t most = 0;
    for (const auto& [word, lanes] : found->second) most = std::max(most, lanes);
    pace_.busiest_words += most;
    words_.erase(found);
}

LaunchPace PaceAnalyser::pace() const {
    LaunchPace pace = pace_;
    for (const auto& [region, counted] : updates_) {
        if (std::pair(counted.turns, counted.sectors) < std::pair(pace.hottest_turns, pace.hottest_sectors)) continue;
        pace.hottest_turns = counted.turns;
        pace.hottest_sectors = counted.sectors;
    }
    return pace;
}

void PaceAnalyser::record(KernelTrace& trace) const { trace.pace = pace(); }

}  // namespace lanework
