// lanework compute neighbors: the list of an array of positions. Files of atoms are the business of lanework neighbors.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <lanework/error.hpp>
#include <lanework/registry.hpp>

#include "src/cli/compute.hpp"
#include "src/cli/outputs.hpp"
#include "src/cli/progress.hpp"
#include "src/core/exit_status.hpp"
#include "src/io/npy.hpp"
#include "src/particles/box.hpp"
#include "src/particles/files/neighbor_file.hpp"

namespace lanework {
namespace {

template <class T>
std::vector<T> numbers_of(const FileArray& array) {
    const auto read = [&]<class In>() {
        std::vector<In> values(array.bytes.size() / sizeof(In));
        if (!values.empty()) std::memcpy(values.data(), array.bytes.data(), array.bytes.size());
        return std::vector<T>(values.begin(), values.end());
    };
    if (array.given.dtype == DType::float32) return read.template operator()<float>();
    if (array.given.dtype == DType::float64) return read.template operator()<double>();
    throw UsageError(fmt::format("neighbors: {} holds {}; float32 and float64 are right", array.given.name,
                                 name_of(array.given.dtype)));
}

/// 2 or 3.
int dimensions_of(const GivenArray& positions) {
    const std::vector<std::int64_t>& shape = positions.shape;
    if (shape.size() != 2 || (shape[1] != 2 && shape[1] != 3))
        throw UsageError(
            fmt::format("neighbors: {} is {}; atoms×3 or atoms×2 is right", positions.name, shape_in_words(shape)));
    return static_cast<int>(shape[1]);
}

/// Rows are its vectors; all of them are periodic.
PeriodicBox box_of(const FileArray& array, int dimensions) {
    if (array.given.shape != std::vector<std::int64_t>{dimensions, dimensions})
        throw UsageError(fmt::format("neighbors: {} is {}; a box is {}×{}, and its rows are the vectors",
                                     array.given.name, shape_in_words(array.given.shape), dimensions, dimensions));
    const std::vector<double> numbers = numbers_of<double>(array);
    PeriodicBox box;
    for (std::size_t k = 0; k < static_cast<std::size_t>(dimensions); ++k) {
        std::copy_n(numbers.data() + k * static_cast<std::size_t>(dimensions), dimensions, box.vectors[k].begin());
        box.periodic[k] = true;
    }
    check_box(box);
    return box;
}

template <class T>
std::string write_list(const ComputeOptions& options, const FileArray& positions, const PeriodicBox& box,
                       Device& device) {
    const std::vector<T> numbers = numbers_of<T>(positions);
    const NeighborOptions wanted{.cutoff = options.cutoff};
    const NeighborList<T> list =
        neighbors(Particles<T>{.positions = numbers, .boxes = {&box, 1}, .dimensions = dimensions_of(positions.given)},
                  wanted, device);
    options.output.ends_with(".npz") ? write_output(options.output, neighbor_npz(list, box, wanted).pieces())
                                     : write_output(options.output, neighbor_text(list));
    return fmt::format("{}: {} pair{} of {} atoms by neighbors on {}", options.output, list.pairs(),
                       list.pairs() == 1 ? "" : "s", positions.given.shape[0], device.info().id);
}

}  // namespace

bool computes_atoms(const Operation& operation) { return operation.name == "neighbors"; }

int compute_atoms(const ComputeOptions& options, const Operation&, const Context& context) {
    if (!options.output.ends_with(".npz") && !options.output.ends_with(".txt"))
        throw UsageError(
            fmt::format("-o {}: a list is several arrays or lines; .npz and .txt are right", options.output));
    require_options_of(ComputedOn::atoms, options);
    if (!options.size.empty() || !options.variant.empty())
        throw UsageError(fmt::format("compute neighbors takes no {}", options.size.empty() ? "--variant" : "--size"));
    if (std::isnan(options.cutoff)) throw UsageError("compute neighbors: --cutoff LENGTH is missing");
    Progress progress(context);
    const std::string_view names[] = {"positions", "cell"};
    const std::vector<FileArray> inputs = by_names(
        read_arrays(options.inputs, options.raw, [&](const std::string& path) { progress.show("reading " + path); }),
        names);
    if (inputs.empty() || inputs.size() > 2)
        throw UsageError(
            fmt::format("neighbors: {} arrays are given; one or two are right: positions, cell", inputs.size()));
    const int dimensions = dimensions_of(inputs[0].given);
    const PeriodicBox box = inputs.size() == 2 ? box_of(inputs[1], dimensions) : PeriodicBox::open();
    const auto device = options.open_device();
    progress.show(fmt::format("finding the neighbours of {} atoms", inputs[0].given.shape[0]));
    const std::string said = inputs[0].given.dtype == DType::float32
                                 ? write_list<float>(options, inputs[0], box, *device)
                                 : write_list<double>(options, inputs[0], box, *device);
    progress.clear();
    context.hint(said);
    return exit_status::good;
}

}  // namespace lanework
