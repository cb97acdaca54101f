// A block's sectors live as long as the block; of the launch's there is one bit each, and of lines who loaded them
// last.
#include "src/trace/analyse/footprint.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "src/gpu/memory_units.hpp"
#include "src/trace/analyse/explanation.hpp"

namespace lanework {
namespace {

constexpr std::size_t kFirstSlots = 1024;
/// Loads of warps less far apart than this count as made at the same time.
constexpr std::uint32_t kSameTurn = 2;

std::size_t hash(std::uint64_t sector) { return static_cast<std::size_t>(sector * 0x9e3779b97f4a7c15u >> 32); }

std::uint32_t apart(std::uint32_t a, std::uint32_t b) { return a > b ? a - b : b - a; }
std::uint64_t line_of(std::uint64_t sector) { return sector * kSectorBytes / kLineBytes; }

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

SectorTurns::SectorTurns() : slots_(kFirstSlots) {}

std::optional<Turn> SectorTurns::loaded(std::uint64_t sector, Turn turn) {
    const std::size_t last = slots_.size() - 1;
    for (std::size_t at = hash(sector) & last;; at = (at + 1) & last) {
        Slot& slot = slots_[at];
        if (slot.round != round_) {
            slot = {sector, round_, turn};
            if (++size_ * 2 > slots_.size()) grow();
            return std::nullopt;
        }
        if (slot.sector == sector) return std::exchange(slot.turn, turn);
    }
}

void SectorTurns::grow() {
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

void SectorTurns::clear() {
    size_ = 0;
    if (++round_ != 0) return;
    slots_.assign(slots_.size(), {});
    round_ = 1;
}

std::optional<LineTurns::Touch> LineTurns::touched(std::uint64_t line, Touch now) {
    const std::uint64_t number = line / kPageLines;
    if (!last_page_ || number != last_) {
        std::unique_ptr<Page>& page = pages_[number];
        if (!page) page = std::make_unique<Page>();
        last_ = number;
        last_page_ = page.get();
    }
    Slot& slot = (*last_page_)[line % kPageLines];
    if (slot.last && slot.last->block != now.block) slot.other = slot.last;
    slot.last = now;
    return slot.other;
}

void LineTurns::clear() {
    pages_.clear();
    last_page_ = nullptr;
}

void Footprint::launch_begins(const LaunchShape&) {
    touched_ = std::make_shared<TouchedMemory>();
    blocks_.clear();
    last_block_ = nullptr;
    loaded_.clear();
    stored_.clear();
    reuse_ = {};
}

void Footprint::block_begins(std::uint64_t block) {
    if (!free_.empty()) {
        blocks_.insert_or_assign(block, std::move(free_.back()));
        free_.pop_back();
    } else {
        blocks_.try_emplace(block);
    }
    last_block_ = nullptr;
}

void Footprint::block_ends(std::uint64_t block) {
    const auto found = blocks_.find(block);
    if (found == blocks_.end()) return;
    found->second.sectors.clear();
    found->second.turns.clear();
    free_.push_back(std::move(found->second));
    blocks_.erase(found);
    last_block_ = nullptr;
}

Footprint::Block& Footprint::block_of(std::uint64_t block) {
    if (!last_block_ || block != last_number_) {
        last_block_ = &blocks_[block];
        last_number_ = block;
    }
    return *last_block_;
}

void Footprint::load(const Request& request, std::uint64_t sector, Turn turn, Block& block) {
    GlobalCounters& counted = request.site->global;
    const bool first = !touched_->read.holds(sector);
    if (first) touched_->read.insert(sector);
    if (const std::optional<Turn> before = block.sectors.loaded(sector, turn)) {
        ++counted.repeated_sectors;
        const std::uint32_t turns = apart(turn.number, before->number);
        counted.together_sectors += before->warp != turn.warp && turns < kSameTurn;
        ++reuse_.by_turns[reuse_class(turns)];
        return;
    }
    const auto number = static_cast<std::uint32_t>(request.block);
    const auto before = loaded_.touched(line_of(sector), {number, turn.number});
    counted.first_sectors += first;
    if (first || !before) return;
    counted.along_sectors += apart(turn.number, before->turn) < kSameTurn;
    ++reuse_.by_blocks[reuse_class(apart(number, before->block))];
}

void Footprint::store(std::uint64_t sector, std::uint32_t block) {
    const bool first = !touched_->written.holds(sector);
    if (first) touched_->written.insert(sector);
    const auto before = stored_.touched(line_of(sector), {block, 0});
    if (!first && before) ++reuse_.stored_by_blocks[reuse_class(apart(block, before->block))];
}

void Footprint::request(const Request& request) {
    const Site& site = *request.site;
    const Sectors sectors(request);
    if (site.kind != EventKind::load && site.kind != EventKind::fetch) {
        for (unsigned i = 0; i < sectors.count; ++i) store(sectors.value[i], static_cast<std::uint32_t>(request.block));
        return;
    }
    Block& block = block_of(request.block);
    if (block.turns.size() <= request.warp) block.turns.resize(request.warp + 1);
    const Turn turn{block.turns[request.warp]++, static_cast<std::uint16_t>(request.warp)};
    ++reuse_.requests;
    reuse_.sectors += sectors.count;
    for (unsigned i = 0; i < sectors.count; ++i) load(request, sectors.value[i], turn, block);
}

void Footprint::record(KernelTrace& trace) const {
    trace.footprint_read = touched_->read.size() * kSectorBytes;
    trace.footprint_pairs = touched_->read.pairs() * 2 * kSectorBytes;
    trace.footprint_written = touched_->written.size() * kSectorBytes;
    trace.touched = touched_;
    trace.reuse = reuse_;
}

}  // namespace lanework
