// The world that machine code is executed in: copies of memory, the launch's textures, and counters by instruction.
#include "src/trace/record/counted_execution.hpp"

#include <algorithm>
#include <deque>
#include <utility>

#include "src/trace/analyse/banks.hpp"
#include "src/trace/analyse/coalescing.hpp"
#include "src/trace/record/machine_textures.hpp"

namespace lanework {
namespace {

/// The memory that the code finds, and what it does to it.
class World final : public MachineWorld {
public:
    World(MemorySnapshot& memory, const std::vector<KeptArgument>& arguments, MachineTrace& trace)
        : memory_(memory), textures_(arguments), trace_(trace) {
        site_of_.assign(trace.kernel->instructions.size() * kWays, nullptr);
    }

    std::span<std::byte> global(std::uint64_t address) override { return memory_.at(address); }

    MachineArray array(std::uint64_t address) override { return memory_.range_of(address); }
    bool beside_memory(std::uint64_t address) override { return memory_.is_beside(address); }
    bool fetch(const MachineFetch& fetch, MachineTexel& texel) override { return textures_.fetch(fetch, texel); }

    void accessed(const MachineAccess& access) override {
        Site& site = site_of(access);
        Request& request = request_;
        request.site = &site;
        request.lanes = access.lanes;
        request.address = access.address;
        request.block = access.block;
        request.warp = access.warp;
        if (access.space == MachineSpace::global) {
            site.global.add(count_global(request));
            if (access.kind != MachineAccessKind::load) note_arrays(access);
        } else if (access.space == MachineSpace::shared) {
            site.shared.add(count_shared(request));
        } else {
            // A request brings each lane a word.
            constexpr unsigned kWord = 4;
            site.local.requests += std::max(1u, access.bytes / kWord);
            site.local.lanes += static_cast<unsigned>(__builtin_popcount(access.lanes));
        }
    }

    void finish() {
        for (const auto& [instruction, site] : sites_) trace_.sites.push_back({instruction, site});
        std::ranges::stable_sort(trace_.sites, {}, &MachineSite::instruction);
    }
    /// The arrays that were written to.
    const std::vector<MachineArray>& stored() const { return stored_; }

private:
    void note_arrays(const MachineAccess& access) {
        for (std::uint32_t left = access.lanes; left != 0; left &= left - 1) {
            const std::uint64_t address = access.address[static_cast<unsigned>(__builtin_ctz(left))];
            const auto holds = [&](const MachineArray& array) { return address - array.base < array.bytes; };
            if (stored_.empty() || (!holds(stored_.back()) && std::ranges::none_of(stored_, holds)))
                stored_.push_back(memory_.range_of(address));
        }
    }

    static constexpr std::size_t kWays = 4;  // spaces that one instruction may access

    Site& site_of(const MachineAccess& access) {
        Site*& site = site_of_[access.instruction * kWays + static_cast<std::size_t>(access.space)];
        if (site) return *site;
        Site& made = sites_.emplace_back(access.instruction, Site{}).second;
        made.id = static_cast<std::uint32_t>(sites_.size() - 1);
        constexpr EventKind kKinds[] = {EventKind::load, EventKind::store, EventKind::atomic, EventKind::reduction};
        constexpr Space kSpacesOf[] = {Space::global, Space::shared, Space::local, Space::constant};
        made.kind = kKinds[static_cast<std::size_t>(access.kind)];
        made.space = kSpacesOf[static_cast<std::size_t>(access.space)];
        made.bytes = access.bytes;
        return *(site = &made);
    }

    MemorySnapshot& memory_;
    MachineTextures textures_;
    MachineTrace& trace_;
    Request request_{};
    std::deque<std::pair<std::uint32_t, Site>> sites_;
    std::vector<Site*> site_of_;
    std::vector<MachineArray> stored_;
};

}  // namespace

MachineRun execute_into(MachineTrace& trace, const MachineLaunch& launch, const std::vector<KeptArgument>& arguments,
                        MemorySnapshot& memory, std::vector<MachineArray>* stored) {
    World world(memory, arguments, trace);
    MachineRun run = execute(*trace.kernel, launch, world);
    world.finish();
    trace.counts = run.counts;
    trace.longest_warp = run.longest_warp;
    if (stored) *stored = world.stored();
    return run;
}

}  // namespace lanework
