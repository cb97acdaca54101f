// How far long work is, how fast it goes and when it will be done, in one line.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace lanework {

/// "12 s", "3 min 07 s", "2 h 05 min".
std::string time_left_text(double seconds);
/// "12 of 300 pictures, 41.3 pictures/s, 7 s left"; without a known end "12 frames, 41.3 frames/s". The rate is that of
/// all so far, and is said from the first second on. `thing` is one of them: "picture".
std::string pace_text(const std::string& thing, std::int64_t done, std::int64_t all, double seconds);
/// "300 pictures in 7.3 s, 41.3 pictures/s".
std::string total_text(const std::string& thing, std::int64_t done, double seconds);

/// "3 of 17, 12 s left: timing reduce", and how long that has taken where it is more than a second. `steps` is 0 where
/// nobody knows how many there are.
std::string progress_text(std::size_t done, std::size_t steps, double seconds, std::string_view text,
                          double seconds_of_text);

/// Times work since it was made.
class Pace {
public:
    explicit Pace(std::string thing) : thing_(std::move(thing)) {}
    /// How many there will be; 0, as at first, where that is not known.
    void expect(std::int64_t all) { all_ = all; }
    /// What is to be shown now; empty where the last time was a moment ago.
    std::string at(std::int64_t done);
    std::string total(std::int64_t done) const { return total_text(thing_, done, seconds()); }

private:
    using Clock = std::chrono::steady_clock;
    double seconds() const { return std::chrono::duration<double>(Clock::now() - start_).count(); }

    std::string thing_;
    std::int64_t all_ = 0;
    Clock::time_point start_ = Clock::now();
    double shown_ = -1;
};

}  // namespace lanework
