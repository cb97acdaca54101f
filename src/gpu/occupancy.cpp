// The arithmetic of occupancy. Each resource alone allows a number of blocks; the least of these run.
#include "src/gpu/occupancy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

namespace lanework {
namespace {

constexpr std::int64_t round_up(std::int64_t value, std::int64_t granule) {
    return (value + granule - 1) / granule * granule;
}

int warps_of(const Capability& sm, int threads) {
    return static_cast<int>(round_up(threads, sm.warp_size) / sm.warp_size);
}

std::int64_t registers_of_warp(const Capability& sm, int per_thread) {
    return round_up(std::int64_t{per_thread} * sm.warp_size, sm.register_granule);
}

std::int64_t shared_of_block(const Capability& sm, const KernelResources& kernel) {
    return round_up(kernel.shared() + sm.shared_reserved, sm.shared_granule);
}

// A launch is checked as though a block's warps took registers in every partition alike.
std::int64_t registers_checked(const Capability& sm, const KernelResources& kernel) {
    return registers_of_warp(sm, kernel.registers_per_thread) *
           round_up(warps_of(sm, kernel.threads_per_block), sm.partitions);
}

Impossible obstacle(const Capability& sm, const KernelResources& kernel) {
    if (kernel.threads_per_block > sm.threads_per_block) return Impossible::threads;
    if (kernel.registers_per_thread > sm.registers_per_thread) return Impossible::registers_per_thread;
    if (registers_checked(sm, kernel) > sm.registers_per_block) return Impossible::registers_per_block;
    if (kernel.shared() > sm.shared_per_block) return Impossible::shared_memory;
    if (kernel.dynamic_shared > kernel.dynamic_limit) return Impossible::dynamic_limit;
    return Impossible::no;
}

// Warps stay in one partition, so that what is left over in each cannot be put together.
int blocks_by_registers(const Capability& sm, const KernelResources& kernel) {
    if (kernel.registers_per_thread == 0) return Occupancy::kUnlimited;
    const auto warps_in_partition =
        static_cast<int>(sm.registers_per_sm / sm.partitions / registers_of_warp(sm, kernel.registers_per_thread));
    return warps_in_partition * sm.partitions / warps_of(sm, kernel.threads_per_block);
}

// What the SM sets aside as shared memory: the smallest of its partitions that holds the preferred share and one block.
std::int64_t shared_capacity(const Capability& sm, const KernelResources& kernel) {
    if (kernel.carveout == KernelResources::kDefaultCarveout) return sm.shared_per_sm;
    const std::int64_t preferred = std::int64_t{sm.shared_per_sm} * kernel.carveout / 100;
    const std::int64_t wanted = std::max(preferred, shared_of_block(sm, kernel));
    return *std::ranges::find_if(sm.shared_partitions, [=](int size) { return size >= wanted; });
}

int blocks_by_shared(const Capability& sm, const KernelResources& kernel) {
    const std::int64_t block = shared_of_block(sm, kernel);
    return block == 0 ? Occupancy::kUnlimited : static_cast<int>(shared_capacity(sm, kernel) / block);
}

int blocks_by_barriers(const Capability& sm, const KernelResources& kernel) {
    return sm.barriers_per_sm == 0 || kernel.barriers == 0 ? Occupancy::kUnlimited
                                                           : sm.barriers_per_sm / kernel.barriers;
}

// The most registers per thread with which registers alone allow that many blocks; 0 when none does.
int registers_for(const Capability& sm, KernelResources kernel, int blocks) {
    while (kernel.registers_per_thread > 0 && blocks_by_registers(sm, kernel) < blocks) --kernel.registers_per_thread;
    return kernel.registers_per_thread;
}

// The most shared memory with which it alone allows that many blocks; negative when the driver's share is too much.
std::int64_t shared_for(const Capability& sm, const KernelResources& kernel, int blocks) {
    if (blocks_by_shared(sm, kernel) >= blocks) return kernel.shared();
    const std::int64_t share = shared_capacity(sm, kernel) / blocks / sm.shared_granule * sm.shared_granule;
    return share - sm.shared_reserved;
}

}  // namespace

std::string_view name_of(Limiter limiter) {
    constexpr std::string_view names[] = {"warps", "blocks", "registers", "shared memory", "barriers"};
    return names[static_cast<int>(limiter)];
}

Occupancy occupancy(const Capability& sm, const KernelResources& kernel) {
    Occupancy result;
    result.warps_per_block = warps_of(sm, kernel.threads_per_block);
    result.registers_per_block = registers_of_warp(sm, kernel.registers_per_thread) * result.warps_per_block;
    result.shared_per_block = shared_of_block(sm, kernel);
    result.impossible = obstacle(sm, kernel);
    if (result.impossible != Impossible::no) return result;
    result.allowed = {sm.warps_per_sm / result.warps_per_block, sm.blocks_per_sm, blocks_by_registers(sm, kernel),
                      blocks_by_shared(sm, kernel), blocks_by_barriers(sm, kernel)};
    result.blocks = *std::ranges::min_element(result.allowed);
    result.warps = result.blocks * result.warps_per_block;
    result.fraction = static_cast<double>(result.warps) / sm.warps_per_sm;
    return result;
}

std::vector<Limiter> limiters(const Occupancy& occupancy) {
    std::vector<Limiter> all;
    std::ranges::copy_if(kLimiters, std::back_inserter(all),
                         [&](Limiter limiter) { return occupancy.limited_by(limiter); });
    return all;
}

std::string describe_limit(const Capability& sm, const KernelResources& kernel, const Occupancy& occupancy) {
    switch (occupancy.impossible) {
        case Impossible::no: break;
        case Impossible::threads:
            return fmt::format("{} threads per block: at most {} are possible", kernel.threads_per_block,
                               sm.threads_per_block);
        case Impossible::registers_per_thread:
            return fmt::format("{} registers per thread: at most {} are possible", kernel.registers_per_thread,
                               sm.registers_per_thread);
        case Impossible::registers_per_block:
            return fmt::format("{} registers per thread for {} threads take {} registers: a block has at most {}",
                               kernel.registers_per_thread, kernel.threads_per_block, registers_checked(sm, kernel),
                               sm.registers_per_block);
        case Impossible::shared_memory:
            return fmt::format("{} bytes of shared memory per block: at most {} are possible", kernel.shared(),
                               sm.shared_per_block);
        case Impossible::dynamic_limit:
            return fmt::format("{} bytes of dynamic shared memory: the kernel was allowed {} (cudaFuncSetAttribute)",
                               kernel.dynamic_shared, kernel.dynamic_limit);
    }
    std::string text;
    const std::vector<Limiter> all = limiters(occupancy);
    for (std::size_t i = 0; i < all.size(); ++i)
        text += fmt::format("{}{}", i == 0 ? "" : i + 1 < all.size() ? ", " : " and ", name_of(all[i]));
    return text;
}

std::vector<OccupancyPoint> occupancy_curve(const Capability& sm, const KernelResources& kernel) {
    std::vector<OccupancyPoint> curve;
    KernelResources resized = kernel;
    for (int threads = sm.warp_size; threads <= sm.threads_per_block; threads += sm.warp_size) {
        resized.threads_per_block = threads;
        curve.push_back({threads, occupancy(sm, resized)});
    }
    return curve;
}

std::optional<OneMoreBlock> one_more_block(const Capability& sm, const KernelResources& kernel) {
    const Occupancy now = occupancy(sm, kernel);
    if (now.impossible != Impossible::no) return {};
    KernelResources less = kernel;
    less.registers_per_thread = registers_for(sm, kernel, now.blocks + 1);
    const std::int64_t shared = shared_for(sm, kernel, now.blocks + 1);
    if (shared < 0 || (kernel.registers_per_thread > 0 && less.registers_per_thread == 0)) return {};
    less.static_shared = std::min(kernel.static_shared, shared);
    less.dynamic_shared = shared - less.static_shared;
    const Occupancy then = occupancy(sm, less);
    if (then.blocks <= now.blocks) return {};
    return OneMoreBlock{less.registers_per_thread, shared, then};
}

int better_block_size(const Capability& sm, const KernelResources& kernel) {
    OccupancyPoint best{kernel.threads_per_block, occupancy(sm, kernel)};
    const auto distance = [&](int threads) { return std::abs(threads - kernel.threads_per_block); };
    for (const OccupancyPoint& point : occupancy_curve(sm, kernel)) {
        const bool more = point.occupancy.warps > best.occupancy.warps;
        const bool nearer = point.occupancy.warps == best.occupancy.warps &&
                            best.threads_per_block != kernel.threads_per_block &&
                            distance(point.threads_per_block) < distance(best.threads_per_block);
        if (point.threads_per_block >= kSensibleThreads && (more || nearer)) best = point;
    }
    return best.threads_per_block;
}

}  // namespace lanework
