// Wording of a pace.
#include "src/report/results/pace.hpp"

#include <fmt/format.h>

#include <cmath>

namespace lanework {
namespace {

constexpr double kMoment = 0.1, kSettled = 1;  // s

/// "1 frame", "2 frames".
std::string count_text(std::int64_t count, const std::string& thing) {
    return fmt::format("{} {}{}", count, thing, count == 1 ? "" : "s");
}

std::string rate_text(const std::string& thing, std::int64_t done, double seconds) {
    const double rate = static_cast<double>(done) / seconds;
    return fmt::format("{} {}s/s", rate < 100 ? fmt::format("{:.3g}", rate) : fmt::format("{:.0f}", rate), thing);
}

}  // namespace

std::string time_left_text(double seconds) {
    const auto whole = static_cast<std::int64_t>(std::ceil(seconds));
    if (whole < 60) return fmt::format("{} s", whole);
    if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
    return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
}

std::string pace_text(const std::string& thing, std::int64_t done, std::int64_t all, double seconds) {
    std::string text = all > 0 ? fmt::format("{} of {}", done, count_text(all, thing)) : count_text(done, thing);
    if (done == 0 || seconds < kSettled) return text;
    text += ", " + rate_text(thing, done, seconds);
    if (all <= done) return text;
    return text + fmt::format(", {} left",
                              time_left_text(seconds * static_cast<double>(all - done) / static_cast<double>(done)));
}

std::string total_text(const std::string& thing, std::int64_t done, double seconds) {
    std::string text = count_text(done, thing);
    if (done == 0 || !(seconds > 0)) return text;
    return text + fmt::format(" in {} s, {}",
                              seconds < 100 ? fmt::format("{:.3g}", seconds) : fmt::format("{:.0f}", seconds),
                              rate_text(thing, done, seconds));
}

std::string progress_text(std::size_t done, std::size_t steps, double seconds, std::string_view text,
                          double seconds_of_text) {
    std::string line;
    if (steps > 1) {
        line = fmt::format("{} of {}", done, steps);
        if (done > 0 && done < steps && seconds >= kSettled)
            line += fmt::format(
                ", {} left", time_left_text(seconds * static_cast<double>(steps - done) / static_cast<double>(done)));
        line += ": ";
    }
    line += text;
    if (seconds_of_text >= kSettled) line += fmt::format(", {:.0f} s", seconds_of_text);
    return line;
}

std::string Pace::at(std::int64_t done) {
    const double now = seconds();
    if (shown_ >= 0 && now - shown_ < kMoment && done != all_) return "";
    shown_ = now;
    return pace_text(thing_, done, all_, now);
}

}  // namespace lanework
