// A matrix product and two sums on whatever device is here: memory is typed, the device's stream is the last argument.
#include <cstdio>
#include <exception>
#include <lanework/array.hpp>
#include <lanework/device_array.hpp>
#include <vector>

namespace {

constexpr std::int64_t kRows = 100, kInner = 50, kCols = 113;

void run(lanework::Device& device) {
    const lanework::DeviceArray<float> a(device, std::vector<float>(kRows * kInner, 0.5F));
    const lanework::DeviceArray<float> b(device, std::vector<float>(kInner * kCols, 2.0F));
    const lanework::DeviceArray<float> c(device, kRows * kCols), sums(device, 2);

    // The caller owns all memory, scratch memory too: the calls allocate nothing, and a CUDA graph could capture them.
    const auto type = lanework::DType::float32;
    const lanework::DeviceArray<std::byte> product_scratch(
        device, static_cast<std::int64_t>(lanework::matmul_workspace(kRows, kInner, kCols, type, device)));
    const lanework::DeviceArray<std::byte> sum_scratch(device, static_cast<std::int64_t>(lanework::reduce_workspace(
                                                                   c.size(), type, lanework::ReduceForm::sum, device)));
    const lanework::DeviceArray<std::byte> tree_scratch(
        device, static_cast<std::int64_t>(lanework::reproducible_sum_workspace(c.size(), type, device)));
    const auto workspace = [](const lanework::DeviceArray<std::byte>& memory) {
        return lanework::Workspace{memory.data(), static_cast<std::size_t>(memory.size())};
    };

    lanework::matmul(a.matrix(kRows, kInner), b.matrix(kInner, kCols), c.matrix(kRows, kCols),
                     workspace(product_scratch), device);
    lanework::reduce(c.view(), sums.data(), lanework::ReduceForm::sum, workspace(sum_scratch), device);
    lanework::reproducible_sum(c.view(), sums.data() + 1, workspace(tree_scratch), device);
    device.synchronize();

    const std::vector<float> found = sums.to_host();
    std::printf("every element of %lldx%lld is %g; they sum to %g, and to %g in the same bits everywhere\n",
                static_cast<long long>(kRows), static_cast<long long>(kCols), static_cast<double>(c.to_host()[0]),
                static_cast<double>(found[0]), static_cast<double>(found[1]));
}

}  // namespace

int main() try {
    const auto device = lanework::best_device();
    std::printf("on %s\n", device->info().id.c_str());
    run(*device);
} catch (const std::exception& error) {
    std::fprintf(stderr, "array_sum: %s\n", error.what());
    return 1;
}
