// More products than a grid has blocks along z, by every rung that CUDA kernels compute: launches are looked at and not
// run, since a tile of 128 × 128 elements for each of 65538 tiny products takes minutes on simt.
#include <gtest/gtest.h>

#include <cstddef>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/execute.hpp>
#include <lanework/registry.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "ops/batched_matmul/operation.hpp"
#include "src/simt/observer.hpp"

namespace lanework {
namespace {

/// Keeps what launches were asked for, and leaves them out.
class LaunchesLeftOut : public lanework_simt::Observer {
public:
    struct Seen {
        std::int64_t blocks_along_z;
        std::vector<std::byte> arguments;
    };

    LaunchesLeftOut() { lanework_simt::set_observer(this); }
    LaunchesLeftOut(const LaunchesLeftOut&) = delete;
    LaunchesLeftOut& operator=(const LaunchesLeftOut&) = delete;
    ~LaunchesLeftOut() override { lanework_simt::set_observer(nullptr); }

    lanework_simt::LaunchPlan plan(const lanework_simt::Launch& launch, bool) override {
        seen.push_back({launch.grid.z, {}});
        if (launch.arguments)
            launch.arguments(
                launch.closure,
                [](void* all, const lanework_simt::Argument& each) {
                    const auto* bytes = static_cast<const std::byte*>(each.data);
                    static_cast<std::vector<std::byte>*>(all)->insert(static_cast<std::vector<std::byte>*>(all)->end(),
                                                                      bytes, bytes + each.bytes);
                },
                &seen.back().arguments);
        return lanework_simt::LaunchPlan::done;
    }
    void launch_refused(const lanework_simt::Launch& launch, std::string_view reason) override {
        ADD_FAILURE() << launch.kernel << " was refused: " << reason;
    }

    std::vector<Seen> seen;
};

TEST(BatchedMatmul, MoreProductsThanAGridHasBlocksAreSeveralLaunches) {
    const Operation& operation = find_operation("batched_matmul");
    const std::int64_t products = 2 * kMostAlongZ + 3;
    std::size_t divided = 0;
    const auto device = open_device("simt");
    for (const Rung* rung : ladder(operation, DeviceKind::simt)) {
        const Problem problem{.extent = extents(products, 1, 4, 4), .dtype = DType::float32};
        if (!rung->typed(problem.dtype)) continue;
        SCOPED_TRACE(std::string(rung->name));
        HostArrays arrays(operation, problem);
        operation.fill(problem, 1, arrays.buffers());
        LaunchesLeftOut launches;
        try {
            execute(*device, operation, *rung, problem, arrays.buffers());
        } catch (const UnavailableError&) {
            continue;  // instructions that simt has not
        }
        std::int64_t blocks = 0;
        for (const auto& each : launches.seen) {
            EXPECT_LE(each.blocks_along_z, kMostAlongZ);
            blocks += each.blocks_along_z;
        }
        EXPECT_EQ(blocks, products);
        if (launches.seen.size() != 3) continue;  // one for each product
        ++divided;
        EXPECT_TRUE(launches.seen[0].arguments != launches.seen[1].arguments) << "the same products again";
        EXPECT_TRUE(launches.seen[1].arguments != launches.seen[2].arguments);
    }
    EXPECT_GE(divided, 3U);
}

}  // namespace
}  // namespace lanework
