// What the text of a loop says of its being unrolled.
#include "src/trace/record/unrolled_loops.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace lanework {
namespace {

constexpr std::string_view kText = R"(__global__ void kernel(int* out, int n) {
    int ring[kRing];
    for (int k = 0; k < kRing; ++k) ring[k] = k;
#pragma unroll 1
    for (int step = 0; step < n; ++step)
        ring[step % kRing] += step;
#pragma unroll
    for (int k = 0; k < n; ++k) {
        if (k < out[0])
            ring[k] = 2;
        else {
            ring[k] = 3;
        }
    }
    for (int i = 0; i < n; ++i) {
        for (int k = 0; k < 16; ++k) {  // constant
            ring[k] += i;
        }
        ring[i % kRing] = 5;
    }
    out[threadIdx.x] = ring[out[0]];
}
void other() {
    use();
}
)";

/// The line that holds this text.
int line_of(std::string_view part) {
    const auto at = kText.find(part);
    EXPECT_NE(at, std::string_view::npos) << part;
    return 1 + static_cast<int>(std::count(kText.begin(), kText.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}
bool unrolled(std::string_view part) { return is_in_unrolled_loop(kText, line_of(part)); }

TEST(UnrolledLoops, AreThoseThatSaySoAndThoseFromAConstantToAConstant) {
    EXPECT_TRUE(unrolled("ring[k] = k"));
    EXPECT_TRUE(unrolled("ring[k] = 2"));
    EXPECT_TRUE(unrolled("ring[k] = 3"));
    EXPECT_TRUE(unrolled("ring[k] += i"));
}

TEST(UnrolledLoops, AreNotThoseWhoseBoundVariesOrThatAskForOneTurn) {
    EXPECT_FALSE(unrolled("ring[step % kRing]"));
    EXPECT_FALSE(unrolled("ring[i % kRing]")) << "behind a loop that is over";
    EXPECT_FALSE(unrolled("ring[out[0]]")) << "in no loop";
    EXPECT_FALSE(unrolled("use()")) << "in another function";
    EXPECT_FALSE(is_in_unrolled_loop(kText, 0));
    EXPECT_FALSE(is_in_unrolled_loop(kText, 1000));
    EXPECT_FALSE(is_in_unrolled_loop_of("no/such/file.cu", 3));
}

}  // namespace
}  // namespace lanework
