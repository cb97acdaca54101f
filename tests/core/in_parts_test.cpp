// A long loop in parts: every number once, whatever the counts, and what a part throws.
#include "src/core/in_parts.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

namespace lanework {
namespace {

TEST(InParts, VisitsEachNumberOnce) {
    for (const std::int64_t count : {0, 1, 7, 64, 1000, 4099})
        for (const std::int64_t least : {0, 1, 3, 500, 5000}) {
            std::vector<std::atomic<int>> visits(static_cast<std::size_t>(count));
            in_parts(count, least, [&](std::int64_t begin, std::int64_t end) {
                for (std::int64_t i = begin; i < end; ++i) ++visits[static_cast<std::size_t>(i)];
            });
            for (const auto& each : visits) ASSERT_EQ(each, 1) << count << " numbers, at least " << least << " a part";
        }
}

TEST(InParts, MakesNoPartOfLess) {
    for (const std::int64_t count : {10, 1000, 1001, 1999})
        in_parts(count, 100, [&](std::int64_t begin, std::int64_t end) {
            EXPECT_TRUE(end - begin >= 100 || end - begin == count) << begin << " to " << end << " of " << count;
        });
}

TEST(InParts, AreOneWhereThreadsMayNotBeStarted) {
    parts_have_threads = false;
    std::vector<std::int64_t> lengths;
    in_parts(1000, 1, [&](std::int64_t begin, std::int64_t end) { lengths.push_back(end - begin); });
    parts_have_threads = true;
    EXPECT_EQ(lengths, std::vector<std::int64_t>{1000});
}

TEST(InParts, ThrowsWhatAPartThrewWhenAllHaveEnded) {
    std::atomic<std::int64_t> visited = 0;
    const auto part = [&](std::int64_t begin, std::int64_t end) {
        if (end == 1000) throw std::runtime_error("the last part");
        visited += end - begin;
    };
    EXPECT_THROW(in_parts(1000, 1, part), std::runtime_error);
    EXPECT_LT(visited, 1000);
}

}  // namespace
}  // namespace lanework
