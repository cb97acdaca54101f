// The memory that the next list from Python takes over.
#include "python/native/spare_list.hpp"

#include <gtest/gtest.h>

namespace lanework::native {
namespace {

/// Its pages are never touched.
NeighborList<double> list_of(std::size_t pairs) {
    NeighborList<double> list;
    list.vectors.resize_for_overwrite(pairs);
    return list;
}

TEST(SpareList, KeepsTheLastListThatIsNotTooLarge) {
    using Spare = SpareList<double>;
    constexpr std::size_t kMost = Spare::kMostKept / sizeof(DistanceVector<double>);
    EXPECT_EQ(Spare::take().vectors.capacity(), 0U);
    Spare::keep(list_of(1000));
    NeighborList<double> other = list_of(2000);
    const auto* const memory = other.vectors.data();
    Spare::keep(std::move(other));
    Spare::keep(list_of(kMost + 1));
    NeighborList<double> taken = Spare::take();
    EXPECT_EQ(taken.vectors.capacity(), 2000U);
    EXPECT_EQ(taken.vectors.data(), memory);
    EXPECT_EQ(Spare::take().vectors.capacity(), 0U) << "nobody else gets it, too";
    taken.vectors.resize_for_overwrite(10);
    EXPECT_EQ(taken.vectors.capacity(), 2000U);
    Spare::keep(std::move(taken));
    EXPECT_EQ(SpareList<float>::take().vectors.capacity(), 0U);
    EXPECT_EQ(Spare::take().vectors.capacity(), 2000U);
}

}  // namespace
}  // namespace lanework::native
