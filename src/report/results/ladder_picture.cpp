// Lays the picture out in columns, so that no text meets another: names, bars, times, shares.
#include "src/report/results/ladder_picture.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <lanework/error.hpp>

#include "src/core/text.hpp"
#include "src/draw/letters.hpp"
#include "src/draw/svg.hpp"

namespace lanework {
namespace {

constexpr double kWidth = 760, kMargin = 16, kTop = 84, kRow = 26, kBar = 14, kFoot = 40, kNameSize = 12;
constexpr double kTimeColumn = 84, kShareColumn = 56;

/// A rung or a library that was measured.
struct Bar {
    std::string name;
    double seconds, share;
    bool library;
};

struct Ladder {
    std::string title, problem;
    std::vector<Bar> bars;
    bool has_limit;
};

/// A share between the scale's ends, 0 to 1. Where the slowest reaches less than 2% of the limit the scale has decades.
class Scale {
public:
    explicit Scale(std::span<const Bar> bars) {
        const double least = std::ranges::min_element(bars, {}, &Bar::share)->share;
        if (least < 0.02) decades_ = -static_cast<int>(std::floor(std::log10(std::max(least, 1e-9))));
    }

    bool has_decades() const { return decades_ > 0; }
    double along(double share) const {
        return decades_ == 0 ? share : std::max(0.0, 1 + std::log10(std::max(share, 1e-9)) / decades_);
    }
    std::vector<double> marks() const {
        if (decades_ == 0) return {0, 0.25, 0.5, 0.75, 1};
        std::vector<double> marks;
        for (int decade = -decades_; decade <= 0; ++decade) marks.push_back(std::pow(10, decade));
        return marks;
    }

private:
    int decades_ = 0;
};

/// "92%", "0.017%".
std::string share_text(double share) {
    return share < 0.005 ? fmt::format("{:.2g}%", 100 * share) : fmt::format("{:.0f}%", 100 * share);
}

bool is_measured(const Measurement& m) { return m.ok() && !m.cold_s.empty(); }

bool of_one_ladder(const Measurement& a, const Measurement& b) {
    return a.operation == b.operation && a.device == b.device && a.variant == b.variant &&
           a.problem.dtype == b.problem.dtype && a.problem.extent == b.problem.extent;
}

double share_of(const Measurement& m, const std::optional<Limit>& limit, double fastest) {
    const double seconds = summarize(m.cold_s).median;
    return std::min(1.0, (limit ? limit->seconds : fastest) / seconds);
}

Ladder ladder_of(std::span<const Measurement> all, const std::string& title) {
    const auto first = std::ranges::find_if(all, is_measured);
    if (first == all.end()) throw UsageError("--svg: no rung was measured, so there is no ladder to draw");
    std::vector<const Measurement*> ladder;
    std::optional<Limit> limit = first->limit;
    double fastest = summarize(first->cold_s).median;
    for (const Measurement& m : all) {
        if (!is_measured(m) || !of_one_ladder(m, *first)) continue;
        ladder.push_back(&m);
        fastest = std::min(fastest, summarize(m.cold_s).median);
        if (limit && m.limit && m.limit->seconds < limit->seconds) limit = m.limit;
    }
    Ladder drawn{title.empty() ? fmt::format("{} on {}", first->operation, first->device) : title,
                 fmt::format("{} {}{}{}", format_problem(*first), name_of(first->problem.dtype),
                             first->variant.empty() ? "" : " ", first->variant),
                 {},
                 limit.has_value()};
    if (limit) drawn.problem += fmt::format("; limit {} by {}", format_seconds(limit->seconds), name_of(limit->bound));
    for (const Measurement* m : ladder)
        drawn.bars.push_back({m->library ? m->rung + " (library)" : m->rung, summarize(m->cold_s).median,
                              share_of(*m, limit, fastest), m->library});
    return drawn;
}

class Drawing {
public:
    explicit Drawing(const Ladder& ladder)
        : ladder_(ladder),
          scale_(ladder.bars),
          svg_(kWidth, kTop + kRow * static_cast<double>(ladder.bars.size()) + kFoot) {
        double widest = 0;
        for (const Bar& bar : ladder.bars) widest = std::max(widest, text_width(bar.name, kNameSize));
        left_ = kMargin + widest + 12;
        room_ = kWidth - kMargin - kTimeColumn - kShareColumn - left_;
        for (const Bar& bar : ladder.bars)
            if (!bar.library && (best_ == nullptr || bar.seconds < best_->seconds)) best_ = &bar;
    }

