// Told in advance, the driver moves managed pages in large pieces and nobody waits at a fault. An output's pages are
// sent to the device before the kernel writes them and home after it.
#include "ops/transfer/kernel_copy.cuh"
#include "ops/transfer/managed_size.hpp"
#include "src/cuda/check.hpp"

namespace {
__global__ void __launch_bounds__(kCopyThreads)
    managed_prefetched(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    copy_pack(in, out, words);
}

cudaMemLocation device_location() {
    int device = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    return {cudaMemLocationTypeDevice, device};
}

void launch(const TransferArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    const bool upload = a.direction == Direction::upload;
    const void* const pages = upload ? static_cast<const void*>(a.in) : a.out;
    LANEWORK_CHECK(cudaMemPrefetchAsync(pages, a.bytes(), device_location(), 0, stream));
    managed_prefetched<<<copy_blocks(a.words), kCopyThreads, 0, stream>>>(a.in, a.out, a.words);
    const cudaMemLocation host{cudaMemLocationTypeHost, 0};
    if (!upload) LANEWORK_CHECK(cudaMemPrefetchAsync(pages, a.bytes(), host, 0, stream));
}
}  // namespace

LANEWORK_RUNG(transfer, managed_prefetched,
              {
                  .climbs_from = "managed",
                  .lesson = "Prefetching moves managed pages in large pieces ahead of the kernel: no faults.",
                  .launch = launch,
                  .host_memory = Memory::managed,
                  .refuses = refuse_beyond_managed,
              });
// mends: page_faults
