// Footprint: which sectors of global memory a launch touches at all, and which a block loads again and again.
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "src/gpu/touched_sectors.hpp"
#include "src/trace/analyse/analyser.hpp"

namespace lanework {

/// A set of sector numbers that is quick to empty.
class SectorSet {
public:
    SectorSet();
    /// False when it was there already.
    bool insert(std::uint64_t sector);
    void clear();

private:
    struct Slot {
        std::uint64_t sector = 0;
        std::uint32_t round = 0;  // 0 is never
    };
    void grow();

    std::vector<Slot> slots_;  // open addressing, a power of two
    std::size_t size_ = 0;
    std::uint32_t round_ = 1;
};

class Footprint final : public Analyser {
public:
    bool sees_requests(Space space) const override { return space == Space::global || space == Space::texture; }
    void launch_begins(const LaunchShape& shape) override;
    void block_begins(std::uint64_t block) override;
    void request(const Request& request) override;
    void block_ends(std::uint64_t block) override;
    void record(KernelTrace& trace) const override;

private:
    SectorSet& loaded_by(std::uint64_t block);

    std::shared_ptr<TouchedMemory> touched_ = std::make_shared<TouchedMemory>();
    std::unordered_map<std::uint64_t, SectorSet> blocks_;
    std::vector<SectorSet> free_;
    std::uint64_t last_block_ = ~std::uint64_t{0};
    SectorSet* last_set_ = nullptr;
};

}  // namespace lanework
