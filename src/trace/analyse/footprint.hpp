// Footprint: which sectors of global memory a launch touches at all, and which it loads again, how long after.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "src/gpu/touched_sectors.hpp"
#include "src/trace/analyse/analyser.hpp"
#include "src/trace/analyse/reuse.hpp"

namespace lanework {

/// A load: which warp's, and how many the warp had made before.
struct Turn {
    std::uint32_t number = 0;
    std::uint16_t warp = 0;
};

/// Sectors with the last load of each, quick to empty.
class SectorTurns {
public:
    SectorTurns();
    /// The last load of the sector, which becomes `turn`; null for its first.
    std::optional<Turn> loaded(std::uint64_t sector, Turn turn);
    void clear();

private:
    struct Slot {
        std::uint64_t sector = 0;
        std::uint32_t round = 0;  // 0 is never
        Turn turn;
    };
    void grow();

    std::vector<Slot> slots_;  // open addressing, a power of two
    std::size_t size_ = 0;
    std::uint32_t round_ = 1;
};

/// Which blocks touched each line of memory last, and in which of their warps' turns.
class LineTurns {
public:
    struct Touch {
        std::uint32_t block = 0, turn = 0;
    };
    /// The last touch of the line by another block; null where there was none.
    std::optional<Touch> touched(std::uint64_t line, Touch now);
    void clear();

private:
    static constexpr unsigned kPageLines = 512;
    struct Slot {
        std::optional<Touch> last, other;
    };
    using Page = std::array<Slot, kPageLines>;

    std::unordered_map<std::uint64_t, std::unique_ptr<Page>> pages_;
    std::uint64_t last_ = ~std::uint64_t{0};
    Page* last_page_ = nullptr;
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
    /// What a block loaded, and how many loads each of its warps made.
    struct Block {
        SectorTurns sectors;
        std::vector<std::uint32_t> turns;
    };
    Block& block_of(std::uint64_t block);
    void load(const Request& request, std::uint64_t sector, Turn turn, Block& block);
    void store(std::uint64_t sector, std::uint32_t block);

    std::shared_ptr<TouchedMemory> touched_ = std::make_shared<TouchedMemory>();
    std::unordered_map<std::uint64_t, Block> blocks_;
    std::vector<Block> free_;
    std::uint64_t last_number_ = ~std::uint64_t{0};
    Block* last_block_ = nullptr;
    LineTurns loaded_, stored_;
    Reuse reuse_;
};

}  // namespace lanework
