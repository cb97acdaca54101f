// Launches that cannot be and kernels that fail: CUDA's codes, get and peek, and a sentence that says what happened.
#include <stdexcept>

#include "tests/simt/engine_grid.hpp"

namespace {

__global__ void nothing() {}

TEST_F(Engine, RefusesImpossibleLaunches) {
    const struct {
        dim3 grid, block;
        const char* reason;
    } impossible[] = {
        {dim3(1), dim3(1025), "nothing: a block of 1025×1×1 threads exceeds 1024 threads per block"},
        {dim3(1), dim3(32, 33), "a block of 32×33×1 threads exceeds 1024"},
        {dim3(1), dim3(65536, 65536, 1), "exceeds 1024"},
        {dim3(1), dim3(1, 1, 65), "exceeds 64 in z"},
        {dim3(1), dim3(0), "a block of 0×1×1 threads is empty"},
        {dim3(0), dim3(1), "a grid of 0×1×1 blocks is empty"},
        {dim3(1, 65536), dim3(1), "exceeds 65535 in y or z"},
        {dim3(1, 1, 65536), dim3(1), "exceeds 65535 in y or z"},
        {dim3(0x80000000u), dim3(1), "exceeds 2147483647 in x"},
    };
    for (const auto& launch : impossible) {
        nothing<<<launch.grid, launch.block>>>();
        EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
        EXPECT_EQ(failure(), cudaErrorInvalidValue);
        EXPECT_TRUE(detail_has(launch.reason));
        EXPECT_TRUE(detail_has("engine_errors_test.cu:"));
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a refused launch is no sticky error";
    }
}

__global__ void kilobyte() {
    __shared__ char bytes[1024];
    bytes[0] = 1;
}

TEST_F(Engine, RefusesMoreDynamicSharedMemoryThanWasAllowed) {
    forget_allowed_dynamic_shared();
    nothing<<<1, 1, 48 * 1024>>>();
    EXPECT_EQ(failure(), cudaSuccess);
    allow_dynamic_shared(reinterpret_cast<const void*>(kilobyte), 100 * 1024);  // another kernel
    nothing<<<1, 1, 48 * 1024 + 1>>>();
    EXPECT_EQ(failure(), cudaErrorInvalidValue);
    EXPECT_TRUE(detail_has("49153 bytes of dynamic shared memory exceed 49152: allow the kernel more first"));
    kilobyte<<<1, 1, 47 * 1024>>>();
    EXPECT_EQ(failure(), cudaSuccess);
}

TEST_F(Engine, CountsSharedVariablesWithTheDynamicSharedMemoryThatIsNotAllowed) {
    forget_allowed_dynamic_shared();
    kilobyte<<<1, 1, 47 * 1024 + 1>>>();
    EXPECT_EQ(failure(), cudaErrorInvalidValue);
    EXPECT_TRUE(detail_has("unless cudaFuncSetAttribute allows the kernel more"));
}

TEST_F(Engine, RefusesTooMuchDynamicSharedMemory) {
    forget_allowed_dynamic_shared();
    EXPECT_EQ(cudaFuncSetAttribute(nothing, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024), cudaSuccess);
    nothing<<<1, 1, 227 * 1024>>>();
    EXPECT_EQ(failure(), cudaSuccess);
    nothing<<<1, 1, 227 * 1024 + 1>>>();
    EXPECT_EQ(failure(), cudaErrorInvalidValue);
    EXPECT_TRUE(detail_has("232449 bytes of dynamic shared memory exceed 232448 per block"));
    forget_allowed_dynamic_shared();
    nothing<<<1, 1, 227 * 1024>>>();
    EXPECT_EQ(failure(), cudaErrorInvalidValue);
}

TEST_F(Engine, RefusesAStreamThatDoesNotExist) {
    nothing<<<1, 1, 0, reinterpret_cast<cudaStream_t>(&detail)>>>();
    EXPECT_EQ(failure(), cudaErrorInvalidResourceHandle);
}

__global__ void trap_in(unsigned block, int* blocks_run) {
    __atomic_fetch_add(blocks_run, 1, __ATOMIC_RELAXED);
    if (blockIdx.x == block) __trap();
}

TEST_F(Engine, EndsTheGridOfAFailedKernelAndKeepsTheError) {
    set_worker_count(1);
    int blocks = 0;
    trap_in<<<100, 1>>>(5, &blocks);
    EXPECT_EQ(blocks, 6);
    EXPECT_EQ(failure(), cudaErrorLaunchFailure);
    EXPECT_TRUE(detail_has("trap_in: "));
    trap_in<<<1, 1>>>(9, &blocks);
    EXPECT_EQ(blocks, 6) << "nothing is launched on a failed device";
    EXPECT_EQ(failure(), cudaErrorLaunchFailure) << "the launch is a call like any other";
    EXPECT_TRUE(detail_has("trap_in: "));
    clear_for_reset();
    trap_in<<<7, 1>>>(9, &blocks);
    EXPECT_EQ(failure(), cudaSuccess);
    EXPECT_EQ(blocks, 13);
}

TEST_F(Engine, ReturnsTheErrorOfAFailedKernelFromEveryLaterCall) {
    int blocks = 0;
    void* memory = nullptr;
    trap_in<<<1, 1>>>(0, &blocks);
    for (int repeat = 0; repeat < 2; ++repeat) {
        EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchFailure);
        EXPECT_EQ(cudaPeekAtLastError(), cudaErrorLaunchFailure) << "a peek leaves the error";
        EXPECT_EQ(cudaGetLastError(), cudaErrorLaunchFailure);
        EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "a get clears the last error, a sticky one too";
        EXPECT_EQ(cudaPeekAtLastError(), cudaSuccess);
        EXPECT_EQ(repeat == 0 ? cudaDeviceSynchronize() : cudaMalloc(&memory, 0), cudaErrorLaunchFailure);
    }
    EXPECT_EQ(cudaDeviceReset(), cudaSuccess);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess);
}

