// Handing out a grid's blocks, and keeping its first failure.
#include "src/simt/grid.hpp"

#include <algorithm>
#include <numeric>

namespace lanework_simt::engine {

Grid::Grid(const Launch& launch, std::uint64_t number, std::uint64_t seed)
    : launch_(launch),
      number_(number),
      seed_(seed),
      blocks_(std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z),
      end_(blocks_) {
    if (seed == 0) return;
    Draw draw(seed);
    offset_ = draw.next() % blocks_;
    do {
        stride_ = draw.next() % blocks_;
    } while (std::gcd(stride_, blocks_) != 1);
}

Grid::Grid(const Grid& whole, const uint3& block, unsigned count) : Grid(whole.launch_, whole.number_, 0) {
    next_ = block.x + std::uint64_t{launch_.grid.x} * (block.y + std::uint64_t{launch_.grid.y} * block.z);
    end_ = next_ + count;
}

bool Grid::take_block(uint3& index) {
    const std::uint64_t position = next_.fetch_add(1, std::memory_order_relaxed);
    if (position >= end_) return false;
    __extension__ using Wide = unsigned __int128;
    const auto block =
        seed_ == 0 ? position : static_cast<std::uint64_t>((Wide{position} * stride_ + offset_) % blocks_);
    index = block_at(block);
    return true;
}

std::uint64_t Grid::take_blocks(std::uint64_t count, std::uint64_t& first) {
    first = next_.fetch_add(count, std::memory_order_relaxed);
    return first < end_ ? std::min(count, end_ - first) : 0;
}

uint3 Grid::block_at(std::uint64_t position) const {
    // The first row, and often the only one: no division.
    if (position < launch_.grid.x) return {static_cast<unsigned>(position), 0, 0};
    const std::uint64_t row = position / launch_.grid.x;
    return {static_cast<unsigned>(position % launch_.grid.x), static_cast<unsigned>(row % launch_.grid.y),
            static_cast<unsigned>(row / launch_.grid.y)};
}

void Grid::fail(Failure failure) {
    const std::lock_guard lock(mutex_);
    if (failed_) return;
    failure_ = std::move(failure);
    failed_ = true;
}

}  // namespace lanework_simt::engine
