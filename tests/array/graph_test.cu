// Every function of arrays in a captured graph: replayed with other values it gives what a direct call gives for those.
#include <lanework/array.hpp>

#include "src/core/launch.hpp"
#include "tests/image/replay.hpp"

namespace lanework::test {
namespace {

constexpr std::int64_t kCount = 5003, kRows = 37, kCols = 53, kDepth = 21;

class ArrayGraph : public Replay {
protected:
    template <class T>
    ArrayView<const T> drawn(std::int64_t count = kCount) {
        return {input<T>(static_cast<std::size_t>(count),
                         [](auto& random) {
                             return static_cast<T>(static_cast<std::int32_t>(random() % 4000001) - 2000000);
                         }),
                count};
    }
    template <class T>
    ArrayView<T> result(std::int64_t count = kCount) {
        return {output<T>(static_cast<std::size_t>(count)), count};
    }
    template <class T>
    MatrixView<const T> drawn(std::int64_t rows, std::int64_t cols) {
        return MatrixView<const T>::tight(drawn<T>(rows * cols).data, rows, cols);
    }
    Workspace lent(std::size_t bytes) { return {scratch(bytes), bytes}; }
    /// Asks for bytes alone.
    Target target() { return {*here_, Stream::of(*here_)}; }

    std::unique_ptr<Device> here_ = open_device("simt");
};

TEST_F(ArrayGraph, Adds) {
    expect_replays(
        [x = drawn<float>(), y = drawn<float>(), z = result<float>()](Target target) { add(x, y, z, target); });
}

TEST_F(ArrayGraph, TakesTheGelu) {
    expect_replays([x = drawn<float>(), y = result<float>()](Target target) { gelu(x, y, GeluForm::tanh, target); });
}

TEST_F(ArrayGraph, CountsBytes) {
    const auto in = input<std::uint8_t>(kCount, [](auto& random) { return static_cast<std::uint8_t>(random()); });
    expect_replays([in, counts = output<std::uint64_t>(256)](Target target) {
        histogram(ArrayView<const std::uint8_t>{in, kCount}, counts, target);
    });
}

TEST_F(ArrayGraph, Transposes) {
    const auto out = MatrixView<std::int32_t>::tight(output<std::int32_t>(kRows * kCols), kCols, kRows);
    expect_replays([in = drawn<std::int32_t>(kRows, kCols), out](Target target) { transpose(in, out, target); });
}

TEST_F(ArrayGraph, Multiplies) {
    const auto c = MatrixView<float>::tight(output<float>(kRows * kDepth), kRows, kDepth);
    const Workspace workspace = lent(matmul_workspace(kRows, kCols, kDepth, DType::float32, target()));
    expect_replays([=, a = drawn<float>(kRows, kCols), b = drawn<float>(kCols, kDepth)](Target target) {
        matmul(a, b, c, workspace, target);
    });
}

TEST_F(ArrayGraph, Reduces) {
    for (const ReduceForm form : {ReduceForm::sum, ReduceForm::min, ReduceForm::max}) {
        const Workspace workspace = lent(reduce_workspace(kCount, DType::int32, form, target()));
        expect_replays([=, in = drawn<std::int32_t>(), out = output<std::int32_t>(1)](Target target) {
            reduce(in, out, form, workspace, target);
        });
    }
}

TEST_F(ArrayGraph, FindsPlaces) {
    const Workspace workspace = lent(reduce_workspace(kCount, DType::float32, ReduceForm::argmax, target()));
    expect_replays([=, in = drawn<float>(), place = output<std::int64_t>(1)](Target target) {
        reduce(in, place, ReduceForm::argmax, workspace, target);
    });
}

TEST_F(ArrayGraph, SumsReproducibly) {
    const Workspace workspace = lent(reproducible_sum_workspace(kCount, DType::float64, target()));
    expect_replays([=, in = drawn<double>(), out = output<double>(1)](Target target) {
        reproducible_sum(in, out, workspace, target);
    });
}

// Code that is loaded takes memory, as this launch does: for that a capture must not be lost.
TEST(FirstUses, TakeMemoryWhileAStreamIsCaptured) {
    static constexpr Rung::Typed kLoading{.dtype = DType::float32,
                                          .supported = [](const void*) { return true; },
                                          .launch = nullptr,
                                          .workspace = nullptr,
                                          .prepare = nullptr,
                                          .launch_args =
                                              [](const void*, const void*, void*) {
                                                  void* code = nullptr;
                                                  EXPECT_EQ(cudaMalloc(&code, 4096), cudaSuccess);
                                              },
                                          .fits = nullptr,
                                          .fits_args = nullptr};
    Rung rung{};
    rung.types = {&kLoading, 1};
    cudaGraph_t graph = nullptr;
    void* memory = nullptr;
    const std::unique_ptr<Device> device = open_device("simt");
    const auto stream = static_cast<cudaStream_t>(device->stream());
    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    image::launch_rung(rung, DType::float32, nullptr, *device);
    EXPECT_EQ(cudaStreamEndCapture(stream, &graph), cudaSuccess);

    ASSERT_EQ(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaSuccess);
    EXPECT_NE(cudaMalloc(&memory, 4096), cudaSuccess) << "the thread has its mode again";
    cudaStreamEndCapture(stream, &graph);
}

}  // namespace
}  // namespace lanework::test