TEST_F(Engine, LeavesNothingOfAFailedKernelBehind) {
    for (int repeat = 0; repeat < 20; ++repeat) {
        int blocks = 0;
        trap_in<<<64, 40>>>(repeat, &blocks);
        EXPECT_EQ(failure(), cudaErrorLaunchFailure);
        clear_for_reset();
        blocks = 0;
        trap_in<<<64, 40>>>(64, &blocks);
        EXPECT_EQ(failure(), cudaSuccess);
        EXPECT_EQ(blocks, 64 * 40);
    }
}

__global__ void store_to(int* address) { *address = 1; }

TEST_F(Engine, ReportsAnAccessToNoMemory) {
    for (int repeat = 0; repeat < 3; ++repeat) {
        store_to<<<4, 4>>>(reinterpret_cast<int*>(0x1238));
        EXPECT_EQ(failure(), cudaErrorIllegalAddress);
        EXPECT_TRUE(detail_has("store_to: thread (0,0,0) of block ("));
        EXPECT_TRUE(detail_has("0x1238"));
        clear_for_reset();
    }
}

__global__ void divide(int* value, int by) { *value /= by; }

TEST_F(Engine, ReportsADivisionByZero) {
    int value = 1;
    divide<<<1, 1>>>(&value, 0);
    EXPECT_EQ(failure(), cudaErrorLaunchFailure);
    EXPECT_TRUE(detail_has("divided an integer by zero"));
}

__device__ int descend(volatile int* depth) {
    volatile char frame[512];
    frame[0] = static_cast<char>(*depth);
    *depth = *depth + 1;
    return *depth == 0 ? 0 : descend(depth) + frame[0];
}
__global__ void overflow_stack(int* depth) { *depth = descend(depth); }

TEST_F(Engine, ReportsAStackOverflow) {
    int depth = 0;
    overflow_stack<<<1, 1>>>(&depth);
    EXPECT_EQ(failure(), cudaErrorIllegalAddress);
    EXPECT_TRUE(detail_has("LANEWORK_SIMT_STACK_KIB"));
    EXPECT_GT(depth, 20);
}

__global__ void too_much_static() {
    __shared__ float first[8192];
    __shared__ float second[8192];
    first[threadIdx.x] = second[threadIdx.x] = 0;
}

TEST_F(Engine, ReportsTooMuchStaticSharedMemory) {
    too_much_static<<<1, 1>>>();
    EXPECT_EQ(failure(), cudaErrorInvalidValue);
    EXPECT_TRUE(detail_has("65536 bytes"));
}

__global__ void throw_one() { throw std::runtime_error("as host code would"); }

TEST_F(Engine, ReportsAnExceptionThatLeavesAKernel) {
    throw_one<<<1, 1>>>();
    EXPECT_EQ(failure(), cudaErrorLaunchFailure);
    EXPECT_TRUE(detail_has("as host code would"));
}

__global__ void launch_another() { nothing<<<1, 1>>>(); }

TEST_F(Engine, ReportsALaunchFromAKernel) {
    launch_another<<<1, 1>>>();
    EXPECT_EQ(failure(), cudaErrorNotSupported);
    EXPECT_TRUE(detail_has("launch_another: it launches nothing"));
}

TEST_F(Engine, RefusesKernelCallsInHostCode) {
    EXPECT_FALSE(in_kernel());
    EXPECT_THROW(__syncthreads(), std::logic_error);
    EXPECT_THROW(fail_kernel(cudaErrorAssert, "x"), std::logic_error);
}

TEST_F(Engine, SeparatesGetFromPeek) {
    EXPECT_EQ(record(cudaErrorInvalidValue), cudaErrorInvalidValue);
    EXPECT_EQ(record(cudaSuccess), cudaSuccess) << "a good call leaves the last error alone";
    EXPECT_EQ(cudaPeekAtLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
    EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
