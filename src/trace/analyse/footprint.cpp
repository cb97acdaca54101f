// Sets of sectors. A block's set lives as long as the block; the launch's is one bit per sector.
#include "src/trace/analyse/footprint.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/gpu/memory_units.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {
namespace {

constexpr std::size_t kFirstSlots = 1024;

std::size_t hash(std::uint64_t sector) { return static_cast<std::size_t>(sector * 0x9e3779b97f4a7c15u >> 32); }

/// The sectors of a request, each once.
struct Sectors {
    std::array<std::uint64_t, kLanes> value;
    unsigned count = 0;

    explicit Sectors(const Request& request) {
        bool rising = true;
        for (std::uint32_t left = request.lanes; left != 0; left &= left - 1) {
            const std::uint64_t sector = request.address[static_cast<unsigned>(std::countr_zero(left))] / kSectorBytes;
            if (count != 0 && sector == value[count - 1]) continue;
            rising = rising && (count == 0 || sector > value[count - 1]);
            value[count++] = sector;
        }
        if (rising) return;
        std::sort(value.begin(), value.begin() + count);
        count = static_cast<unsigned>(std::unique(value.begin(), value.begin() + count) - value.begin());
    }
};

}  // namespace

SectorSet::SectorSet() : slots_(kFirstSlots) {}

bool SectorSet::insert(std::uint64_t sector) {
    const std::size_t last = slots_.size() - 1;
    for (std::size_t at = hash(sector) & last;; at = (at + 1) & last) {
        Slot& slot = slots_[at];
        if (slot.round != round_) {
            slot = {sector, round_};
            if (++size_ * 2 > slots_.size()) grow();
            return true;
        }
        if (slot.sector == sector) return false;
    }
}

void SectorSet::grow() {
    std::vector<Slot> old(slots_.size() * 2);
    old.swap(slots_);
    const std::size_t last = slots_.size() - 1;
    for (const Slot& slot : old) {
        if (slot.round != round_) continue;
        std::size_t at = hash(slot.sector) & last;
        while (slots_[at].round == round_) at = (at + 1) & last;
        slots_[at] = slot;
    }
}

void SectorSet::clear() {
    size_ = 0;
    if (++round_ != 0) return;
    slots_.assign(slots_.size(), {});
    round_ = 1;
}

void Footprint::launch_begins(const LaunchShape&) {
    touched_ = std::make_shared<TouchedMemory>();
    blocks_.clear();
    last_set_ = nullptr;
}

void Footprint::block_begins(std::uint64_t block) {
    if (!free_.empty()) {
        blocks_.insert_or_assign(block, std::move(free_.back()));
        free_.pop_back();
    } else {
        blocks_.try_emplace(block);
    }
    last_set_ = nullptr;
}

void Footprint::block_ends(std::uint64_t block) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return;
    found->second.clear();
    free_.push_back(std::move(found->second));
    blocks_.erase(found);
    last_set_ = nullptr;
}

SectorSet& Footprint::loaded_by(std::uint64_t block) {
    if (!last_set_ || block != last_block_) {
        last_set_ = &blocks_[block];
        last_block_ = block;
    }
    return *last_set_;
}

void Footprint::request(const Request& request) {
    Site& site = *request.site;
    const bool load = site.kind == EventKind::load || site.kind == EventKind::fetch;
    SectorSet* const loaded = load ? &loaded_by(request.block) : nullptr;
    const Sectors sectors(request);
    for (unsigned i = 0; i < sectors.count; ++i) {
        const std::uint64_t sector = sectors.value[i];
        if (!load) touched_->written.insert(sector);
        if (!loaded) continue;
        touched_->read.insert(sector);
        site.global.repeated_sectors += !loaded->insert(sector);
    }
}

void Footprint::record(KernelTrace& trace) const {
    trace.footprint_read = touched_->read.size() * kSectorBytes;
    trace.footprint_pairs = touched_->read.pairs() * 2 * kSectorBytes;
    trace.footprint_written = touched_->written.size() * kSectorBytes;
    trace.touched = touched_;
}

}  // namespace lanework
