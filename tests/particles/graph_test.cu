// A list of a fixed capacity in a captured graph: replayed with other positions it is the list of those, and where the
// capacity is too small it says what it would have needed.
#include <gtest/gtest.h>

#include <algorithm>
#include <lanework/neighbors.hpp>
#include <random>
#include <vector>

namespace lanework {
namespace {

std::vector<float> random_gas(std::size_t atoms, double length, std::uint64_t seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<float> uniform(-0.2F, static_cast<float>(length) + 0.2F);
    std::vector<float> x(3 * atoms);
    for (float& each : x) each = uniform(random);
    return x;
}

class NeighborGraph : public ::testing::Test {
protected:
    static constexpr std::size_t kAtoms = 80;
    static constexpr double kLength = 5;

    void SetUp() override {
        device_->upload(box_memory_.data(), &box_, sizeof box_);
        particles_.positions = reinterpret_cast<const float*>(positions_.data());
        particles_.atoms = kAtoms;
        particles_.boxes = reinterpret_cast<const PeriodicBox*>(box_memory_.data());
        list_.offsets = reinterpret_cast<std::int64_t*>(offsets_.data());
        list_.status = reinterpret_cast<NeighborStatus*>(status_.data());
        bytes_ = neighbor_workspace(particles_);
        workspace_ = device_->allocate(bytes_);
    }

    void capture(const NeighborOptions& options, std::int64_t capacity) {
        indices_ = device_->allocate(static_cast<std::size_t>(capacity) * sizeof(std::int32_t));
        distances_ = device_->allocate(static_cast<std::size_t>(capacity) * sizeof(float));
        list_.capacity = capacity;
        list_.indices = reinterpret_cast<std::int32_t*>(indices_.data());
        list_.distances = reinterpret_cast<float*>(distances_.data());
        options_ = options;
        options_.distances = true;
        const auto stream = static_cast<cudaStream_t>(device_->stream());
        cudaGraph_t graph = nullptr;
        ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
        enqueue_neighbor_count(particles_, options, list_, {workspace_.data(), bytes_}, {*device_, stream});
        enqueue_neighbor_fill(particles_, options, list_, {workspace_.data(), bytes_}, {*device_, stream});
        ASSERT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);
        ASSERT_EQ(cudaGraphInstantiate(&executable_, graph), cudaSuccess);
        EXPECT_EQ(cudaGraphDestroy(graph), cudaSuccess);
    }
    void TearDown() override {
        if (executable_) {
            EXPECT_EQ(cudaGraphExecDestroy(executable_), cudaSuccess);
        }
    }

    NeighborStatus replay(const std::vector<float>& x) {
        device_->upload(positions_.data(), x.data(), x.size() * sizeof(float));
        device_->fill(indices_.data(), std::byte{0x7b}, indices_.bytes());
        EXPECT_EQ(cudaGraphLaunch(executable_, static_cast<cudaStream_t>(device_->stream())), cudaSuccess);
        device_->synchronize();
        NeighborStatus status;
        device_->download(&status, status_.data(), sizeof status);
        return status;
    }
    NeighborList<float> expected(const std::vector<float>& x) const {
        return neighbors(Particles<float>{.positions = x, .boxes = {&box_, 1}}, options_, Team{1});
    }
    template <class U>
    std::vector<U> downloaded(const DeviceMemory& memory, std::size_t size) {
        std::vector<U> values(size);
        if (size > 0) device_->download(values.data(), memory.data(), size * sizeof(U));
        return values;
    }
    void expect_list_of(const std::vector<float>& x) {
        const NeighborList<float> list = expected(x);
        const NeighborStatus status = replay(x);
        ASSERT_TRUE(status.ok());
        ASSERT_EQ(status.pairs, static_cast<std::uint64_t>(list.pairs()));
        EXPECT_TRUE(std::ranges::equal(downloaded<std::int64_t>(offsets_, kAtoms + 1), list.offsets));
        EXPECT_TRUE(std::ranges::equal(downloaded<std::int32_t>(indices_, list.indices.size()), list.indices));
        EXPECT_TRUE(std::ranges::equal(downloaded<float>(distances_, list.distances.size()), list.distances));
    }

    std::unique_ptr<Device> device_ = open_device("simt");
    PeriodicBox box_ = PeriodicBox::orthorhombic(kLength, kLength, kLength, {true, true, false});
    DeviceMemory positions_ = device_->allocate(3 * kAtoms * sizeof(float)),
                 box_memory_ = device_->allocate(sizeof box_),
                 offsets_ = device_->allocate((kAtoms + 1) * sizeof(std::int64_t)),
                 status_ = device_->allocate(sizeof(NeighborStatus)), workspace_, indices_, distances_;
    DeviceParticles<float> particles_;
    DeviceNeighborList<float> list_;
    NeighborOptions options_;
    std::size_t bytes_ = 0;
    cudaGraphExec_t executable_ = nullptr;
};

TEST_F(NeighborGraph, ReplayedWithOtherPositionsIsTheListOfThose) {
    capture({.cutoff = 1.7}, 10'000);
    for (const std::uint64_t seed : {1, 2, 3}) expect_list_of(random_gas(kAtoms, kLength, seed));
}

TEST_F(NeighborGraph, HoldsTheNearestToo) {
    capture({.cutoff = 1.7, .nearest = 4}, 10'000);
    for (const std::uint64_t seed : {4, 5}) expect_list_of(random_gas(kAtoms, kLength, seed));
}

TEST_F(NeighborGraph, ReplayedIntoATooSmallListWritesNothingAndSaysWhatItNeeds) {
    const auto sparse = random_gas(kAtoms, kLength, 6);
    auto crowded = sparse;
    for (std::size_t i = 0; i < crowded.size() / 2; ++i) crowded[i] /= 2;
    options_ = {.cutoff = 1.5};
    const auto room = expected(sparse).pairs();
    ASSERT_GT(expected(crowded).pairs(), room);
    capture({.cutoff = 1.5}, room);
    expect_list_of(sparse);
    EXPECT_EQ(replay(crowded).pairs, static_cast<std::uint64_t>(expected(crowded).pairs()));
    for (const std::int32_t index : downloaded<std::int32_t>(indices_, static_cast<std::size_t>(room)))
        ASSERT_EQ(index, 0x7b7b7b7b);
    expect_list_of(sparse);  // and the next one is whole again
}

}  // namespace
}  // namespace lanework
