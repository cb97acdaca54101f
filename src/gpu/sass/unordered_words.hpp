// Words that threads access though nothing says who comes first, and in which they find or leave something else then.
// No run in another order has to come upon that: the accesses of one run show it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <unordered_map>
#include <vector>

#include "src/gpu/sass/doubtful_memory.hpp"

namespace lanework {

/// Which words those are.
struct UnorderedWords {
    /// By address; what they hold after the launch, and what only its threads find in them meanwhile.
    DoubtfulMemory left, found;
    /// Of shared memory, of any block, by the offset from its start.
    DoubtfulMemory shared;

    bool empty() const { return left.empty() && found.empty() && shared.empty(); }
};

namespace machine {

/// Whose access it is. Barriers of a block order what its warps do before and behind them; between blocks is no order.
struct Accessor {
    std::uint64_t block = 0;
    unsigned warp = 0;
    /// Barriers that the block has passed.
    std::uint64_t epoch = 0;
    /// Tells the lanes of one instruction from other accesses.
    std::uint64_t instruction = 0;
};

/// Follows all accesses of a launch to global and shared memory.
class AccessOrder {
public:
    explicit AccessOrder(UnorderedWords& words) : words_(words) {}

    /// Of so many bytes of global memory, or of a block's shared memory from its start.
    void load(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor);
    /// Before the bytes at `old` become those at `fresh`.
    void store(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor, const void* old,
               const void* fresh);
    /// Atomic operations among themselves are in no order, which others look after: they are looked at beside plain
    /// accesses.
    void update(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor, const void* old,
                const void* fresh);
    /// Of a block that has ended: nobody comes to its shared memory any more.
    void end(std::uint64_t block);

private:
    /// Whoever comes to a word or a byte.
    struct Cell {
        /// 0: nobody. What several wrote is of several. `writer` and `storer` are of plain stores, all and those that
        /// changed something.
        std::uint64_t reader = 0, writer = 0, storer = 0, updater = 0, changer = 0, instruction = 0;
        /// Changed more than once in no order with each other, so that what is stored again may not be there again;
        /// an update changed it.
        bool churned = false, updated = false;
    };
    static constexpr std::uint64_t kWordBytes = 4, kLineWords = 32, kPageLines = 32;
    /// Words side by side, which one warp mostly has to itself between two barriers: then it is kept once, and which
    /// words it read, wrote, changed and stored to in its last instruction are bits.
    struct Line {
        std::uint64_t who = 0, instruction = 0;
        std::uint32_t read = 0, written = 0, stored = 0, updates = 0, changed = 0, churned = 0, updated = 0,
                      together = 0;
        /// Where several came, or to single bytes.
        std::unique_ptr<std::array<Cell, kLineWords>> words;
        std::unique_ptr<std::array<Cell, kLineWords * kWordBytes>> bytes;
    };
    using Page = std::array<Line, kPageLines>;
    enum class Kind : std::uint8_t { load, store, update };
    struct Access {
        Kind kind;
        bool shared;
        std::uint64_t who, instruction;
        bool changes;
    };
    using Pages = std::unordered_map<std::uint64_t, Page>;

    void access(Kind kind, bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor,
                const void* old, const void* fresh);
    /// What the access finds or leaves in another order, as bits; `keeps`: the cell knows of it from now on.
    static unsigned meet(Cell& cell, const Access& access, bool keeps);
    /// The same of a whole word in a line that nobody else has come to.
    static unsigned meet_alone(Line& line, std::uint64_t word, const Access& access);
    static void part(Line& line);
    Line& line_of(bool shared, std::uint64_t block, std::uint64_t word);

    UnorderedWords& words_;
    Pages global_;
    /// Of one block.
    std::unordered_map<std::uint64_t, Pages> shared_;
    std::array<std::uint64_t, 2> last_number_{~std::uint64_t{0}, ~std::uint64_t{0}};
    std::array<Page*, 2> last_page_{};
    std::uint64_t last_block_ = ~std::uint64_t{0};
};

}  // namespace machine
}  // namespace lanework
