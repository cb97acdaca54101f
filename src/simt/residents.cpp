// Which thread a worker begins next: blocks become resident, start their threads and make room for others.
#include <algorithm>
#include <cstring>
#include <lanework_simt/error.hpp>
#include <lanework_simt/shared.hpp>
#include <numeric>

#include "src/simt/gpu.hpp"
#include "src/simt/switching.hpp"

namespace lanework_simt::engine {

namespace {

/// What shared memory holds before a block of a seeded schedule writes it: a large number in every type.
constexpr int kUnwrittenByte = 0x7f;
/// Of the blocks of a grid that runs as loops: this part, and no more than that, is taken at once.
constexpr std::uint64_t kShares = 1024, kMostTaken = 64;
/// More of narrow blocks: a row of so many threads.
constexpr std::uint64_t kRow = 4096;
/// Where threads stride through the grid: neighbours have neighbouring memory in every round.
constexpr std::uint64_t kSharesOfStrides = 64;

}  // namespace

uint3 thread_index_of(unsigned thread, const uint3& block_dim) {
    const unsigned row = thread / block_dim.x;
    return uint3{thread % block_dim.x, row % block_dim.y, row / block_dim.y};
}

[[gnu::noinline]] bool Worker::claim_elsewhere() {
    check_failure();
    retire_finished();
    const auto block = std::find_if(resident_.begin(), resident_.end(), has_unstarted);
    if (block != resident_.end()) {
        begin(**block);
    } else if (resident_.size() < resident_limit_ && admit()) {
        begin(*resident_.back());
    } else {
        return false;
    }
    return true;
}

[[gnu::noinline]] bool Worker::claim_drawn() {
    check_failure();
    retire_finished();
    while (resident_.size() < resident_limit_ && admit()) {
    }
    const auto startable = static_cast<unsigned>(std::count_if(resident_.begin(), resident_.end(), has_unstarted));
    if (startable == 0) return false;
    auto block = std::find_if(resident_.begin(), resident_.end(), has_unstarted);
    for (unsigned skip = draw_.below(startable); skip > 0; --skip) {
        block = std::find_if(block + 1, resident_.end(), has_unstarted);
    }
    begin(**block);
    return true;
}

bool Worker::may_start() const {
    return std::any_of(resident_.begin(), resident_.end(), has_unstarted) ||
           (resident_.size() < resident_limit_ && grid_->has_block());
}

void Worker::retire_finished() {
    std::erase_if(resident_, [this](Block* block) {
        if (block->remaining != 0) return false;
        if (context.block == block) context.block = nullptr;
        free_blocks_.push_back(block);
        return true;
    });
}

bool Worker::admit() {
    uint3 index;
    if (!grid_->take_block(index)) return false;
    if (free_blocks_.empty()) {
        blocks_.push_back(std::make_unique<Block>());
        free_blocks_.push_back(blocks_.back().get());
    }
    Block* const block = free_blocks_.back();
    free_blocks_.pop_back();
    prepare(*block, index);
    resident_.push_back(block);
    return true;
}

void Worker::prepare(Block& block, const uint3& index) {
    block.index = index;
    block.threads = context.block_dim.x * context.block_dim.y * context.block_dim.z;
    block.started = 0;
    block.remaining = block.threads;
    block.cursor = {};
    for (unsigned w = 0; w < block.warp_count(); ++w) {
        const unsigned lanes = std::min(block.threads - w * kWarpLanes, kWarpLanes);
        block.warps[w] = Warp{.lanes = kFullMask >> (kWarpLanes - lanes)};
    }
    if (observed) begin_observed(block);
    if (!seeded()) return;
    draw_order(block);
    std::memset(block.shared.get(), kUnwrittenByte,
                std::min(kArenaBytes, grid_->launch().shared_bytes + kDefaultSharedBytes));
}

bool Worker::next_thread() {
    // Code that asks behind each thread, as instrumented code does.
    if (context.thread_index.x + 1 < context.row_end) {
        ++context.thread_index.x;
        context.spins = 0;
        return true;
    }
    return end_row();
}

bool Worker::end_row() {
    catch_up();
    leave_thread();
    if (claim()) return true;
    context.row_end = 0;  // no thread is there to be interrupted
    return false;
}

bool Worker::next_block() {
    check_failure();
    Block& block = *context.block;
    if (taken_first_ == taken_end_) {
        // Several at once, so that OS threads hardly meet at the counter, and few enough that they end together.
        const std::uint64_t most = std::max<std::uint64_t>(kMostTaken, kRow / context.block_dim.x);
        const std::uint64_t some = grid_->launch().strides
                                       ? std::max<std::uint64_t>(grid_->blocks() / kSharesOfStrides, 1)
                                       : std::clamp<std::uint64_t>(grid_->blocks() / kShares, 1, most);
        taken_end_ = grid_->take_blocks(some, taken_first_) + taken_first_;
    }
    if (taken_first_ != taken_end_) {
        context.block_index = block.index = grid_->block_at(taken_first_);
        const std::uint64_t row = context.grid_dim.x - context.block_index.x;
        const std::uint64_t now = std::min(taken_end_ - taken_first_, row);
        context.blocks_end = context.block_index.x + static_cast<unsigned>(now);
        taken_first_ += now;
        return true;
    }
    block.started = block.threads;
    block.remaining = 0;
    return claim();
}

void Worker::end_threads(unsigned count) {
    Block& block = *context.block;
    unsigned first = context.thread;
    context.thread += count;
    context.row_first += count;
    block.remaining -= count;
    idle_yields_ = 0;
    while (count != 0) {
        const unsigned here = std::min(count, kWarpLanes - first % kWarpLanes);
        Warp& warp = block.warp_of(first);
        warp.exited |= kFullMask >> (kWarpLanes - here) << first % kWarpLanes;
        if (warp.unsettled()) settle_warp(*this, warp, false);
        first += here;
        count -= here;
    }
}

void Worker::draw_order(Block& block) {
    const auto shuffle = [this](auto first, auto last) {
        for (auto left = last - first; left > 1; --left) {
            std::iter_swap(first + left - 1, first + draw_.below(static_cast<unsigned>(left)));
        }
    };
    std::array<unsigned, kMaxWarps> warps;
    std::iota(warps.begin(), warps.begin() + block.warp_count(), 0u);
    shuffle(warps.begin(), warps.begin() + block.warp_count());
    auto out = block.order.begin();
    for (unsigned w = 0; w < block.warp_count(); ++w) {
        const unsigned first = warps[w] * kWarpLanes, count = std::min(block.threads - first, kWarpLanes);
        std::iota(out, out + count, static_cast<std::uint16_t>(first));
        shuffle(out, out + count);
        out += count;
    }
}

std::size_t Worker::place_shared(std::size_t bytes, std::size_t alignment) {
    constexpr std::size_t kLeastAlignment = 16;
    alignment = std::max(alignment, kLeastAlignment);
    const std::size_t offset = (shared_end_ + alignment - 1) / alignment * alignment;
    static_bytes_ += offset + bytes - shared_end_;
    shared_end_ = offset + bytes;
    if (static_bytes_ > kDefaultSharedBytes) {
        fail({cudaErrorInvalidValue, "its __shared__ variables take " + std::to_string(static_bytes_) +
                                         " bytes, and a block has 49152 (48 KiB); use dynamic shared memory for more"});
    }
    if (shared_end_ > kDefaultSharedBytes && allowed_dynamic_shared(grid_->launch().address) <= kDefaultSharedBytes) {
        fail({cudaErrorInvalidValue,
              "its __shared__ variables and dynamic shared memory take " + std::to_string(shared_end_) +
                  " bytes, and a block has 49152 (48 KiB) unless cudaFuncSetAttribute allows the "
                  "kernel more"});
    }
    const auto most = static_cast<std::size_t>(presented_gpu().limits().shared_per_block);
    if (shared_end_ > most) {
        fail({cudaErrorInvalidValue, "its __shared__ variables and dynamic shared memory take " +
                                         std::to_string(shared_end_) + " bytes, and a block has " +
                                         std::to_string(most) + " (" + std::to_string(most / 1024) + " KiB)"});
    }
    return offset;
}

Meeting* Worker::begin_meeting(WarpOperation operation, unsigned mask, Place place) {
    if (free_meetings_.empty()) {
        meetings_.push_back(std::make_unique<Meeting>());
        free_meetings_.push_back(meetings_.back().get());
    }
    Meeting* const meeting = free_meetings_.back();
    free_meetings_.pop_back();
    *meeting = Meeting{.operation = operation, .mask = mask, .place = place, .waiting = {}, .values = {}};
    return meeting;
}

}  // namespace lanework_simt::engine

namespace lanework_simt {

void enter_kernel() {
    if (context.tape) {
        context.tape->size = 0;
        context.tape->block_scope = false;
    }
}

bool next_thread() { return context.worker->next_thread(); }

bool next_row() {
    --context.thread_index.x;
    return context.worker->end_row();
}

bool next_block() { return context.worker->next_block(); }

std::byte* place_shared(SharedPlace& place, std::size_t bytes, std::size_t alignment) {
    if (place.launch != context.launch) [[unlikely]] {
        place.offset = engine::current_worker("a __shared__ variable").place_shared(bytes, alignment);
        place.launch = context.launch;
    }
    return context.shared + place.offset;
}

}  // namespace lanework_simt
