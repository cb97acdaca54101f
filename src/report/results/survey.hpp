// A survey as people and programs read it, each figure beside the published one where there is one.
#pragma once

#include <optional>
#include <span>

#include "src/core/survey.hpp"
#include "src/draw/table.hpp"
#include "src/gpu/gpus.hpp"
#include "src/report/results/facts.hpp"

namespace lanework {

/// What is published of the part that a reading is about, in the reading's unit; nothing where nothing is. `gpu` may be
/// null.
std::optional<double> published(const Reading& reading, const Gpu* gpu);

/// Columns: part, figure, measured, of the published figure, by. The last but one is left out when nothing is
/// published.
Table survey_table(const Survey& survey, const Gpu* gpu);

/// A device as `lanework devices` shows it: its facts and, if it was ever measured, its survey.
struct DescribedDevice {
    Section facts;
    std::optional<Survey> survey = {};
    /// Whose published figures hold for it; null where none are known.
    const Gpu* gpu = nullptr;
};

std::string draw(std::span<const DescribedDevice> devices, const Style& style);
/// {"schema":1,"devices":[{"title","facts","figures","measured_at","measured":[{"group","name","by","unit","value",
/// "published","fraction"}]}]}; the last two members only where a figure is published.
std::string devices_to_json(std::span<const DescribedDevice> devices);

}  // namespace lanework
