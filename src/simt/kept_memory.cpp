// Chunks, each at least as large as all before it need be; the last ones stay for the next block.
#include "src/simt/kept_memory.hpp"

#include <algorithm>
#include <lanework_simt/regions.hpp>
#include <memory>

#include "src/simt/worker.hpp"

namespace lanework_simt {

namespace engine {

namespace {

constexpr std::size_t kAlignment = 64, kChunkBytes = 1 << 20;

}  // namespace

void* KeptMemory::take(std::size_t bytes) {
    bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
    while (current_ < chunks_.size() && chunks_[current_].bytes - used_ < bytes) {
        ++current_;
        used_ = 0;
    }
    if (current_ == chunks_.size()) {
        const std::size_t whole = std::max(bytes, kChunkBytes);
        Chunk chunk{std::make_unique<std::byte[]>(whole + kAlignment), nullptr, whole};
        void* first = chunk.memory.get();
        std::size_t room = whole + kAlignment;
        chunk.first = static_cast<std::byte*>(std::align(kAlignment, whole, first, room));
        chunks_.push_back(std::move(chunk));
    }
    std::byte* const memory = chunks_[current_].first + used_;
    used_ += bytes;
    return memory;
}

void KeptMemory::give_back(void* memory) {
    auto* const first = static_cast<std::byte*>(memory);
    while (first < chunks_[current_].first || first >= chunks_[current_].first + chunks_[current_].bytes) --current_;
    used_ = static_cast<std::size_t>(first - chunks_[current_].first);
}

}  // namespace engine

void* keep_memory(std::size_t bytes) { return context.worker->kept().take(bytes); }
void give_back_memory(void* memory) { context.worker->kept().give_back(memory); }

}  // namespace lanework_simt
