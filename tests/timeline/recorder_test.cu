// What a program hands to streams, as the simt device tells it: every way to copy, who waits for whom, what a kernel
// moves.
#include "src/timeline/stream_recorder.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "src/timeline/in_order_model.hpp"

namespace {

using namespace lanework;

__global__ void twice(const int* in, int* out) { out[threadIdx.x] = 2 * in[threadIdx.x]; }
__device__ int variable[64];

constexpr int kCount = 64;
constexpr std::size_t kBytes = kCount * sizeof(int);

class Recorder : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaMalloc(&device_, kBytes), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&other_, kBytes), cudaSuccess);
        ASSERT_EQ(cudaHostAlloc(&pinned_, kBytes, cudaHostAllocMapped), cudaSuccess);
        ASSERT_EQ(cudaMallocManaged(&managed_, kBytes), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&blocking_), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&second_), cudaSuccess);
        ASSERT_EQ(cudaStreamCreateWithFlags(&free_, cudaStreamNonBlocking), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&event_), cudaSuccess);
        for (int i = 0; i < kCount; ++i) pinned_[i] = pageable_[i] = i;
    }
    void TearDown() override { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); }

    template <class Work>
    static StreamProgram recorded(Work work) {
        const StreamRecorder recorder;
        work();
        return recorder.program();
    }
    static std::vector<Engine> engines(const StreamProgram& program) {
        std::vector<Engine> all;
        for (const StreamTask& task : program.tasks()) all.push_back(task.engine);
        return all;
    }

    int *device_ = nullptr, *other_ = nullptr, *pinned_ = nullptr, *managed_ = nullptr;
    int pageable_[kCount] = {};
    cudaStream_t blocking_ = nullptr, second_ = nullptr, free_ = nullptr;
    cudaEvent_t event_ = nullptr;
};

using After = std::vector<std::size_t>;

TEST_F(Recorder, TellsCopiesByWhereTheyGoAndWhetherTheHostWaits) {
    const StreamProgram program = recorded([&] {
        EXPECT_EQ(cudaMemcpyAsync(device_, pinned_, kBytes, cudaMemcpyHostToDevice, free_), cudaSuccess);
        EXPECT_EQ(cudaMemcpyAsync(device_, pageable_, kBytes, cudaMemcpyDefault, free_), cudaSuccess);
        EXPECT_EQ(cudaMemcpyAsync(pinned_, device_, 16, cudaMemcpyDeviceToHost, free_), cudaSuccess);
        EXPECT_EQ(cudaMemcpyAsync(other_, device_, kBytes, cudaMemcpyDeviceToDevice, free_), cudaSuccess);
        EXPECT_EQ(cudaMemcpyAsync(pageable_, pinned_, kBytes, cudaMemcpyHostToHost, free_), cudaSuccess);
        EXPECT_EQ(cudaMemset(device_, 0, 32), cudaSuccess);
        EXPECT_EQ(cudaMemcpy(device_, pinned_, kBytes, cudaMemcpyHostToDevice), cudaSuccess);
        EXPECT_EQ(cudaMemcpyToSymbol(variable, pageable_, kBytes), cudaSuccess);
        EXPECT_EQ(cudaMemcpy2DAsync(pinned_, 32, device_, 32, 8, 4, cudaMemcpyDeviceToHost, free_), cudaSuccess);
    });
    const std::vector<Engine> expected{Engine::upload, Engine::upload, Engine::download, Engine::copy,
                                       Engine::memset, Engine::upload, Engine::upload,   Engine::download};
    ASSERT_EQ(engines(program), expected) << "what stays on the host is no engine's work";
    const std::uint64_t bytes[] = {kBytes, kBytes, 16, kBytes, 32, kBytes, kBytes, 32};
    const bool pageable[] = {false, true, false, false, false, false, true, false};
    const bool waits[] = {false, true, false, false, false, true, true, false};
    for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_EQ(program.tasks()[i].bytes, bytes[i]) << i;
        EXPECT_EQ(program.tasks()[i].pageable, pageable[i]) << i;
        EXPECT_EQ(!program.calls()[i].waits_for.empty(), waits[i]) << i;
    }
}

TEST_F(Recorder, TellsPrefetchesOfManagedMemoryAsCopies) {
    const StreamProgram program = recorded([&] {
        EXPECT_EQ(cudaMemPrefetchAsync(managed_, kBytes, 0, free_), cudaSuccess);
        EXPECT_EQ(cudaMemPrefetchAsync(managed_, kBytes, cudaCpuDeviceId, free_), cudaSuccess);
    });
    EXPECT_EQ(engines(program), (std::vector<Engine>{Engine::upload, Engine::download}));
}

