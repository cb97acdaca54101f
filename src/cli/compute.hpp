// lanework compute: its options, and what computes on boxes.
#pragma once

#include <lanework/operation.hpp>
#include <limits>
#include <memory>

#include "src/cli/array_files.hpp"
#include "src/cli/context.hpp"

namespace lanework {

class Device;

/// As they were typed; numbers that were not are NaN or 0.
struct ComputeOptions {
    std::string word, output, device, gpu, variant, size, pictures;
    RawNumbers raw;
    std::vector<std::string> inputs;
    double iou = std::numeric_limits<double>::quiet_NaN(), score = std::numeric_limits<double>::quiet_NaN();
    int top = 0, most = 0;

    std::unique_ptr<Device> open_device() const;
};

/// Whether it is nms or decode.
bool computes_boxes(const Operation& operation);
/// Those two, from files of arrays or JSON to such files.
int compute_boxes(const ComputeOptions& options, const Operation& operation, const Context& context);

}  // namespace lanework
