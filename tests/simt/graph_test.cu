// Capture keeps what is submitted and does nothing; launches of the graph do it, in order, as often as asked.
#include <gtest/gtest.h>

#include <memory>
#include <thread>
#include <vector>

namespace {

__global__ void add(int* values, int amount) { values[threadIdx.x] += amount; }

class Graph : public ::testing::Test {
protected:
    void SetUp() override {
        ASSERT_EQ(cudaStreamCreate(&stream_), cudaSuccess);
        ASSERT_EQ(cudaStreamCreate(&other_), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&forked_), cudaSuccess);
        ASSERT_EQ(cudaEventCreate(&joined_), cudaSuccess);
        ASSERT_EQ(cudaMalloc(&values_, kCount * sizeof(int)), cudaSuccess);
        ASSERT_EQ(cudaMemset(values_, 0, kCount * sizeof(int)), cudaSuccess);
    }
    void TearDown() override { EXPECT_EQ(cudaDeviceReset(), cudaSuccess); }

    int first() const {
        int value = -1;
        EXPECT_EQ(cudaMemcpy(&value, values_, sizeof value, cudaMemcpyDeviceToHost), cudaSuccess);
        return value;
    }
    void fork() const {
        EXPECT_EQ(cudaEventRecord(forked_, stream_), cudaSuccess);
        EXPECT_EQ(cudaStreamWaitEvent(other_, forked_), cudaSuccess);
    }
    void join() const {
        EXPECT_EQ(cudaEventRecord(joined_, other_), cudaSuccess);
        EXPECT_EQ(cudaStreamWaitEvent(stream_, joined_), cudaSuccess);
    }

    static constexpr int kCount = 32;
    cudaStream_t stream_ = nullptr, other_ = nullptr;
    cudaEvent_t forked_ = nullptr, joined_ = nullptr;
    int* values_ = nullptr;
};

TEST_F(Graph, DoesNothingWhileItIsCapturedAndAllOfItAtEachLaunch) {
    int downloaded = -1, host_calls = 0;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    add<<<1, kCount, 0, stream_>>>(values_, 3);
    EXPECT_EQ(cudaMemcpyAsync(&downloaded, values_, sizeof(int), cudaMemcpyDeviceToHost, stream_), cudaSuccess);
    EXPECT_EQ(cudaLaunchHostFunc(
                  stream_, [](void* calls) { ++*static_cast<int*>(calls); }, &host_calls),
              cudaSuccess);
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(first(), 0);
    EXPECT_EQ(downloaded, -1);

    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    for (int launches = 1; launches <= 3; ++launches) {
        EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
        EXPECT_EQ(first(), 3 * launches);
        EXPECT_EQ(downloaded, 3 * launches);
        EXPECT_EQ(host_calls, launches);
    }
    EXPECT_EQ(cudaGraphExecDestroy(executable), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaErrorInvalidValue);
}

TEST_F(Graph, KeepsTheArgumentsOfALaunchNotTheVariables) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    {
        auto amount = std::make_unique<int>(5);
        add<<<1, kCount, 0, stream_>>>(values_, *amount);
        *amount = 100;
    }
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
    EXPECT_EQ(first(), 5);
}

TEST_F(Graph, TakesInStreamsThatForkAndJoin) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeThreadLocal), cudaSuccess);
    add<<<1, kCount, 0, stream_>>>(values_, 1);
    fork();
    EXPECT_EQ(cudaStreamIsCapturing(other_, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusActive);
    add<<<1, kCount, 0, other_>>>(values_, 10);
    join();
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    EXPECT_EQ(cudaStreamIsCapturing(other_, &status), cudaSuccess);
    EXPECT_EQ(status, cudaStreamCaptureStatusNone);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    ASSERT_EQ(cudaGraphLaunch(executable, stream_), cudaSuccess);
    EXPECT_EQ(first(), 11);
}

TEST_F(Graph, IsRefusedWithWorkThatWasNotJoined) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    fork();
    join();
    add<<<1, kCount, 0, other_>>>(values_, 10);  // after the join
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureUnjoined);
    EXPECT_EQ(graph, nullptr);
}

TEST_F(Graph, MustEndOnTheStreamOnWhichItBegan) {
    cudaGraph_t graph = nullptr;
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorIllegalState);
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaErrorIllegalState);
    fork();
    join();
    EXPECT_EQ(cudaStreamEndCapture(other_, &graph), cudaErrorStreamCaptureUnmatched);
}

TEST_F(Graph, IsSpoiltByWaitingForWhatIsOnlyKept) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaStreamSynchronize(stream_), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
}

