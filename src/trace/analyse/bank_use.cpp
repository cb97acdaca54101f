// Serves a request bank by bank.
#include "src/trace/analyse/bank_use.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "src/gpu/memory_units.hpp"

namespace lanework {
namespace {

/// Whether each of the lanes agrees with the lane whose number differs in `bit`, or that one takes no part.
bool pairs_agree(std::uint32_t lanes, const std::array<std::uint64_t, kLanes>& address, unsigned bit) {
    for (std::uint32_t left = lanes; left != 0; left &= left - 1) {
        const auto lane = static_cast<unsigned>(std::countr_zero(left));
        const unsigned other = lane ^ bit;
        if (lanes >> other & 1u && address[lane] != address[other]) return false;
    }
    return true;
}

// The lanes that are served together, and each bank's words with a lane that wants it.
class Group {
public:
    Group(const ExampleRequest& request, std::uint32_t lanes) : request_(request), lanes_(lanes) {
        for_words([this](unsigned lane, std::uint64_t word) {
            auto& wanted = banks_[word % kBanks];
            if (std::find(wanted.words.begin(), wanted.words.end(), word) != wanted.words.end()) return;
            wanted.words.push_back(word);
            wanted.lanes.push_back(lane);
            ++distinct_;
        });
        for (unsigned bank = 0; bank < kBanks; ++bank) banks_[bank].bank = bank;
    }

    void serve(BankUse& use) const {
        const auto base = static_cast<unsigned>(use.wavefronts.size());
        for_words([&](unsigned lane, std::uint64_t word) {
            const unsigned pass = base + pass_of(word);
            if (pass >= use.wavefronts.size()) use.wavefronts.resize(pass + 1);
            use.wavefronts[pass].banks |= 1u << word % kBanks;
            use.wavefronts[pass].lanes |= 1u << lane;
            if (word == request_.first_word(lane)) use.wavefront_of_lane[lane] = pass;
        });
        const unsigned ideal = (distinct_ + kBanks - 1) / kBanks;
        use.ideal += ideal;
        for (const Collision& bank : banks_)
            if (bank.words.size() > (use.worst ? use.worst->words.size() : ideal)) use.worst = bank;
    }

private:
    template <class Visit>
    void for_words(Visit visit) const {
        for (std::uint32_t left = lanes_; left != 0; left &= left - 1) {
            const auto lane = static_cast<unsigned>(std::countr_zero(left));
            for (std::uint64_t word = request_.first_word(lane); word <= request_.last_word(lane); ++word)
                visit(lane, word);
        }
    }
    unsigned pass_of(std::uint64_t word) const {
        const auto& words = banks_[word % kBanks].words;
        return static_cast<unsigned>(std::find(words.begin(), words.end(), word) - words.begin());
    }

    const ExampleRequest& request_;
    std::uint32_t lanes_;
    unsigned distinct_ = 0;
    std::array<Collision, kBanks> banks_{};
};

}  // namespace

std::array<std::uint32_t, 4> lane_groups(std::uint32_t lanes, unsigned bytes, bool stores,
                                         const std::array<std::uint64_t, kLanes>& address) {
    constexpr std::uint32_t kHalf = 0xffff, kQuarter = 0xff;
    const auto together = [&](std::uint32_t some) {
        return pairs_agree(some, address, 1) || pairs_agree(some, address, 2);
    };
    if (bytes <= 4 || (bytes == 8 && !stores && together(lanes))) return {lanes};
    if (bytes == 8) return {lanes & kHalf, lanes & kHalf << 16};
    std::array<std::uint32_t, 4> groups{};
    // Loads: whether quarters go together is asked of the whole warp (results/h200/shared-loads-of-16-bytes.csv).
    const bool of_all = !stores && together(lanes);
    for (unsigned half = 0; half < 2; ++half) {
        const std::uint32_t both = lanes & kHalf << 16 * half, first = lanes & kQuarter << 16 * half;
        const bool whole = stores ? together(both) : of_all;
        groups[2 * half] = whole ? both : first;
        groups[2 * half + 1] = whole ? 0 : both & ~first;
    }
    return groups;
}

BankUse bank_use(const ExampleRequest& request) {
    BankUse use;
    for (const std::uint32_t group : lane_groups(request.lanes, request.bytes, request.stores, request.address))
        if (group != 0) Group(request, group).serve(use);
    return use;
}

std::string describe_collision(const BankUse& use) {
    if (!use.worst) return {};
    const Collision& collision = *use.worst;
    if (collision.words.size() == 2)
        return fmt::format("lanes {} and {} want words {} and {}, both in bank {}", collision.lanes[0],
                           collision.lanes[1], collision.words[0], collision.words[1], collision.bank);
    return fmt::format("lanes {}, {}, {}{} want {} words of bank {}", collision.lanes[0], collision.lanes[1],
                       collision.lanes[2], collision.lanes.size() > 3 ? " …" : "", collision.words.size(),
                       collision.bank);
}

}  // namespace lanework
