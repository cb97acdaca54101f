// Kernels whose counts are known, traced from their launch to their counters.
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <lanework/registry.hpp>

#include "src/simt/observing.hpp"
#include "src/trace/record/explain.hpp"
#include "src/trace/record/tracer.hpp"

namespace lanework {
namespace {

/// Zeroed words of the device.
class Words {
public:
    explicit Words(std::size_t count) {
        EXPECT_EQ(cudaMalloc(&data_, count * sizeof(int)), cudaSuccess);
        EXPECT_EQ(cudaMemset(data_, 0, count * sizeof(int)), cudaSuccess);
    }
    Words(const Words&) = delete;
    Words& operator=(const Words&) = delete;
    ~Words() { cudaFree(data_); }
    int* data() const { return data_; }

private:
    int* data_ = nullptr;
};

/// The one launch that `launch` makes.
template <class LaunchKernel>
KernelTrace traced(LaunchKernel launch) {
    Tracer tracer;
    launch();
    std::vector<KernelTrace> launches = tracer.take_launches();
    EXPECT_EQ(launches.size(), 1u);
    if (launches.empty()) return {};
    EXPECT_EQ(launches.front().error, "");
    return launches.front();
}

constexpr int kTile = 32;

__global__ void reads_columns(int* out) {
    __shared__ int tile[kTile][kTile];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * kTile + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * kTile + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}

TEST(Tracer, AColumnOfAnUnpaddedTileIs32Passes) {
    const Words out(kTile * kTile);
    const KernelTrace trace = traced([&] { reads_columns<<<1, dim3(kTile, kTile)>>>(out.data()); });
    const KernelCounters counters = trace.counters();
    EXPECT_EQ(counters.shared_loads.requests, 32u);
    EXPECT_EQ(counters.shared_loads.wavefronts, 32u * 32);
    EXPECT_EQ(counters.shared_loads.most_wavefronts, 32u);
    EXPECT_EQ(counters.shared_stores.wavefronts, 32u);
    EXPECT_EQ(trace.shape.static_shared, sizeof(int) * kTile * kTile);
    EXPECT_EQ(trace.footprint_read, sizeof(int) * kTile * kTile);
    EXPECT_EQ(trace.footprint_written, sizeof(int) * kTile * kTile);
}

struct Pair {
    short low, high;
};

__global__ void joins_neighbours(const unsigned char* bytes, const Pair* pairs, unsigned* out) {
    const unsigned char* const p = bytes + 4 * threadIdx.x;
    const Pair* const q = pairs + threadIdx.x;
    const unsigned word = p[0] | unsigned{p[1]} << 8 | unsigned{p[2]} << 16 | unsigned{p[3]} << 24;
    const unsigned pair = static_cast<unsigned short>(q->low) | unsigned{static_cast<unsigned short>(q->high)} << 16;
    out[threadIdx.x] = word + pair;
}

TEST(Tracer, LoadsThatArePutTogetherAreCountedAsWritten) {
    const Words in(32), out(32);
    const KernelTrace trace = traced([&] {
        joins_neighbours<<<1, 32>>>(reinterpret_cast<const unsigned char*>(in.data()),
                                    reinterpret_cast<const Pair*>(in.data()), reinterpret_cast<unsigned*>(out.data()));
    });
    EXPECT_EQ(trace.counters().global_loads.requests, 6u);
    EXPECT_EQ(trace.counters().global_loads.sectors, 6u * 4);
}

constexpr int kWindow = 1024;  // words

__global__ void long_loop(const int* in, int* out, int rounds, int more_of_odd_lanes) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    if (lane % 2 == 1) rounds += more_of_odd_lanes;
    int sum = 0;
    for (int round = 0; round < rounds; ++round) sum += in[(round * 32 + lane) % kWindow];
    out[threadIdx.x] = sum;
}

constexpr int kManyRounds = 3 * static_cast<int>(lanework_simt::engine::Tapes::kMaxEvents) + 5;

TEST(Tracer, LoopsLongerThanATapeAreCountedExactly) {
    const Words in(kWindow), out(64);
    const KernelCounters counters =
        traced([&] { long_loop<<<1, 64>>>(in.data(), out.data(), kManyRounds, 0); }).counters();
    EXPECT_EQ(counters.global_loads.requests, 2u * kManyRounds);
    EXPECT_EQ(counters.global_loads.sectors, 2u * 4 * kManyRounds);
    EXPECT_EQ(counters.global_loads.lanes, 64u * kManyRounds);
    EXPECT_EQ(counters.global_stores.requests, 2u);
}

TEST(Tracer, LanesWhoseLongLoopsDifferAreCountedExactly) {
    const Words in(kWindow), out(64);
    for (const int more : {1, 1000, kManyRounds}) {
        const KernelCounters counters =
            traced([&] { long_loop<<<1, 64>>>(in.data(), out.data(), kManyRounds, more); }).counters();
        EXPECT_EQ(counters.global_loads.requests, 2u * static_cast<unsigned>(kManyRounds + more));
        EXPECT_EQ(counters.global_loads.sectors, 2u * 4 * static_cast<unsigned>(kManyRounds + more));
        EXPECT_EQ(counters.global_loads.lanes,
                  64u * static_cast<unsigned>(kManyRounds) + 32u * static_cast<unsigned>(more));
        EXPECT_EQ(counters.global_stores.requests, 2u) << "they meet again behind the loop";
    }
}

__global__ void counts_arrivals(int* out) { atomicAdd(out, 1); }
__global__ void draws_tickets(int* out) { out[1 + threadIdx.x] = atomicAdd(out, 1); }

TEST(Tracer, AnAtomicWhoseOldValueNobodyUsesIsAReduction) {
    const Words out(65);
    const KernelCounters arrivals = traced([&] { counts_arrivals<<<1, 64>>>(out.data()); }).counters();
    EXPECT_EQ(arrivals.global_reductions.requests, 2u);
    EXPECT_EQ(arrivals.global_reductions.lanes, 64u);
    EXPECT_EQ(arrivals.global_reductions.most_lanes_per_address, 32u);
    EXPECT_EQ(arrivals.global_atomics.requests, 0u);
    const KernelCounters tickets = traced([&] { draws_tickets<<<1, 64>>>(out.data()); }).counters();
    EXPECT_EQ(tickets.global_atomics.requests, 2u);
    EXPECT_EQ(tickets.global_reductions.requests, 0u);
    EXPECT_EQ(tickets.global_stores.requests, 2u);
}

__global__ void even_lanes_leave(const int* in, int* out) {
    if (threadIdx.x % 2 == 0) return;
    out[threadIdx.x] = in[threadIdx.x];
}

TEST(Tracer, LanesThatLeftTakeNoPart) {
    const Words in(64), out(64);
    const KernelCounters counters = traced([&] { even_lanes_leave<<<1, 64>>>(in.data(), out.data()); }).counters();
    EXPECT_EQ(counters.global_loads.requests, 2u);
    EXPECT_EQ(counters.global_loads.lanes, 32u);
    EXPECT_EQ(counters.global_loads.sectors, 8u);
    EXPECT_EQ(counters.global_loads.bytes, 128u);
}

__global__ void chooses_a_tile(const int* in, int* out) {
    __shared__ int tile[kTile];
    tile[threadIdx.x] = in[threadIdx.x];
    __syncwarp();
    const int* const chosen = threadIdx.x % 4 == 0 ? in : tile;
    out[threadIdx.x] = chosen[threadIdx.x];
}

TEST(Tracer, AChosenPointerLeadsLanesToSharedMemoryAndElsewhere) {
    const Words in(kTile), out(kTile);
    const KernelCounters counters = traced([&] { chooses_a_tile<<<1, kTile>>>(in.data(), out.data()); }).counters();
    EXPECT_EQ(counters.global_loads.lanes, kTile + kTile / 4u);
    EXPECT_EQ(counters.shared_loads.lanes, kTile - kTile / 4u);
    EXPECT_EQ(counters.shared_loads.requests, 1u);
}

__global__ void copies_quads(const int4* in, int4* out) { out[threadIdx.x] = in[threadIdx.x]; }

TEST(Tracer, SixteenBytesAreOneAccess) {
    const Words in(256), out(256);
    const KernelCounters counters =
        traced([&] {
            copies_quads<<<1, 64>>>(reinterpret_cast<const int4*>(in.data()), reinterpret_cast<int4*>(out.data()));
        }).counters();
    EXPECT_EQ(counters.global_loads.requests, 2u);
    EXPECT_EQ(counters.global_loads.sectors, 32u);
    EXPECT_EQ(counters.global_stores.requests, 2u);
    EXPECT_EQ(counters.global_stores.sectors, 32u);
}

/// No type of 24 bytes begins at every multiple of 16.
struct Place {
    long long offset, pitch;
    int height, width;
};
__global__ void copies_places(const Place* in, Place* out) { out[threadIdx.x] = in[threadIdx.x]; }

TEST(Tracer, AStructIsCopiedInPiecesOfItsAlignment) {
    const Words in(32 * 6), out(32 * 6);
    const KernelCounters counters =
        traced([&] {
            copies_places<<<1, 32>>>(reinterpret_cast<const Place*>(in.data()), reinterpret_cast<Place*>(out.data()));
        }).counters();
    EXPECT_EQ(counters.global_loads.requests, 3u);
    EXPECT_EQ(counters.global_loads.sectors, 3u * 24);
    EXPECT_EQ(counters.global_stores.requests, 3u);
}

__global__ void shifts_words(const unsigned* in, unsigned* out, unsigned bits) {
    const unsigned* const words = in + threadIdx.x;
    const unsigned low = words[0], high = words[1];
    out[threadIdx.x] = __funnelshift_r(low, high, bits);
}

TEST(Tracer, WordsThatAreShiftedTogetherAreLoadedOnce) {
    const Words in(33), out(32);
    const KernelCounters counters = traced([&] {
                                        shifts_words<<<1, 32>>>(reinterpret_cast<const unsigned*>(in.data()),
                                                                reinterpret_cast<unsigned*>(out.data()), 8);
                                    }).counters();
    EXPECT_EQ(counters.global_loads.requests, 2u);
    EXPECT_EQ(counters.global_loads.bytes, 2u * 32 * 4);
}

constexpr int kNullLine = __LINE__ + 1;
__global__ void writes_to_null(int* nowhere) { *nowhere = 1; }
void launch_writes_to_null(const void*, const Problem&, const Buffers&, void* stream) {
    int* volatile nowhere = nullptr;  // a compiler that knows it may leave the write out
    writes_to_null<<<1, 32, 0, static_cast<cudaStream_t>(stream)>>>(nowhere);
}
void launch_too_large(const void*, const Problem&, const Buffers& buffers, void* stream) {
    writes_to_null<<<1, 1025, 0, static_cast<cudaStream_t>(stream)>>>(static_cast<int*>(buffers.data[1]));
}

/// The copy's rung, with another launch in its place.
Explanation explained_with(void (*launch)(const void*, const Problem&, const Buffers&, void*)) {
    const Operation& copy = find_operation("copy");
    Rung rung = find_rung(copy, "coalesced", DeviceKind::simt);
    Rung::Typed typed = *rung.typed(DType::int32);
    typed.launch = launch;
    rung.types = std::span(&typed, 1);
    return explain(copy, rung, parse_problem(copy, "64", DType::int32), 1, {.hazards = false});
}

/// The failure, once; a launch that failed is not judged for its speed.
Finding failure_in(const Explanation& explanation) {
    std::vector<Finding> failures;
    for (const Finding& finding : explanation.findings) {
        EXPECT_TRUE(finding.error()) << finding.evidence;
        if (finding.rule == Rule::launch_failure) failures.push_back(finding);
    }
    EXPECT_EQ(failures.size(), 1u);
    return failures.empty() ? Finding{} : failures.front();
}

TEST(Explain, AnAccessThatFailsIsAFindingAtItsPlace) {
    const Finding failure = failure_in(explained_with(launch_writes_to_null));
    EXPECT_EQ(failure.place.file, "tests/trace/tracer_test.cu");
    EXPECT_EQ(failure.place.line, kNullLine);
}

TEST(Explain, ALaunchThatIsRefusedIsAFindingWithTheError) {
    const Finding failure = failure_in(explained_with(launch_too_large));
    EXPECT_NE(failure.evidence.find("1025"), std::string::npos) << failure.evidence;
}

TEST(Explain, AFailureDoesNotSpoilTheNextExplanation) {
    explained_with(launch_writes_to_null);
    const Operation& copy = find_operation("copy");
    const Explanation good =
        explain(copy, find_rung(copy, "coalesced", DeviceKind::simt), parse_problem(copy, "64", DType::int32), 1);
    ASSERT_EQ(good.kernels.size(), 1u);
    EXPECT_EQ(good.kernels[0].error, "");
    EXPECT_EQ(good.kernels[0].counters().global_loads.sectors, 8u);
}

}  // namespace
}  // namespace lanework