    std::string draw() {
        const double room = kWidth - 2 * kMargin;
        svg_.text(kMargin, 28, ladder_.title, {.size = fitting_size(ladder_.title, room, 16), .bold = true});
        svg_.text(kMargin, 48, ladder_.problem, {.size = fitting_size(ladder_.problem, room, 12)});
        draw_scale();
        double y = kTop;
        for (const Bar& bar : ladder_.bars) {
            draw_bar(bar, y);
            y += kRow;
        }
        draw_legend(y + 22);
        return svg_.finish();
    }

private:
    void draw_scale() {
        const double foot = kTop + kRow * static_cast<double>(ladder_.bars.size()) - 4;
        for (const double share : scale_.marks()) {
            const double x = left_ + room_ * scale_.along(share);
            svg_.line(x, kTop - 8, x, foot, {.tone = Tone::faint, .dashed = share < 1});
            svg_.text(x, kTop - 12, share_text(share), {.size = 11, .anchor = Anchor::middle});
        }
    }

    void draw_bar(const Bar& bar, double y) {
        const double middle = y + kRow / 2 - 2, text = middle + 4;
        svg_.begin_group(fmt::format("{}: {}, {} of the {}", bar.name, format_seconds(bar.seconds),
                                     format_percent(bar.share), ladder_.has_limit ? "limit" : "fastest"));
        svg_.text(left_ - 10, text, bar.name, {.size = kNameSize, .anchor = Anchor::end, .bold = &bar == best_});
        svg_.rect(left_, middle - kBar / 2, std::max(1.0, room_ * scale_.along(bar.share)), kBar,
                  {.tone = tone_of(bar), .corner = 2});
        svg_.text(left_ + room_ + kTimeColumn, text, format_seconds(bar.seconds),
                  {.anchor = Anchor::end, .bold = &bar == best_});
        svg_.text(kWidth - kMargin, text, share_text(bar.share), {.anchor = Anchor::end, .bold = &bar == best_});
        svg_.end_group();
    }

    void draw_legend(double y) {
        double x = kMargin;
        const auto entry = [&](Tone tone, std::string_view text) {
            svg_.rect(x, y - 10, 12, 12, {.tone = tone, .corner = 2});
            svg_.text(x + 18, y, text, {.size = 11});
            x += 18 + text_width(text, 11) + 14;
        };
        entry(Tone::accent, "rung");
        entry(Tone::good, "fastest rung");
        if (std::ranges::any_of(ladder_.bars, &Bar::library)) entry(Tone::fair, "library");
        const std::string_view what = ladder_.has_limit ? "bar: time at the limit ÷ median time, caches cold"
                                                        : "bar: the fastest's median time ÷ its own, caches cold";
        svg_.text(kWidth - kMargin, y, fmt::format("{}{}", what, scale_.has_decades() ? "; scale of decades" : ""),
                  {.size = 11, .anchor = Anchor::end});
    }

    Tone tone_of(const Bar& bar) const {
        if (bar.library) return Tone::fair;
        return &bar == best_ ? Tone::good : Tone::accent;
    }

    const Ladder& ladder_;
    Scale scale_;
    Svg svg_;
    double left_ = 0, room_ = 0;
    const Bar* best_ = nullptr;
};

}  // namespace

std::string ladder_svg(std::span<const Measurement> measurements, const std::string& title) {
    return Drawing(ladder_of(measurements, title)).draw();
}

}  // namespace lanework
