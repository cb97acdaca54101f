// What an observer does is not the kernel's, also where its code is instrumented as the kernel's is: so are the inline
// functions of a program that watched files lend to all others.
#include <numeric>

#include "src/simt/observer.hpp"
#include "tests/simt/engine_grid.hpp"

namespace {

/// Counts the events of threads, and accesses memory as often as it is asked to whenever it is called.
class Busy final : public Observer {
public:
    explicit Busy(unsigned accesses) : memory_(accesses) { set_observer(this); }
    Busy(const Busy&) = delete;
    Busy& operator=(const Busy&) = delete;
    ~Busy() override { set_observer(nullptr); }

    void block_begins(const ObservedBlock&) override { work(); }
    void block_ends(const ObservedBlock&) override { work(); }
    void block_synchronized(const ObservedBlock& block) override {
        for (unsigned thread = 0; thread < block.threads; ++thread) events += block.tapes[thread].size;
        work();
    }
    void index_out_of_bounds(const ObservedBlock&, unsigned, std::uint64_t, long long) override { work(); }
    void memory_allocated(const void*, std::size_t, Origin) override { work(); }

    std::size_t events = 0;
    /// Calls while another one had not ended.
    unsigned interrupted = 0;

private:
    void work() {
        interrupted += inside_;
        inside_ = true;
        std::iota(memory_.begin(), memory_.end(), 0u);
        inside_ = false;
    }

    std::vector<unsigned> memory_;
    bool inside_ = false;
};

__global__ void index_and_allocate(int* out, int index) {
    int own[4] = {1, 2, 3, 4};
    const unsigned thread = blockIdx.x * blockDim.x + threadIdx.x;
    out[thread] = own[thread % 4];
    if (thread == 0) out[thread] = own[index];
    if (threadIdx.x == 0) free(malloc(16));
    __syncthreads();
    out[thread] += 1;
}

struct Seen {
    std::size_t events;
    unsigned interrupted;
};
Seen observed_with(unsigned accesses, std::uint64_t seed) {
    std::vector<int> out(8 * 64);
    set_schedule(seed);
    Busy observer(accesses);
    index_and_allocate<<<8, 64>>>(out.data(), 5);
    EXPECT_EQ(cudaDeviceSynchronize(), cudaSuccess) << failure_detail();
    return {observer.events, observer.interrupted};
}

TEST_F(Engine, RecordsNothingOfWhatAnObserverDoes) {
    for (const std::uint64_t seed : {0, 1, 2}) {
        const Seen idle = observed_with(0, seed);
        EXPECT_GT(idle.events, 2u * 8 * 64);
        EXPECT_EQ(observed_with(1000, seed).events, idle.events) << "schedule " << seed;
    }
}

TEST_F(Engine, InterruptsNoObserver) {
    for (const std::uint64_t seed : {1, 2}) EXPECT_EQ(observed_with(1000, seed).interrupted, 0u) << "schedule " << seed;
}

}  // namespace
