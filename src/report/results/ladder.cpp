// Draws a climb within the width of the terminal: names, bars, figures, and below each its lesson.
#include "src/report/results/ladder.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "src/core/text.hpp"

namespace lanework {
namespace {

constexpr std::size_t kMargin = 2, kGap = 2;
// From this width on the spread is shown as a time; below it as a share of the median.
constexpr int kWide = 100;
constexpr std::size_t kLongestNameOfNarrow = 20, kShortestBar = 8, kLongestBar = 44;
// A limit that fell by more than this share of it is worth a word.
constexpr double kSharpened = 0.99;
constexpr std::size_t kShareColumns = 6, kGainColumns = 7;
constexpr std::size_t kShareOfLimitColumns = 8;
constexpr std::string_view kSectorsHeader = "sectors", kLanesHeader = "lanes", kWavefrontsHeader = "wavefronts";
constexpr std::string_view kEighths[] = {" ", "▏", "▎", "▍", "▌", "▋", "▊", "▉", "█"};
constexpr std::string_view kBarTitle = "towards the limit", kMark = "┃", kLimitMark = "│";

Ink ink_of(double fraction) {
    return fraction >= 0.9 ? Ink::good : fraction >= 0.6 ? Ink::fair : fraction >= 0.25 ? Ink::poor : Ink::bad;
}

std::size_t longest(const std::vector<std::string>& names) {
    std::size_t width = 4;
    for (const std::string& name : names) width = std::max(width, display_width(name));
    return width;
}

std::string limit_line(const LadderFrame& frame) {
    if (!(frame.limit->seconds > 0)) return "no limit: this problem moves and computes nothing";
    const bool moving = frame.limit->bound != Bound::compute;
    const double amount = static_cast<double>(moving ? frame.work.bytes() : frame.work.arithmetic());
    const double rate = amount / frame.limit->seconds;
    return fmt::format(
        "limit {}: {} at {}, {}", format_seconds(frame.limit->seconds), format_amount(amount, moving ? "B" : "FLOP"),
        moving ? format_bandwidth(rate) : format_flops(rate), frame.estimated_for.empty() ? "measured" : "published");
}

std::string factor(double value) { return fmt::format("×{:.{}f}", value, value >= 9.95 ? value >= 99.5 ? 0 : 1 : 2); }

std::string cells(std::string_view glyph, std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += glyph;
    return text;
}

std::string lines_of(std::string_view text, int width) {
    std::string result;
    for (const std::string& line : wrap(text, static_cast<std::size_t>(width))) result += line + "\n";
    return result;
}

// Of an estimated ladder: what was proved, and where to look on.
std::string count_right(std::span<const Measurement> ladder, const std::string& named) {
    const auto right = std::ranges::count_if(ladder, &Measurement::ok);
    const auto refused = std::ranges::count(ladder, Verdict::refused, &Measurement::verdict);
    if (right == 0) return "no rung of this ladder computes this";
    const Measurement* why = nullptr;
    for (const Measurement& m : ladder)
        if (m.ok() && m.estimate && (!why || share_of_limit(*m.estimate) < share_of_limit(*why->estimate))) why = &m;
    std::string text = fmt::format("{} of {} rungs compute the right answer.", right, std::ssize(ladder) - refused);
    if (why)
        text += fmt::format(" `lanework explain {}/{}` says line by line what a rung costs.", named,
                            why->rung.substr(0, why->rung.find(' ')));  // without "block=64"
    return text;
}

}  // namespace

std::string draw_bar(const Style& style, double fraction, std::optional<double> mark, std::size_t columns) {
    const double share = std::clamp(fraction, 0.0, 1.0);
    const auto eighths = std::max<std::size_t>(
        static_cast<std::size_t>(std::lround(share * static_cast<double>(columns) * 8)), share > 0 ? 1 : 0);
    std::string filled = cells(kEighths[8], eighths / 8);
    if (eighths % 8) filled += kEighths[eighths % 8];
    const std::size_t taken = display_width(filled);
    if (!mark) return paint(style, ink_of(share), filled) + std::string(columns - taken, ' ');
    const auto at =
        std::min(columns - 1, static_cast<std::size_t>(std::clamp(*mark, 0.0, 1.0) * static_cast<double>(columns)));
    const std::string marker = paint(style, Ink::bold, kMark);
    if (at >= taken)
        return paint(style, ink_of(share), filled) + std::string(at - taken, ' ') + marker +
               std::string(columns - at - 1, ' ');
    // The bar reaches past the mark: every glyph of it is three bytes long.
    constexpr std::size_t kGlyphBytes = 3;
    return paint(style, ink_of(share), filled.substr(0, at * kGlyphBytes)) + marker +
           paint(style, ink_of(share), filled.substr((at + 1) * kGlyphBytes)) + std::string(columns - taken, ' ');
}

LadderView::LadderView(LadderFrame frame, Style style)
    : frame_(std::move(frame)), style_(style), wide_(style.width == 0 || style.width >= kWide) {
    name_columns_ = longest(frame_.rungs);
    if (!wide_) name_columns_ = std::min(name_columns_, kLongestNameOfNarrow);
    time_columns_ = wide_ ? 17 : 13;
    rate_columns_ = frame_.limit && frame_.limit->bound == Bound::compute ? 12 : 9;
    const std::size_t fixed = kMargin + name_columns_ + kGap + 1 + kGap + time_columns_ + kGap + rate_columns_ + kGap +
                              kShareColumns + kGap + kGainColumns;
    const auto width = static_cast<std::size_t>(style.width);
    bar_columns_ = std::clamp(width > fixed ? width - fixed : 0, kShortestBar, kLongestBar);
}

std::string LadderView::heading() const {
    std::string text = "\n" + paint(style_, Ink::bold, frame_.operation) + "  " + frame_.summary + "\n";
    const std::string name = frame_.device_name.empty() ? "which is not here" : frame_.device_name;
    text += lines_of(frame_.estimated_for.empty()
                         ? fmt::format("{} on {}, {}", frame_.problem, frame_.device, name)
                         : fmt::format("{} on {}, for an {}", frame_.problem, frame_.device, frame_.estimated_for),
                     style_.width);
    if (frame_.limit) text += lines_of(limit_line(frame_), style_.width);
    if (frame_.library && style_.bars)
        text += lines_of(fmt::format("{} marks the library, {}", kMark, frame_.library->rung), style_.width);
    if (!frame_.note.empty())
        for (const std::string& line : wrap(frame_.note, static_cast<std::size_t>(style_.width)))
            text += paint(style_, Ink::dim, line) + "\n";
    std::string titles = std::string(kMargin, ' ') + pad_right("rung", name_columns_ + kGap);
    if (!frame_.estimated_for.empty()) {
        titles +=
            fmt::format("{}  {}  {}  {}  {}", pad_left("estimated time", kEstimateColumns),
                        pad_left("of limit", kShareOfLimitColumns), kSectorsHeader, kLanesHeader, kWavefrontsHeader);
        return text + "\n" + paint(style_, Ink::dim, titles) + "\n";
    }
    if (style_.bars)
        titles += pad_right(bar_columns_ < display_width(kBarTitle) ? "" : kBarTitle, bar_columns_ + 1 + kGap);
    titles += fmt::format("{}  {}  {}  {}", pad_left("time ± IQR", time_columns_), pad_left("rate", rate_columns_),
                          pad_left("limit", kShareColumns), pad_left("gain", kGainColumns));
    return text + "\n" + paint(style_, Ink::dim, titles) + "\n";
}

std::string LadderView::bar(const Measurement& m) const {
    std::optional<double> mark;
    if (frame_.library && !m.library) mark = fraction_of_limit(*frame_.library);
    return draw_bar(style_, fraction_of_limit(m).value_or(0), mark, bar_columns_) + paint(style_, Ink::dim, kLimitMark);
}

std::string LadderView::time(const Measurement& m) const {
    const Summary cold = summarize(m.cold_s);
    if (wide_) return format_time(m);
    const double share = cold.median > 0 ? cold.interquartile_range() / cold.median : 0;
    constexpr double kMost = 9.99;  // beyond three digits it is noise, and wider than its column
    return share > kMost ? fmt::format("{} ±>99%", format_seconds(cold.median))
                         : fmt::format("{} ±{:.0f}%", format_seconds(cold.median), share * 100);
}

std::string LadderView::figures(const Measurement& m, const Measurement* below) const {
    const auto fraction = fraction_of_limit(m);
    const auto gain = below ? speedup(*below, m) : std::nullopt;
    return fmt::format("{}  {}  {}  {}", pad_left(time(m), time_columns_), pad_left(format_rate(m), rate_columns_),
                       paint(style_, fraction ? ink_of(*fraction) : Ink::plain,
                             pad_left(fraction ? format_percent(*fraction) : "-", kShareColumns)),
                       pad_left(m.library ? "library"
                                : gain    ? factor(*gain)
                                          : "",
                                kGainColumns));
}

// "3.7 µs (1.9–7.5)       14%      4.0   32.0         1.0".
std::string LadderView::estimates(const Measurement& m) const {
    if (!m.estimate) return paint(style_, Ink::dim, "verified; too large to trace here: --size takes a smaller one");
    const EstimatedTime& estimate = *m.estimate;
    const auto ratio = [](const std::optional<double>& value, std::string_view title) {
        return pad_left(value ? fmt::format("{:.1f}", *value) : "–", title.size());
    };
    return fmt::format("{}  {}  {}  {}  {}", pad_left(format_estimate_short(estimate), kEstimateColumns),
                       paint(style_, ink_of(share_of_limit(estimate)),
                             pad_left(format_share_of_limit(estimate), kShareOfLimitColumns)),
                       ratio(estimate.sectors_per_request, kSectorsHeader),
                       ratio(estimate.lanes_per_request, kLanesHeader),
                       ratio(estimate.wavefronts_per_request, kWavefrontsHeader));
}

// "4.7e-08": the error of a rung whose results may be off at all.
std::string LadderView::error(const Measurement& m) const {
    return m.error ? fmt::format("error {:.2g} of the largest result", *m.error) : std::string();
}

std::string LadderView::indented(std::string_view text, Ink ink, std::size_t indent) const {
    const auto width = static_cast<std::size_t>(style_.width);
    std::string result;
    for (const std::string& line : wrap(text, width == 0 ? 0 : std::max(width - std::min(width, indent), indent)))
        result += (result.empty() ? "" : std::string(indent, ' ')) + paint(style_, ink, line) + "\n";
    return result;
}

std::string LadderView::one_line(std::string_view text, Ink ink, std::size_t indent) const {
    const auto width = static_cast<std::size_t>(style_.width);
    return paint(style_, ink, shorten_at_word(text, width - std::min(width, indent))) + "\n";
}

std::string LadderView::rung(const Measurement& m, const Measurement* below) const {
    if (m.verdict == Verdict::refused) return {};
    const std::string name = pad_right(wide_ ? m.rung : shorten(m.rung, name_columns_), name_columns_);
    std::string text =
        std::string(kMargin, ' ') + paint(style_, m.library ? Ink::accent : Ink::bold, name) + std::string(kGap, ' ');
    const std::size_t taken = kMargin + name_columns_ + kGap;
    if (!m.ok()) return text + indented(fmt::format("✗ {}: {}", name_of(m.verdict), m.reason), Ink::bad, taken);
    if (style_.bars && frame_.estimated_for.empty()) text += bar(m) + std::string(kGap, ' ');
    text += frame_.estimated_for.empty() ? figures(m, below) : estimates(m);
    const std::string why = m.why.empty() ? "" : "why: " + m.why;
    if (style_.width == 0)
        return text + (m.lesson.empty() ? "" : "  " + m.lesson) + (m.error ? "  " + error(m) : "") +
               (why.empty() ? "" : "  " + why) + "\n";
    text.erase(text.find_last_not_of(' ') + 1);
    text += "\n";
    constexpr std::size_t kBelow = 2 * kMargin;
    const std::string indent(kBelow, ' ');
    if (!m.lesson.empty()) text += indent + indented(m.lesson, Ink::dim, kBelow);
    if (m.error) text += indent + indented(error(m), Ink::dim, kBelow);
    if (!m.why.empty())
        text += indent + (style_.verbose ? indented(m.why, Ink::accent, kBelow) : one_line(m.why, Ink::accent, kBelow));
    return text;
}

std::string LadderView::refused(std::span<const Measurement> ladder) const {
    std::string text;
    for (const Refusals& group : group_refusals(ladder)) {
        const bool one = group.rungs.size() == 1;
        std::string line = fmt::format("– refused: {}", one ? group.rungs[0]->reason : group.reason);
        for (const Measurement* m : group.rungs)
            if (!one) line += (m == group.rungs[0] ? ": " : ", ") + m->rung;
        const std::string name = one ? group.rungs[0]->rung : fmt::format("{} rungs", group.rungs.size());
        text += std::string(kMargin, ' ') + pad_right(wide_ ? name : shorten(name, name_columns_), name_columns_) +
                std::string(kGap, ' ') + indented(line, Ink::dim, kMargin + name_columns_ + kGap);
    }
    return text;
}

std::string LadderView::closing(std::span<const Measurement> ladder) const {
    if (!frame_.estimated_for.empty()) {
        const std::string counted = count_right(ladder, frame_.named.empty() ? frame_.operation : frame_.named);
        const bool any = std::ranges::any_of(ladder, [](const Measurement& m) { return m.estimate.has_value(); });
        constexpr std::string_view kColumns =
            "Sectors and lanes per request of global memory, wavefronts per request of shared memory: 1 wavefront is "
            "free of bank conflicts, 4 sectors carry 32 lanes of 4 bytes.";
        return "\n" + lines_of(counted, style_.width) + (any ? lines_of(kColumns, style_.width) : "");
    }
    const Measurement *best = nullptr, *foot = nullptr, *library = nullptr;
    for (const Measurement& m : ladder) {
        if (!m.ok() || m.cold_s.empty()) continue;
        if (m.library) {
            library = fastest_library(m, ladder);
            continue;
        }
        if (!foot) foot = &m;
        if (!best || *speedup(*best, m) > 1) best = &m;
    }
    if (!best) return "\nno rung of this ladder could be timed\n";
    std::string text = fmt::format("best: {}, {}", best->rung, format_seconds(summarize(best->cold_s).median));
    if (const auto fraction = fraction_of_limit(*best))
        text += fmt::format(", {} of the limit", format_percent(*fraction));
    if (foot != best) text += fmt::format(", {} the speed of {}", factor(*speedup(*foot, *best)), foot->rung);
    if (library) text += fmt::format(", {} that of the library {}", factor(*speedup(*library, *best)), library->rung);
    text = "\n" + lines_of(text, style_.width);
    if (best->limit && frame_.limit && best->limit->seconds < kSharpened * frame_.limit->seconds)
        text += lines_of(fmt::format("the device proved faster than its ceilings said: the limit is {}, not {}",
                                     format_seconds(best->limit->seconds), format_seconds(frame_.limit->seconds)),
                         style_.width);
    return text;
}

}  // namespace lanework