TEST_F(Graph, IsSpoiltByWaitingForEverything) {
    cudaGraph_t graph = nullptr;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeRelaxed), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaErrorStreamCaptureInvalidated);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Graph, IsSpoiltByAnAllocationUnlessItsModeAllowsThat) {
    const auto allocates_in = [&](cudaStreamCaptureMode mode, bool in_another_thread) {
        cudaGraph_t graph = nullptr;
        int* memory = nullptr;
        cudaError_t allocated = cudaSuccess;
        const auto allocate = [&] { allocated = cudaMalloc(&memory, sizeof(int)); };
        EXPECT_EQ(cudaStreamBeginCapture(stream_, mode), cudaSuccess);
        if (in_another_thread)
            std::thread(allocate).join();
        else
            allocate();
        const cudaError_t ended = cudaStreamEndCapture(stream_, &graph);
        EXPECT_EQ(ended, allocated == cudaSuccess ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
        EXPECT_EQ(memory == nullptr, allocated != cudaSuccess);
        return allocated == cudaSuccess;
    };
    EXPECT_FALSE(allocates_in(cudaStreamCaptureModeGlobal, false));
    EXPECT_FALSE(allocates_in(cudaStreamCaptureModeGlobal, true));
    EXPECT_FALSE(allocates_in(cudaStreamCaptureModeThreadLocal, false));
    EXPECT_TRUE(allocates_in(cudaStreamCaptureModeThreadLocal, true));
    EXPECT_TRUE(allocates_in(cudaStreamCaptureModeRelaxed, false));
}

TEST_F(Graph, AllowsAThreadThatRelaxesItsModeAnAllocation) {
    const auto allocates_in = [&](cudaStreamCaptureMode captured, cudaStreamCaptureMode mode) {
        int* memory = nullptr;
        cudaGraph_t graph = nullptr;
        cudaStreamCaptureMode exchanged = mode;
        EXPECT_EQ(cudaStreamBeginCapture(stream_, captured), cudaSuccess);
        EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&exchanged), cudaSuccess);
        EXPECT_EQ(exchanged, cudaStreamCaptureModeGlobal);
        const bool allocated = cudaMalloc(&memory, sizeof(int)) == cudaSuccess;
        EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&exchanged), cudaSuccess);
        EXPECT_EQ(exchanged, mode);
        EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), allocated ? cudaSuccess : cudaErrorStreamCaptureInvalidated);
        return allocated;
    };
    EXPECT_TRUE(allocates_in(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed));
    EXPECT_TRUE(allocates_in(cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeRelaxed));
    EXPECT_FALSE(allocates_in(cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal));
    EXPECT_FALSE(allocates_in(cudaStreamCaptureModeThreadLocal, cudaStreamCaptureModeThreadLocal));
}

TEST_F(Graph, LeavesAThreadThatAsksForItsOwnCapturesAloneToItself) {
    cudaGraph_t graph = nullptr;
    cudaError_t allocated = cudaErrorUnknown;
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    std::thread([&] {
        int* memory = nullptr;
        cudaStreamCaptureMode mode = cudaStreamCaptureModeThreadLocal;
        EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaSuccess);
        allocated = cudaMalloc(&memory, sizeof(int));
    }).join();
    EXPECT_EQ(allocated, cudaSuccess);
    EXPECT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
}

TEST_F(Graph, RefusesAModeThatThereIsNot) {
    auto mode = static_cast<cudaStreamCaptureMode>(3);
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(&mode), cudaErrorInvalidValue);
    EXPECT_EQ(cudaThreadExchangeStreamCaptureMode(nullptr), cudaErrorInvalidValue);
}

TEST_F(Graph, RefusesACopyWhenItIsDoneIfTheMemoryIsGone) {
    cudaGraph_t graph = nullptr;
    cudaGraphExec_t executable = nullptr;
    int* gone = nullptr;
    ASSERT_EQ(cudaMalloc(&gone, sizeof(int)), cudaSuccess);
    ASSERT_EQ(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_EQ(cudaMemcpyAsync(gone, values_, sizeof(int), cudaMemcpyDeviceToDevice, stream_), cudaSuccess);
    ASSERT_EQ(cudaStreamEndCapture(stream_, &graph), cudaSuccess);
    ASSERT_EQ(cudaGraphInstantiate(&executable, graph), cudaSuccess);
    ASSERT_EQ(cudaFree(gone), cudaSuccess);
    EXPECT_EQ(cudaGraphLaunch(executable, stream_), cudaErrorInvalidValue);
}

}  // namespace
