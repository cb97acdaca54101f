// lanework compute: its options, and what computes on boxes, pictures and atoms.
#pragma once

#include <lanework/operation.hpp>
#include <limits>
#include <map>
#include <memory>

#include "src/cli/array_files.hpp"
#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/pixels/image_operation.hpp"

namespace lanework {

class Device;

/// As they were typed; numbers that were not are NaN or 0.
struct ComputeOptions {
    std::string word, output, device, gpu, variant, size, pictures;
    RawNumbers raw;
    std::vector<std::string> inputs;
    double iou = std::numeric_limits<double>::quiet_NaN(), score = std::numeric_limits<double>::quiet_NaN();
    int top = 0, most = 0;
    double cutoff = std::numeric_limits<double>::quiet_NaN();
    /// By their words, the options that operations on arrays describe.
    std::map<std::string, std::string> array_values;
    /// Of operations on images: the type of what is made, and by their words the options that they describe.
    std::string made_type;
    std::map<std::string, std::string> image_values;
    std::map<std::string, bool> image_flags;
    Exports exports;

    std::unique_ptr<Device> open_device() const;
};

/// What an operation computes on; options belong to one of them.
enum class ComputedOn : std::uint8_t { arrays, boxes, atoms, pictures };
/// Throws UsageError where an option was typed that is for others alone.
void require_options_of(ComputedOn kind, const ComputeOptions& options);

/// The first option that was typed of those that operations on arrays describe; empty: none.
std::string_view typed_array_option(const ComputeOptions& options);
/// matmul with those options, of which one is typed.
int compute_product(const ComputeOptions& options, const Operation& operation, const Context& context);

/// Whether it is nms or decode.
bool computes_boxes(const Operation& operation);
/// Those two, from files of arrays or JSON to such files.
int compute_boxes(const ComputeOptions& options, const Operation& operation, const Context& context);

/// The operation on images of this name, where arrays of any operation do not say what it needs; else null.
const ImageOperation* computes_pictures(std::string_view name);
/// The options that those operations describe.
void add_picture_options(Command& command, ComputeOptions& options);
/// The first of them that was typed; empty: none.
std::string_view typed_picture_option(const ComputeOptions& options);
/// From an array of one picture, or of several of one size, to such an array.
int compute_pictures(const ComputeOptions& options, const ImageOperation& operation, const Context& context);

/// Whether it is neighbors.
bool computes_atoms(const Operation& operation);
/// From an array of positions, and perhaps one of a box, to the list as arrays or text.
int compute_atoms(const ComputeOptions& options, const Operation& operation, const Context& context);

}  // namespace lanework
