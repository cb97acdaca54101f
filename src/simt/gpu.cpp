// One GPU at a time.
#include "src/simt/gpu.hpp"

#include <atomic>

namespace lanework_simt {
namespace {

constinit std::atomic<const lanework::Gpu*> presented{nullptr};

}  // namespace

const lanework::Gpu& presented_gpu() {
    const lanework::Gpu* const chosen = presented.load(std::memory_order_relaxed);
    return chosen ? *chosen : lanework::gpus().front();
}
void present(const lanework::Gpu& gpu) { presented.store(&gpu, std::memory_order_relaxed); }

}  // namespace lanework_simt
