// Warps that never ran: tests tell an analyser what each of them did, access by access.
#pragma once

#include <deque>
#include <initializer_list>
#include <map>
#include <vector>

#include "src/trace/record/hazards.hpp"

namespace lanework {

/// A launch of one-dimensional blocks, told to the hazard analyser.
class SyntheticLaunch {
public:
    explicit SyntheticLaunch(unsigned threads = 64, unsigned blocks = 4, std::size_t dynamic_shared = 1024)
        : hazards_([this](std::uint64_t load) { return moved_[load]; }) {
        meeting_.kind = EventKind::warp_sync;
        fence_.kind = EventKind::fence;
        release_.kind = EventKind::release;
        acquire_.kind = EventKind::acquire;
        shape_.kernel = "synthetic";
        shape_.grid = {blocks, 1, 1};
        shape_.block = {threads, 1, 1};
        shape_.dynamic_shared = dynamic_shared;
        hazards_.launch_begins(shape_);
    }

    Site& site(EventKind kind, Space space, unsigned bytes = 4) {
        Site& made = sites_.emplace_back();
        made.id = static_cast<std::uint32_t>(sites_.size() - 1);
        made.pc = 0x1000 + 0x10 * sites_.size();
        made.kind = kind;
        made.space = space;
        made.bytes = bytes;
        return made;
    }
    /// What `load` reads goes to these stores as it is, and nowhere else.
    void only_moves(const Site& load, std::initializer_list<const Site*> stores) {
        MovedValue& moved = moved_[load.pc];
        moved.only_moved = true;
        for (const Site* const each : stores) moved.stores.push_back(each->pc);
    }
    /// Lanes from `first` on, each `step` bytes after the one before.
    void access(Site& site, std::uint64_t block, unsigned warp, std::uint64_t address, unsigned lanes = kLanes,
                std::int64_t step = 4, unsigned first = 0) {
        Request request{.site = &site, .lanes = 0, .address = {}, .block = block, .warp = warp};
        for (unsigned lane = first; lane < first + lanes; ++lane) {
            request.lanes |= 1u << lane;
            request.address[lane] = address + static_cast<std::uint64_t>(step * (lane - first));
        }
        hazards_.request(request);
    }
    /// One lane.
    void single(Site& site, std::uint64_t block, unsigned thread, std::uint64_t address) {
        access(site, block, thread / kLanes, address, 1, 0, thread % kLanes);
    }
    void meet(std::uint64_t block, unsigned warp, std::uint32_t lanes = ~0u) {
        hazards_.meeting({&meeting_, lanes, block, warp});
    }
    void fence(std::uint64_t block, unsigned thread) {
        hazards_.fence({&fence_, 1u << thread % kLanes, block, thread / kLanes});
    }
    /// An atomic operation of one lane, with its order.
    void releases(Site& site, std::uint64_t block, unsigned thread, std::uint64_t address) {
        hazards_.fence({&release_, 1u << thread % kLanes, block, thread / kLanes});
        single(site, block, thread, address);
    }
    void acquires(Site& site, std::uint64_t block, unsigned thread, std::uint64_t address) {
        single(site, block, thread, address);
        hazards_.fence({&acquire_, 1u << thread % kLanes, block, thread / kLanes});
    }
    Hazards& hazards() { return hazards_; }
    void begin(std::uint64_t block) { hazards_.block_begins(block); }
    void barrier(std::uint64_t block) { hazards_.barrier(block); }
    /// As the device tells it: the end of a block is a barrier too.
    void end(std::uint64_t block) {
        hazards_.barrier(block);
        hazards_.block_ends(block);
    }
    void next_launch() {
        hazards_.launch_ends(shape_);
        hazards_.launch_begins(shape_);
    }
    const std::vector<Hazard>& finish() {
        hazards_.launch_ends(shape_);
        return hazards_.list().hazards();
    }

private:
    std::map<std::uint64_t, MovedValue> moved_;
    Hazards hazards_;
    LaunchShape shape_;
    std::deque<Site> sites_;
    Site meeting_, fence_, release_, acquire_;
};

inline std::uint64_t number(const void* pointer) { return reinterpret_cast<std::uint64_t>(pointer); }

/// Shared memory that all of the block's threads have written, with a barrier behind it.
inline void fill_shared(SyntheticLaunch& launch, std::uint64_t block, unsigned warps = 2) {
    Site& fill = launch.site(EventKind::store, Space::shared);
    for (unsigned warp = 0; warp < warps; ++warp) launch.access(fill, block, warp, warp * 128);
    launch.barrier(block);
}

/// Global memory that the host has written.
class Array {
public:
    explicit Array(SyntheticLaunch& launch) {
        launch.hazards().memory_allocated({words_.data(), bytes()});
        launch.hazards().memory_written({words_.data(), bytes()});
    }
    /// Its address; of a word behind the last one, too.
    std::uint64_t operator[](std::size_t word) const { return number(words_.data() + word); }
    std::size_t bytes() const { return words_.size() * sizeof(std::uint32_t); }

private:
    std::vector<std::uint32_t> words_ = std::vector<std::uint32_t>(50'000);
};

}  // namespace lanework
