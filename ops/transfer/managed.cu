// Managed pages move to whoever touches them. A kernel that meets a page of the host's stops until it was fetched; the
// host, reading what a kernel wrote, does the same. Nothing is copied by hand, and every page costs a fault.
#include "ops/transfer/kernel_copy.cuh"
#include "ops/transfer/managed_size.hpp"
#include "src/cuda/check.hpp"

namespace {
constexpr std::int64_t kPageWords = 4096 / sizeof(std::int32_t);  // the host's smallest page

__global__ void __launch_bounds__(kCopyThreads) managed(const std::int32_t* in, std::int32_t* out, std::int64_t words) {
    copy_pack(in, out, words);
}

/// What a launch hands to the host function that follows it.
struct Touch final : Prepared {
    explicit Touch(const TransferArgs& a) : out(a.out), words(a.words) {}
    const volatile std::int32_t* out;
    std::int64_t words;
};

PreparedOwner prepare(const TransferArgs& a, cudaStream_t) { return PreparedOwner(new Touch(a)); }

/// The host reads a word of every page: that is when a download happens.
void touch_pages(void* prepared) {
    const Touch& touch = *static_cast<const Touch*>(prepared);
    for (std::int64_t word = 0; word < touch.words; word += kPageWords) static_cast<void>(touch.out[word]);
}

void launch(const TransferArgs& a, cudaStream_t stream) {
    if (a.words == 0) return;
    managed<<<copy_blocks(a.words), kCopyThreads, 0, stream>>>(a.in, a.out, a.words);
    if (a.direction == Direction::download)
        LANEWORK_CHECK(cudaLaunchHostFunc(stream, touch_pages, static_cast<Touch*>(a.prepared)));
}
}  // namespace

LANEWORK_RUNG(transfer, managed,
              {
                  .climbs_from = "pageable",
                  .lesson = "Managed pages move when they are touched: no copy in the program, a fault for each page.",
                  .launch = launch,
                  .prepare = prepare,
                  .host_memory = Memory::managed,
                  .refuses = refuse_beyond_managed,
              });
// mends: pageable_copies
