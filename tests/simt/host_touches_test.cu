// What the host touches while a launch runs that nobody watches: its threads are looked at, the kernel's are not.
#include <array>
#include <thread>

#include "src/simt/host_touches.hpp"
#include "tests/simt/engine_grid.hpp"

namespace {

struct Meeting {
    int started = 0, go = 0;
};

__global__ void write_and_wait(volatile Meeting* meeting, int* written) {
    *written = 1;
    meeting->started = 1;
    while (meeting->go == 0) {
    }
}

TEST_F(Engine, SeesWhatAnotherThreadTouchesWhileALaunchRuns) {
    constexpr std::uint64_t kPiece = 64;
    alignas(kPiece) std::array<int, 4 * kPiece / sizeof(int)> watched{};
    const auto base = reinterpret_cast<std::uint64_t>(watched.data());
    const HostMemoryRange range{base, sizeof watched, kPiece};
    watch_host_memory({&range, 1});
    Meeting meeting;
    volatile Meeting& seen = meeting;
    int read = 0;
    std::thread other([&] {
        while (seen.started == 0) std::this_thread::yield();
        read = static_cast<volatile int&>(watched[40]);
        seen.go = 1;
    });
    write_and_wait<<<1, 1>>>(&meeting, &watched[0]);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << failure_detail();
    other.join();
    EXPECT_EQ(read, 0);
    EXPECT_EQ(take_host_touches(), std::vector<std::uint64_t>{base + 2 * kPiece});
    forget_host_memory(base, sizeof watched);
}

}  // namespace
