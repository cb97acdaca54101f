// Page-locked memory is mapped into the device's address space: a kernel reads and writes it over the link as it goes.
// Worth it for what is used once; every further read would cross the link again.
#include "ops/transfer/kernel_copy.cuh"

namespace {
__global__ void __launch_bounds__(kCopyThreads)
    zero_copy(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    copy_pack(in, out, words);
}

void launch(const TransferArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    zero_copy<<<copy_blocks(a.words), kCopyThreads, 0, stream>>>(a.in, a.out, a.words);
}
}  // namespace

LANEWORK_RUNG(transfer, zero_copy,
              {
                  .climbs_from = "managed_prefetched",
                  .lesson = "A kernel reaches mapped host memory over the link: no copy, no second array.",
                  .launch = launch,
                  .host_memory = Memory::pinned,
              });
// mends: needless_copy
