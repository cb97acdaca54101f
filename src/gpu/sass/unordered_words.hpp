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
    /// Atomic operations are in no order, which others look after; but plain accesses beside them are.
    void update(bool shared, std::uint64_t address, unsigned bytes, const Accessor& accessor, const void* old,
                const void* fresh);

private:
    /// Whoever comes to a word or a byte.
    struct Cell {
        /// 0: nobody. What several wrote is of several.
        std::uint64_t reader = 0, writer = 0, changer = 0, instruction = 0;
    };
    static constexpr std::uint64_t kWordBytes = 4, kPageWords = 256;
    struct Page {
        std::array<Cell, kPageWords> words;
        /// Of single bytes, where such are accessed.
        std::unique_ptr<std::array<Cell, kPageWords * kWordBytes>> bytes;
    };
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
    Page& page_of(bool shared, std::uint64_t block, std::uint64_t word);

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
