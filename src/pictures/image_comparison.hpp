// Two pictures held against each other, sample by sample.
#pragma once

#include <array>
#include <cstdint>
#include <lanework/image_file.hpp>
#include <optional>
#include <span>

#include "src/draw/style.hpp"

namespace lanework {

/// A sample that differs, and what it is in both.
struct SampleDifference {
    std::int64_t x = 0, y = 0;
    int channel = 0;
    int first = 0, second = 0;
    int size() const { return first < second ? second - first : first - second; }
    bool operator==(const SampleDifference&) const = default;
};

struct ImageComparison {
    std::int64_t samples = 0;
    /// [d]: samples that differ by d.
    std::array<std::int64_t, 256> histogram{};
    /// The first of the largest, by rows, then columns, then channels; none where all are equal.
    std::optional<SampleDifference> largest = {};
    double squares = 0;  ///< sum of the squared differences

    std::int64_t mismatches() const { return samples - histogram[0]; }
    int most() const { return largest ? largest->size() : 0; }
    /// 10·log₁₀(255² / mean square), dB; none (infinite) where all are equal.
    std::optional<double> psnr() const;
};

/// Throws UsageError that says how the shapes differ, to stand behind the names of both.
ImageComparison compare_images(const Image& first, const Image& second);

/// Two files and what came of them.
struct ComparedFiles {
    std::string first, second;
    int channels = 0;
    ImageComparison comparison;
    /// Why they could not be compared; empty where they were.
    std::string problem = {};
};

/// "red", "alpha" or, of a picture of one channel, "gray".
std::string_view channel_name(int channel, int channels);

/// One pair in full, with the histogram; several as a table.
std::string draw(std::span<const ComparedFiles> files, const Style& style);
/// {"schema":1,"pictures":[{"first","second","samples","mismatches","largest":{"difference","x","y","channel","first",
/// "second"},"psnr_db","histogram":[{"difference","samples"}],"problem"}]}; largest and psnr_db are null where all
/// samples are equal, and everything but the names where there is a problem.
std::string comparisons_to_json(std::span<const ComparedFiles> files);

}  // namespace lanework
