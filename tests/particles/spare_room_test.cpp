// Memory for the next search: what comes back, how much is kept, and what never is.
#include "src/particles/spare_room.hpp"

#include <gtest/gtest.h>

#include <stdexcept>

namespace lanework {
namespace {

// Types that no search uses: the room of others stays out of these tests.
using Spare = SpareRoom<signed char, short>;

Spare::Room room_of(std::size_t bytes) {
    Spare::Room room;
    std::get<0>(room).resize(bytes);
    return room;
}

TEST(SpareRoom, GivesTheMemoryThatWasKeptToWhoeverAsksNext) {
    Spare::Room room = room_of(1000);
    std::get<1>(room).resize(3);
    const signed char* const memory = std::get<0>(room).data();
    Spare::keep(std::move(room));
    const Spare::Room next = Spare::take();
    EXPECT_EQ(std::get<0>(next).data(), memory);
    EXPECT_EQ(std::get<0>(next).size(), 1000u);
    EXPECT_EQ(std::get<1>(next).size(), 3u);
    EXPECT_TRUE(std::get<0>(Spare::take()).empty());
}

TEST(SpareRoom, KeepsNoMoreThanItSays) {
    Spare::keep(room_of(Spare::kMostKept - 10));
    Spare::keep(room_of(11));
    Spare::keep(room_of(10));
    EXPECT_EQ(std::get<0>(Spare::take()).size(), 10u);
    EXPECT_EQ(std::get<0>(Spare::take()).size(), Spare::kMostKept - 10);
    EXPECT_TRUE(std::get<0>(Spare::take()).empty());
}

TEST(SpareRoom, KeepsNothingOfASearchThatFailed) {
    struct Search {
        ~Search() { Spare::keep(room_of(10)); }
    };
    EXPECT_THROW(
        {
            const Search search;
            throw std::runtime_error("no memory");
        },
        std::runtime_error);
    EXPECT_TRUE(std::get<0>(Spare::take()).empty());
}

}  // namespace
}  // namespace lanework
