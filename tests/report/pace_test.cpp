// How long work still takes, in words.
#include "src/report/results/pace.hpp"

#include <gtest/gtest.h>

namespace lanework {
namespace {

TEST(Pace, SaysRateAndTimeLeftOnceTheyMeanSomething) {
    EXPECT_EQ(pace_text("picture", 0, 300, 5), "0 of 300 pictures");
    EXPECT_EQ(pace_text("picture", 3, 300, 0.2), "3 of 300 pictures");
    EXPECT_EQ(pace_text("picture", 100, 300, 4), "100 of 300 pictures, 25 pictures/s, 8 s left");
    EXPECT_EQ(pace_text("picture", 1, 300, 3), "1 of 300 pictures, 0.333 pictures/s, 14 min 57 s left");
    EXPECT_EQ(pace_text("picture", 1, 3000, 3), "1 of 3000 pictures, 0.333 pictures/s, 2 h 29 min left");
    EXPECT_EQ(pace_text("picture", 300, 300, 2), "300 of 300 pictures, 150 pictures/s");
    EXPECT_EQ(pace_text("frame", 12345, 0, 10), "12345 frames, 1234 frames/s");
}

TEST(Pace, SumsUp) {
    EXPECT_EQ(total_text("picture", 300, 7.25), "300 pictures in 7.25 s, 41.4 pictures/s");
    EXPECT_EQ(total_text("picture", 0, 7), "0 pictures");
    EXPECT_EQ(total_text("frame", 1, 0.5), "1 frame in 0.5 s, 2 frames/s");
    EXPECT_EQ(pace_text("picture", 0, 1, 0), "0 of 1 picture");
}

TEST(Pace, IsNotShownTwiceInAMoment) {
    Pace pace("picture");
    pace.expect(1000);
    EXPECT_NE(pace.at(1), "");
    EXPECT_EQ(pace.at(2), "");
    EXPECT_NE(pace.at(1000), "");
}

TEST(TimeLeft, IsRoundedUpToSecondsAndMinutes) {
    EXPECT_EQ(time_left_text(0.2), "1 s");
    EXPECT_EQ(time_left_text(187), "3 min 07 s");
    EXPECT_EQ(time_left_text(7500), "2 h 05 min");
}

TEST(Progress, SaysHowMuchIsDoneAndHowLongTheRestTakes) {
    EXPECT_EQ(progress_text(0, 17, 0, "timing reduce", 0), "0 of 17: timing reduce");
    EXPECT_EQ(progress_text(3, 18, 2, "timing reduce", 0.5), "3 of 18, 10 s left: timing reduce");
    EXPECT_EQ(progress_text(17, 18, 1700, "timing reduce", 61.2), "17 of 18, 1 min 40 s left: timing reduce, 61 s");
    EXPECT_EQ(progress_text(1, 2, 0.5, "timing reduce", 0), "1 of 2: timing reduce") << "no pace yet";
    EXPECT_EQ(progress_text(0, 0, 3, "building a.cu", 3), "building a.cu, 3 s");
    EXPECT_EQ(progress_text(0, 1, 3, "building a.cu", 0), "building a.cu");
}

}  // namespace
}  // namespace lanework
