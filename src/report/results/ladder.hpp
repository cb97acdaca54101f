// The picture of a climb: each rung a bar towards the limit, with the library's mark on the same scale. Where no time
// was measured, since the GPU is not here: each rung's estimated time and what decides it.
#pragma once

#include "src/report/results/results.hpp"

namespace lanework {

/// What is known before the first rung is timed.
struct LadderFrame {
    std::string operation, summary;
    /// How commands name the ladder where that is not the operation: "./saxpy".
    std::string named;
    /// "10000x10000 int32".
    std::string problem;
    /// "cuda:0" and "NVIDIA H200".
    std::string device, device_name;
    Work work;
    std::optional<Limit> limit;
    /// The GPU that times are estimated for; empty where they are measured. Its limit is from published figures.
    std::string estimated_for;
    /// Everything that will be drawn: it decides how wide the names are.
    std::vector<std::string> rungs;
    /// The fastest library rung, measured first so that its mark can stand in every bar.
    std::optional<Measurement> library;
    /// What a reader must know about times on this device; empty for none.
    std::string note;
};

/// Draws line by line, so that each rung can be shown as it finishes. Every result ends with a newline.
class LadderView {
public:
    LadderView(LadderFrame frame, Style style);

    std::string heading() const;
    /// `below` is the rung it climbs from, or null. Empty for one that was refused: those are told together.
    std::string rung(const Measurement& measurement, const Measurement* below) const;
    /// The rungs that were refused, a line for each reason.
    std::string refused(std::span<const Measurement> ladder) const;
    /// The best rung against the limit, the foot of the ladder and the library.
    std::string closing(std::span<const Measurement> ladder) const;

private:
    std::string bar(const Measurement& measurement) const;
    std::string time(const Measurement& measurement) const;
    std::string figures(const Measurement& measurement, const Measurement* below) const;
    std::string estimates(const Measurement& measurement) const;
    /// From the column `indent` on, the first line without that: over as many lines as it needs, or cut to one.
    std::string indented(std::string_view text, Ink ink, std::size_t indent) const;
    std::string one_line(std::string_view text, Ink ink, std::size_t indent) const;
    std::string error(const Measurement& m) const;

    LadderFrame frame_;
    Style style_;
    bool wide_;
    std::size_t name_columns_, time_columns_, rate_columns_, bar_columns_;
};

/// A bar of `columns` cells that is full at 1, in eighths of a cell, with a mark over the cell at `mark`.
std::string draw_bar(const Style& style, double fraction, std::optional<double> mark, std::size_t columns);

}  // namespace lanework
