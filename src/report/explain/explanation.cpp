// The parts of an explanation, in the order in which a person asks: what is wrong, where, how much.
#include "src/report/explain/explanation.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "src/core/text.hpp"
#include "src/draw/table.hpp"
#include "src/report/explain/annotated_source.hpp"
#include "src/report/explain/explanation_metrics.hpp"
#include "src/report/explain/explanation_pictures.hpp"
#include "src/trace/analyse/function_name.hpp"

namespace lanework {
namespace {

// Launches that have a column of their own; a longer series says how many are left out.
constexpr std::size_t kLaunchColumns = 4;
// From this width on metrics are shown with what they mean.
constexpr int kWide = 110;
constexpr std::size_t kIndent = 4;

Ink ink_of(Severity severity) {
    return severity == Severity::error ? Ink::bad : severity == Severity::warning ? Ink::fair : Ink::accent;
}

std::string indented(std::string_view text, std::size_t first, std::size_t rest, const Style& style) {
    const auto width = static_cast<std::size_t>(style.width);
    std::string result;
    for (const std::string& line : wrap(text, width > rest ? width - rest : width))
        result += std::string(result.empty() ? first : rest, ' ') + line + "\n";
    return result;
}

// Whether the last line of the text does.
bool fits(std::string_view text, const Style& style) {
    const std::size_t start = text.find_last_of('\n') + 1;
    return style.width == 0 || display_width(text.substr(start)) <= static_cast<std::size_t>(style.width);
}

std::string shape_text(const std::array<unsigned, 3>& shape) {
    std::string text = fmt::format("{}", shape[0]);
    if (shape[1] > 1 || shape[2] > 1) text += fmt::format("x{}", shape[1]);
    return shape[2] > 1 ? text + fmt::format("x{}", shape[2]) : text;
}

std::string launch_line(const KernelTrace& kernel, std::span<const Finding> findings, const Style& style) {
    const LaunchShape& shape = kernel.shape;
    std::string text = paint(style, Ink::bold, shape.kernel) +
                       fmt::format("  grid {}, block {}", shape_text(shape.grid), shape_text(shape.block));
    if (const std::size_t shared = shape.static_shared + shape.dynamic_shared)
        text += fmt::format(", {} bytes of shared memory per block", shared);
    if (shape.line != 0) {
        const std::string place = fmt::format("  {}:{}", shape.file, shape.line);
        if (!fits(text + place, style)) text += "\n";
        text += paint(style, Ink::dim, place);
    }
    const bool said = std::ranges::find(findings, kernel.error, &Finding::evidence) != findings.end();
    if (!kernel.error.empty()) text += "\n  " + paint(style, Ink::bad, said ? "failed" : "failed: " + kernel.error);
    return text + "\n";
}

/// "saves 41%": what mending it would save, by the model; "" where the model has nothing to say. It is of the kernels'
/// time, and says so where that of another finding is not.
std::string saving_of(const Explanation& explanation, const Finding& finding) {
    if (!finding.gain) return "";
    const bool one_time = std::ranges::none_of(explanation.findings, &Finding::of_streams);
    return fmt::format("saves {:.0f}%{}", 100 * *finding.gain,
                       one_time             ? ""
                       : finding.of_streams ? " of all work"
                                            : " of the kernels' time");
}

std::string finding_text(const Explanation& explanation, std::size_t index, const Style& style) {
    const Finding& finding = explanation.findings[index];
    std::string text = fmt::format("\n{} {}  {}", paint(style, Ink::accent, fmt::format("[{}]", index + 1)),
                                   paint(style, ink_of(finding.severity), name_of(finding.severity)),
                                   paint(style, Ink::bold, name_of(finding.rule)));
    std::string place = format_place(finding.place);
    if (!finding.place.function.empty()) place += " in " + finding.place.function;
    if (!finding.kernel.empty() && base_name(finding.place.function) != base_name(finding.kernel))
        place += (finding.place.function.empty() ? " in " : ", called by ") + finding.kernel;
    if (!place.empty())
        text += fits(text + "  " + place, style) ? "  " + place : "\n" + std::string(kIndent, ' ') + place;
    text += "\n" + indented(finding.evidence, kIndent, kIndent, style);
    if (finding.gain)
        text += indented(
            fmt::format("without it about {} instead of {} ({}, modelled)", format_seconds(finding.time_without_s),
                        format_seconds(finding.time_s), saving_of(explanation, finding)),
            kIndent, kIndent, style);
    if (finding.other.line != 0) text += indented("the other: " + format_place(finding.other), kIndent, kIndent, style);
    if (const std::string places = further_places(finding); !places.empty())
        text += indented("the same cause shows in " + places, kIndent, kIndent, style);
    if (!finding.remedy.empty()) text += indented("→ " + finding.remedy, kIndent, kIndent + 2, style);
    Style narrow = style;
    if (narrow.width > static_cast<int>(kIndent)) narrow.width -= static_cast<int>(kIndent);
    const std::string picture = draw_picture(explanation, finding, narrow);
    for (std::size_t at = 0, end = 0; at < picture.size(); at = end + 1) {
        end = picture.find('\n', at);
        text += std::string(kIndent, ' ') + picture.substr(at, end - at) + "\n";
    }
    return text;
}

/// How many findings from the first on one line tells: those about time that say the same; an error has its own.
std::size_t told_together(std::span<const Finding> findings) {
    const Finding& first = findings.front();
    if (first.error()) return 1;
    const auto other = std::ranges::find_if(findings, [&](const Finding& finding) {
        return finding.error() || finding.rule != first.rule || finding.evidence != first.evidence;
    });
    return static_cast<std::size_t>(other - findings.begin());
}

/// ", line 12", ", lines 12, 14", ", other.cuh:7".
std::string places_of(std::span<const Finding> findings, const std::string& file) {
    std::vector<std::string> here, elsewhere;
    for (const Finding& finding : findings) {
        const SourcePlace& place = finding.place;
        if (place.line == 0) continue;
        std::vector<std::string>& list = place.file == file ? here : elsewhere;
        const std::string text =
            place.file == file ? fmt::format("{}", place.line) : fmt::format("{}:{}", place.file, place.line);
        if (std::ranges::find(list, text) == list.end()) list.push_back(text);
    }
    std::string text;
    if (!here.empty()) text = fmt::format(", line{} {}", here.size() == 1 ? "" : "s", fmt::join(here, ", "));
    return elsewhere.empty() ? text : text + fmt::format(", {}", fmt::join(elsewhere, ", "));
}

// "launch 2" where there are several.
std::string launch_title(const Explanation& explanation, std::size_t launch) {
    return explanation.kernels.size() == 1 ? "value" : fmt::format("launch {}", launch + 1);
}

Table counters_table(const Explanation& explanation, std::span<const MetricInputs> inputs, bool wide) {
    Table table{{{"metric"}}, {}};
    if (wide) table.columns.push_back({"meaning"});
    for (std::size_t i = 0; i < inputs.size(); ++i)
        table.columns.push_back({launch_title(explanation, i), Align::right});
    table.columns.push_back({"trust"});
    for (const Metric* metric : telling_metrics(inputs)) {
        std::vector<std::string> row{std::string(metric->name)};
        if (wide) row.emplace_back(metric->label);
        for (const MetricInputs& in : inputs) row.push_back(format_metric(*metric, predicted(*metric, in)));
        row.emplace_back(name_of(trust_of(*metric, inputs)));
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::string title_at(const Explanation& explanation, std::string_view size) {
    if (explanation.rung.empty()) return explanation.operation;  // a program: it has no problem that we know
    return fmt::format("{}/{} {} {}{}{}", explanation.operation, explanation.rung, size,
                       name_of(explanation.problem.dtype), explanation.variant.empty() ? "" : " ", explanation.variant);
}

}  // namespace

std::string title_of(const Explanation& explanation) {
    std::string size;
    for (std::size_t axis = 0; axis < explanation.axes.size(); ++axis)
        size += fmt::format("{}{}", axis ? "x" : "", explanation.problem.extent[axis]);
    return title_at(explanation, size);
}

std::string timed_title_of(const Explanation& explanation) {
    return explanation.timed ? title_at(explanation, explanation.timed_size) : title_of(explanation);
}

std::string format_place(const SourcePlace& place) {
    if (place.line == 0) return {};
    return place.column == 0 ? fmt::format("{}:{}", place.file, place.line)
                             : fmt::format("{}:{}:{}", place.file, place.line, place.column);
}

std::string count_findings(const Explanation& explanation) {
    if (explanation.findings.empty()) return "no findings";
    std::string text;
    for (const Severity severity : {Severity::error, Severity::warning, Severity::advice}) {
        const auto count = std::count_if(explanation.findings.begin(), explanation.findings.end(),
                                         [&](const Finding& finding) { return finding.severity == severity; });
        if (count == 0) continue;
        const bool many = count > 1 && severity != Severity::advice;
        text += fmt::format("{}{} {}{}", text.empty() ? "" : ", ", count, name_of(severity), many ? "s" : "");
    }
    const std::size_t all = explanation.findings.size();
    return fmt::format("{} finding{}: {}", all, all == 1 ? "" : "s", text);
}

std::string why(const Explanation& explanation) {
    if (explanation.findings.empty()) return {};
    const Finding& top = explanation.findings.front();
    return fmt::format("{}: {}", name_of(top.rule), top.evidence);
}

std::string draw_heading(const Explanation& explanation, const Style& style, const std::string& verdict) {
    std::string text = paint(style, Ink::bold, title_of(explanation)) + "\n";
    if (!verdict.empty()) text += paragraph(style, Ink::accent, verdict);
    if (!explanation.lesson.empty()) text += paragraph(style, Ink::dim, explanation.lesson) + "\n";
    for (std::size_t i = 0; i < std::min(explanation.kernels.size(), kLaunchColumns); ++i)
        text += (explanation.kernels.size() == 1 ? "" : fmt::format("launch {}: ", i + 1)) +
                launch_line(explanation.kernels[i], explanation.findings, style);
    if (explanation.kernels.size() > kLaunchColumns)
        text += fmt::format("… and {} more launch{}\n", explanation.kernels.size() - kLaunchColumns,
                            explanation.kernels.size() == kLaunchColumns + 1 ? "" : "es");
    return text;
}

std::string draw_findings(const Explanation& explanation, const Style& style) {
    std::string text = count_findings(explanation) + "\n";
    for (std::size_t i = 0; i < explanation.findings.size(); ++i) text += finding_text(explanation, i, style);
    return text;
}

std::string draw_finding_lines(const Explanation& explanation, const Style& style) {
    std::string text = count_findings(explanation);
    if (explanation.findings.empty()) return text + "\n";
    text = paragraph(style, Ink::plain, text + "; --verbose shows all that is known of each");
    const auto width = static_cast<std::size_t>(style.width);
    std::span<const Finding> left = explanation.findings;
    while (!left.empty()) {
        const std::size_t many = told_together(left), number = explanation.findings.size() - left.size() + 1;
        const Finding& finding = left.front();
        const std::string mark =
            many == 1 ? fmt::format("[{}] ", number) : fmt::format("[{}-{}] ", number, number + many - 1);
        const std::string severity(name_of(finding.severity)), saving = saving_of(explanation, finding);
        std::string rest =
            fmt::format(" {}{}{}{}: {}", name_of(finding.rule), places_of(left.first(many), explanation.file),
                        saving.empty() ? "" : ", ", saving, finding.evidence);
        const std::size_t taken = mark.size() + severity.size();
        // The first in full, with what to do about it; of the others a line.
        std::vector<std::string> lines{rest};
        if (number == 1 && width > taken) {
            lines = wrap(severity + rest, width - mark.size());
            lines.front().erase(0, severity.size());
        } else if (width > taken) {
            lines = {shorten_at_word(rest, width - taken)};
        }
        text +=
            paint(style, Ink::accent, mark) + paint(style, ink_of(finding.severity), severity) + lines.front() + "\n";
        for (std::size_t line = 1; line < lines.size(); ++line) text += std::string(kIndent, ' ') + lines[line] + "\n";
        if (number == 1 && !finding.remedy.empty())
            text += indented("→ " + finding.remedy, kIndent, kIndent + 2, style);
        left = left.subspan(many);
    }
    return text;
}

std::string draw_counters(const Explanation& explanation, const Capability& sm, const Style& style) {
    std::vector<MetricInputs> inputs;
    for (const KernelTrace& kernel : explanation.kernels)
        if (inputs.size() < kLaunchColumns) inputs.push_back(metric_inputs(explanation, kernel, sm));
    if (inputs.empty()) return "no kernel was launched\n";
    std::string text = draw(counters_table(explanation, inputs, style.width == 0 || style.width >= kWide), style);
    text += paragraph(style, Ink::dim, list_unavailable());
    for (const std::string& kernel : list_not_followed(explanation))
        text +=
            paragraph(style, Ink::dim, "Counted as written, since its machine code was not followed: " + kernel + ".");
    return text;
}

std::string draw(const Explanation& explanation, const Capability& sm, SourceText& sources, const Style& style,
                 const std::string& verdict) {
    return draw_heading(explanation, style, verdict) + "\n" +
           (style.verbose ? draw_findings(explanation, style) : draw_finding_lines(explanation, style)) + "\n" +
           draw_annotated_source(explanation, sources, style) + "\n" + draw_counters(explanation, sm, style);
}

}  // namespace lanework
