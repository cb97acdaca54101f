// The peer: CUB's device-wide histogram. It counts in 32 bits, its fastest way, and the counts are widened afterwards.
#include <cub/device/device_histogram.cuh>
#include <limits>

#include "ops/histogram/counting.cuh"

namespace {
constexpr std::size_t kNarrowBytes = kBins * sizeof(unsigned);

__global__ void widen(const unsigned* narrow, unsigned long long* counts) { counts[threadIdx.x] = narrow[threadIdx.x]; }

void histogram(void* scratch, std::size_t& bytes, const HistogramArgs& a, unsigned* narrow, cudaStream_t stream) {
    LANEWORK_CHECK(cub::DeviceHistogram::HistogramEven(scratch, bytes, a.in, narrow, kBins + 1, 0, kBins, a.n, stream));
}

std::size_t workspace(const HistogramArgs& a) {
    std::size_t bytes = 0;
    histogram(nullptr, bytes, a, nullptr, nullptr);
    return kNarrowBytes + bytes;
}

void launch(const HistogramArgs& a, cudaStream_t stream) {
    if (a.n == 0) return clear_counts(a, stream);
    unsigned* const narrow = static_cast<unsigned*>(a.workspace);
    // The workspace has the size that was asked for; asking again would cost the peer time in every run.
    std::size_t enough = std::numeric_limits<std::size_t>::max();
    histogram(static_cast<std::byte*>(a.workspace) + kNarrowBytes, enough, a, narrow, stream);
    widen<<<1, kBins, 0, stream>>>(narrow, atomic_counts(a));
}

std::string_view refuses(const Problem& p) {
    return p.lengths<HistogramAxes>().n < std::int64_t{1} << 32 ? std::string_view()
                                                                : "its 32-bit counts end at 4294967295 bytes";
}
}  // namespace

LANEWORK_RUNG(histogram, cub,
              {
                  .lesson = "cub::DeviceHistogram::HistogramEven, counting in 32 bits.",
                  .launch = launch,
                  .workspace = workspace,
                  .refuses = refuses,
                  .fits = OneRow<histogram_signature>::fits,
                  .only = kRowsTouch,
              });