TEST_F(Recorder, CountsTheSectorsThatAKernelTouches) {
    const StreamProgram program = recorded([&] {
        twice<<<1, kCount, 0, free_>>>(device_, other_);
        twice<<<1, 1, 0, free_>>>(device_, pinned_);
        twice<<<1, kCount, 0, free_>>>(pinned_, other_);
    });
    ASSERT_EQ(program.tasks().size(), 3U);
    EXPECT_EQ(program.tasks()[0].name, "twice");
    EXPECT_EQ(program.tasks()[0].bytes, 2 * kBytes);
    EXPECT_EQ(program.tasks()[1].bytes, 32U) << "one sector read";
    EXPECT_EQ(program.tasks()[1].written_over_link, 32U);
    EXPECT_EQ(program.tasks()[2].bytes, kBytes);
    EXPECT_EQ(program.tasks()[2].read_over_link, kBytes);
}

TEST_F(Recorder, TheDefaultStreamSerialisesBlockingStreams) {
    const StreamProgram program = recorded([&] {
        twice<<<1, 1, 0, blocking_>>>(device_, other_);  // 0
        twice<<<1, 1, 0, free_>>>(device_, other_);      // 1
        twice<<<1, 1>>>(device_, other_);                // 2: the default stream
        twice<<<1, 1, 0, second_>>>(device_, other_);    // 3
        twice<<<1, 1, 0, free_>>>(device_, other_);      // 4
        twice<<<1, 1, 0, cudaStreamLegacy>>>(device_, other_);
    });
    EXPECT_EQ(program.tasks()[2].after, After{0});
    EXPECT_EQ(program.tasks()[3].after, After{2});
    EXPECT_EQ(program.tasks()[4].after, After{1});
    After last = program.tasks()[5].after;
    std::ranges::sort(last);
    EXPECT_EQ(last, (After{0, 2, 3}));
}

TEST_F(Recorder, EventsJoinStreams) {
    const StreamProgram program = recorded([&] {
        twice<<<1, 1, 0, free_>>>(device_, other_);
        EXPECT_EQ(cudaEventRecord(event_, free_), cudaSuccess);
        twice<<<1, 1, 0, free_>>>(device_, other_);
        EXPECT_EQ(cudaStreamWaitEvent(blocking_, event_), cudaSuccess);
        twice<<<1, 1, 0, blocking_>>>(device_, other_);
        EXPECT_EQ(cudaEventSynchronize(event_), cudaSuccess);
        EXPECT_EQ(cudaStreamSynchronize(blocking_), cudaSuccess);
        EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
    });
    EXPECT_EQ(program.tasks()[2].after, After{0});
    ASSERT_EQ(program.calls().size(), 8U);
    EXPECT_EQ(program.calls()[5].waits_for, After{0});
    EXPECT_EQ(program.calls()[6].waits_for, After{2});
    EXPECT_EQ(program.calls()[7].waits_for.size(), 2U);
}

TEST_F(Recorder, AGraphsStepsComeAfterWhatTheyWereCapturedAfter) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(free_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(device_, pinned_, kBytes, cudaMemcpyHostToDevice, free_), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event_, free_), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(second_, event_), cudaSuccess);
    twice<<<1, kCount, 0, second_>>>(device_, other_);
    EXPECT_EQ(cudaMemcpyAsync(pinned_, device_, kBytes, cudaMemcpyDeviceToHost, free_), cudaSuccess);
    EXPECT_EQ(cudaEventRecord(event_, second_), cudaSuccess);
    EXPECT_EQ(cudaStreamWaitEvent(free_, event_), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(free_, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    const StreamProgram program = recorded([&] {
        EXPECT_EQ(cudaMemsetAsync(device_, 0, kBytes, free_), cudaSuccess);  // 0
        EXPECT_EQ(cudaGraphLaunch(executable, free_), cudaSuccess);          // 1, 2 and 3
        EXPECT_EQ(cudaMemsetAsync(device_, 0, kBytes, free_), cudaSuccess);  // 4
    });
    EXPECT_EQ(engines(program),
              (std::vector<Engine>{Engine::memset, Engine::upload, Engine::kernel, Engine::download, Engine::memset}));
    EXPECT_EQ(program.tasks()[1].after, After{0});
    EXPECT_EQ(program.tasks()[2].after, After{1});
    EXPECT_EQ(program.tasks()[3].after, After{1});
    EXPECT_EQ(program.tasks()[4].after, (After{2, 3})) << "the upload is followed by both";
    EXPECT_NE(program.tasks()[2].stream, program.tasks()[3].stream);
    EXPECT_EQ(program.calls().size(), 3U) << "a graph is one call";
}

TEST_F(Recorder, HearsNothingOfWhatIsOnlyCaptured) {
    cudaGraph_t graph = nullptr;
    const StreamProgram program = recorded([&] {
        ASSERT_EQ(cudaStreamBeginCapture(free_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
        EXPECT_EQ(cudaMemcpyAsync(device_, pinned_, kBytes, cudaMemcpyHostToDevice, free_), cudaSuccess);
        twice<<<1, kCount, 0, free_>>>(device_, other_);
        ASSERT_EQ(cudaStreamEndCapture(free_, &graph), cudaSuccess);
    });
    EXPECT_TRUE(program.tasks().empty());
}

}  // namespace
