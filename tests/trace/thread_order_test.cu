// Launches in which nothing says who of two threads comes first: what hangs on that is not exact, though every run here
// may find the same.
#include "tests/sass/recorded/orders.cu"
#include "tests/trace/recorded_launches.hpp"

namespace lanework {
namespace {

constexpr const char *kLoads = "l1tex__t_requests_pipe_lsu_mem_global_op_ld.sum",
                     *kStores = "l1tex__t_requests_pipe_lsu_mem_global_op_st.sum",
                     *kPasses = "memory_l1_wavefronts_shared";
constexpr int kThreads = 64;

/// The trace, whose machine code is known.
const KernelTrace& known(const KernelTrace& trace) {
    EXPECT_TRUE(trace.machine && trace.machine->known()) << (trace.machine ? trace.machine->reason : "");
    return trace;
}

TEST(ThreadOrder, DecidesWhatABlockFindsThatAnotherOneStores) {
    const MachineCode code = recorded("orders");
    const UploadedArray<int> flags({0, 0}), out(std::vector<int>(2 * kThreads, 0)), in(std::vector<int>(kThreads, 3));
    const KernelTrace trace =
        known(followed(code, [&] { looks_at_flags<<<2, kThreads>>>(flags.data(), out.data(), in.data()); }));
    figure(trace, kStores, Trust::modelled);
    figure(trace, kLoads, Trust::modelled);
    figure(trace, kPasses, Trust::exact);
}

TEST(ThreadOrder, DecidesWhichWarpStoresLast) {
    const MachineCode code = recorded("orders");
    const UploadedArray<int> out(std::vector<int>(kThreads, 0)), in(std::vector<int>(kThreads, 3));
    const KernelTrace trace =
        known(followed(code, [&] { looks_at_last_warp<<<1, kThreads>>>(out.data(), in.data()); }));
    figure(trace, kStores, Trust::modelled);
    const KernelTrace alone = known(followed(code, [&] { looks_at_last_warp<<<1, 32>>>(out.data(), in.data()); }));
    EXPECT_EQ(figure(alone, kStores, Trust::exact), 1);
    EXPECT_EQ(figure(alone, kPasses, Trust::exact), 2);
}

TEST(ThreadOrder, DoesNotMatterWhereAllLeaveTheSame) {
    const MachineCode code = recorded("orders");
    const UploadedArray<int> found({0}), in(std::vector<int>(kThreads, 3));
    const UploadedArray<unsigned char> bytes(std::vector<unsigned char>(2 * kThreads, 0));
    const KernelTrace trace = known(
        followed(code, [&] { leaves_what_all_agree_on<<<2, kThreads>>>(found.data(), bytes.data(), in.data()); }));
    EXPECT_FALSE(trace.machine->unordered);
    EXPECT_EQ(figure(trace, kStores, Trust::exact), 3 * 4);
}

/// Whether it is in doubt what a launch does that reads the array, after `before`.
template <class Before>
bool doubtful_after(const int* in, Before before) {
    const MachineCode code = recorded("orders");
    const UploadedArray<int> out(std::vector<int>(kThreads, 0));
    // The first launch of each kernel is traced.
    std::vector<std::string> seen;
    Tracer tracer({}, {.wants = [&](const lanework_simt::Launch& launch) {
                      if (std::ranges::find(seen, launch.kernel) != seen.end()) return false;
                      seen.emplace_back(launch.kernel);
                      return true;
                  }});
    tracer.follow({&code, 1});
    before();
    takes_small_ones<<<1, kThreads>>>(in, out.data());
    const std::vector<KernelTrace> launches = tracer.take_launches();
    return known(launches.back()).machine->doubtful;
}

TEST(ThreadOrder, IsLeftToTheNextLaunch) {
    const UploadedArray<int> left(std::vector<int>(kThreads, 3)), apart(std::vector<int>(kThreads, 3));
    EXPECT_TRUE(doubtful_after(left.data(), [&] { leaves_any_lane<<<1, 32>>>(left.data()); }));
    EXPECT_FALSE(doubtful_after(apart.data(), [&] { leaves_any_lane<<<1, 32>>>(left.data()); }));
    EXPECT_FALSE(doubtful_after(left.data(), [&] { leaves_any_lane<<<1, 1>>>(left.data()); }));
}

// An unwatched launch with the same arrays as the watched one before it.
TEST(ThreadOrder, OfALaterLaunchReachesAllThatItsKernelMayStoreTo) {
    const std::vector<int> numbers(16 * kThreads, 3);
    const UploadedArray<int> first(numbers), second(numbers), counter({0});
    const auto list_in = [&](int which) {
        lists_in_either<<<2, kThreads>>>(counter.data(), first.data(), second.data(), which);
    };
    EXPECT_TRUE(doubtful_after(first.data(), [&] { list_in(0); }));
    EXPECT_FALSE(doubtful_after(second.data(), [&] { list_in(0); }));
    EXPECT_TRUE(doubtful_after(second.data(), [&] {
        list_in(0);
        list_in(1);
    })) << "another argument says which array it is";
}

}  // namespace
}  // namespace lanework
