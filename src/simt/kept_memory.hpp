// What threads of a block that runs in regions bring along from one to the next: memory that is given back in the order
// of a stack, and kept for the blocks that follow.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace lanework_simt::engine {

class KeptMemory {
public:
    /// Throws std::bad_alloc.
    void* take(std::size_t bytes);
    /// `memory` was taken last.
    void give_back(void* memory);
    /// Forgets what was taken.
    void reset() { current_ = used_ = 0; }

private:
    struct Chunk {
        std::unique_ptr<std::byte[]> memory;
        /// Of which the first is a multiple of kAlignment.
        std::byte* first;
        std::size_t bytes;
    };
    std::vector<Chunk> chunks_;
    /// The chunk that is taken from, and how much of it is taken.
    std::size_t current_ = 0, used_ = 0;
};

}  // namespace lanework_simt::engine
