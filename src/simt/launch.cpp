// Checking a launch as the CUDA driver does, and running it. The limits are those of the GPU that the device stands
// for.
#include <lanework_simt/launch.hpp>

#include <fmt/format.h>
#include <algorithm>
#include <atomic>
#include <exception>
#include <lanework_simt/error.hpp>
#include <map>
#include <mutex>
#include <unordered_map>

#include "src/simt/engine.hpp"
#include "src/simt/gpu.hpp"
#include "src/simt/observer.hpp"
#include "src/simt/rehearsal.hpp"

namespace lanework_simt {

namespace {

/// A launch that no device could hold, as CUDA 13.0 answers it on an H200; CUDA 12 documents
/// cudaErrorInvalidConfiguration.
constexpr cudaError_t kImpossible = cudaErrorInvalidValue;
constexpr unsigned kMaxBlockZ = 64, kMaxGridX = 0x7fffffff, kMaxGridYz = 65535;

std::atomic<bool (*)(const void*)> stream_exists{nullptr};

std::mutex allowed_mutex;
/// By kernel; each GPU has its own: what a kernel was allowed on one says nothing about another.
using Allowed = std::unordered_map<const void*, std::size_t>;
std::map<const lanework::Gpu*, Allowed>& allowed_by_gpu() {
    static auto* map = new std::map<const lanework::Gpu*, Allowed>;  // never destroyed: see memory_map()
    return *map;
}

/// What is wrong with a launch's dynamic shared memory; empty when nothing is.
std::string wrong_shared(const Launch& launch) {
    const auto most = static_cast<std::size_t>(presented_gpu().limits().shared_per_block);
    if (launch.shared_bytes > most)
        return fmt::format("{} bytes of dynamic shared memory exceed {} per block", launch.shared_bytes, most);
    const std::size_t allowed = allowed_dynamic_shared(launch.address);
    if (launch.shared_bytes <= allowed) return {};
    return fmt::format(
        "{} bytes of dynamic shared memory exceed {}: allow the kernel more first, by cudaFuncSetAttribute({}, "
        "cudaFuncAttributeMaxDynamicSharedMemorySize, {})",
        launch.shared_bytes, allowed, launch.kernel, launch.shared_bytes);
}

std::string to_text(const dim3& extent) { return fmt::format("{}×{}×{}", extent.x, extent.y, extent.z); }

/// What is wrong with the sizes of a launch; empty when nothing is.
std::string wrong_size(const Launch& launch) {
    const dim3 &grid = launch.grid, &block = launch.block;
    if (block.x == 0 || block.y == 0 || block.z == 0) {
        return fmt::format("a block of {} threads is empty", to_text(block));
    }
    if (grid.x == 0 || grid.y == 0 || grid.z == 0) return fmt::format("a grid of {} blocks is empty", to_text(grid));
    const bool one_axis = block.x > engine::kMaxThreads || block.y > engine::kMaxThreads;
    if (one_axis || std::uint64_t{block.x} * block.y * block.z > engine::kMaxThreads) {
        return fmt::format("a block of {} threads exceeds {} threads per block", to_text(block), engine::kMaxThreads);
    }
    if (block.z > kMaxBlockZ) return fmt::format("a block of {} threads exceeds {} in z", to_text(block), kMaxBlockZ);
    if (grid.x > kMaxGridX) return fmt::format("a grid of {} blocks exceeds {} in x", to_text(grid), kMaxGridX);
    if (grid.y > kMaxGridYz || grid.z > kMaxGridYz) {
        return fmt::format("a grid of {} blocks exceeds {} in y or z", to_text(grid), kMaxGridYz);
    }
    return {};
}

/// Records what CUDA says about a launch that cannot be.
bool acceptable(const Launch& launch) {
    const auto refuse = [&](cudaError_t error, const std::string& reason) {
        if (observer()) observer()->launch_refused(launch, reason);
        const std::string said =
            fmt::format("{}: {}, launched at {}:{}", launch.kernel, reason, launch.place.file, launch.place.line);
        if (Rehearsal* const rehearsal = Rehearsal::current()) rehearsal->refuse(said);
        record(error, said);
        return false;
    };
    if (const std::string reason = wrong_size(launch); !reason.empty()) {
        return refuse(kImpossible, reason);
    }
    if (const std::string reason = wrong_shared(launch); !reason.empty()) {
        return refuse(cudaErrorInvalidValue, reason);
    }
    if (const auto exists = stream_exists.load(); exists && !exists(launch.stream)) {
        return refuse(cudaErrorInvalidResourceHandle, "its stream does not exist, or is another device's");
    }
    return true;
}

}  // namespace

std::size_t allowed_dynamic_shared(const void* kernel) {
    const std::lock_guard lock(allowed_mutex);
    const Allowed& allowed = allowed_by_gpu()[&presented_gpu()];
    if (const auto found = allowed.find(kernel); found != allowed.end()) return found->second;
    std::size_t most = kDefaultSharedBytes;
    if (kernel == nullptr)
        for (const auto& [other, bytes] : allowed) most = std::max(most, bytes);
    return most;
}
void allow_dynamic_shared(const void* kernel, std::size_t bytes) {
    const std::lock_guard lock(allowed_mutex);
    allowed_by_gpu()[&presented_gpu()][kernel] = bytes;
}
void forget_allowed_dynamic_shared() {
    const std::lock_guard lock(allowed_mutex);
    allowed_by_gpu().clear();
}
void set_stream_check(bool (*exists)(const void* stream)) { stream_exists = exists; }

void launch_grid(const Launch& launch) {
    if (in_kernel()) {
        fail_kernel(cudaErrorNotSupported,
                    fmt::format("it launches {} at {}:{}, and kernels cannot launch kernels here", launch.kernel,
                                launch.place.file, launch.place.line));
    }
    if (sticky_error() != cudaSuccess) {
        record(sticky_error());
        return;
    }
    Rehearsal* const rehearsal = Rehearsal::current();
    if (rehearsal) rehearsal->followed();
    if (!acceptable(launch) || rehearsal) return;
    try {
        engine::Engine::instance().run(launch);
    } catch (const std::exception& exception) {
        record(cudaErrorLaunchOutOfResources, fmt::format("{}: {}", launch.kernel, exception.what()));
    }
}

}  // namespace lanework_simt
