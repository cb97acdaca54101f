// Other values for the constants in a file, and the rung that is compiled of it.
#include "src/program/ladder/tuned_rung.hpp"

#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/core/compilation_error.hpp"
#include "src/program/compiler_messages.hpp"
#include "src/program/ladder/kernel_file.hpp"
#include "src/program/ladder/launched_block.hpp"
#include "src/program/ladder/own_ladder.hpp"
#include "src/program/ladder/rung_library.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Of one of the program's own, the folder that holds "ops/transpose/naive.cu". Throws UnavailableError.
RungPlace place_of(const Rung& rung) {
    if (const RungPlace* const loaded = place_of_loaded(rung)) return *loaded;
    if (rung.library) return {};  // of which nothing is known
    const fs::path root = find_sources();
    std::error_code error;
    if (!fs::is_regular_file(root / rung.file, error))
        throw UnavailableError(
            fmt::format("{} is not here to be compiled again: {}", rung.file,
                        root.empty() ? "this program has no sources" : "it is not in " + root.string()));
    return {.file = root / rung.file, .root = root, .includes = {root}, .shown = std::string(rung.file)};
}

/// Of kernels that launch for themselves and of a processor's code nothing is known.
std::vector<TunableConstant> constants_of(const Rung& rung, const RungPlace& place) {
    if (rung.library || !rung.file.ends_with(".cu")) return {};
    return tunable_constants(place.file, place.root);
}

SweptConstants require(const Rung& rung, const std::vector<TunableConstant>& constants, const RungPlace& place,
                       const std::string& name) {
    std::string why;
    if (auto found = find_swept(constants, name, place.file, place.root, why)) return *found;
    throw UsageError(
        fmt::format("{}/{} has no constant `{}`{}; {}", rung.operation, rung.name, name, why.empty() ? "" : ": " + why,
                    constants.empty() ? "it has none that is a plain number" : "it has " + listed(constants)));
}

}  // namespace

Tunings tuning_as_it_stands(const Rung& rung, std::span<const std::string> names) {
    Tunings result;
    if (const OwnRung* const own = own_rung(rung)) {
        const KernelFile file = read_kernel_file(own->file());
        for (const std::string& name : names)
            if (const auto value = value_as_it_stands(file, own->source(), name)) result.push_back({name, *value});
        return result;
    }
    const RungPlace place = place_of(rung);
    const std::vector<TunableConstant> constants = constants_of(rung, place);
    for (const std::string& name : names) result.push_back({name, require(rung, constants, place, name).value()});
    return result;
}

std::string what_is_swept(const Rung& rung, const std::string& name) {
    if (own_rung(rung)) return {};
    const RungPlace place = place_of(rung);
    const std::vector<TunableConstant> constants = constants_of(rung, place);
    std::string why;
    const auto found = find_swept(constants, name, place.file, place.root, why);
    if (!found) return why;
    const bool is_itself = found->constants.size() == 1 && found->constants[0]->name == name;
    return is_itself ? "" : found->spelled();
}

std::vector<std::string> tunable_names(const Rung& rung) {
    std::vector<std::string> names;
    std::vector<TunableConstant> constants;
    if (const OwnRung* const own = own_rung(rung)) {
        const KernelFile file = read_kernel_file(own->file());
        names = stated_lengths(file, own->source());
        constants = tunable_constants(file.path, file.path.parent_path());
    } else {
        constants = constants_of(rung, place_of(rung));
    }
    for (const TunableConstant& constant : constants) names.push_back(constant.name);
    return names;
}

const Rung& renamed_rung(const Rung& rung, const Tunings& tunings) {
    // Results point into it.
    auto& name = *new std::string(tuned_name(rung.name, tunings));
    auto& renamed = *new Rung(rung);
    renamed.name = name;
    return renamed;
}

const Rung& tuned_rung(const Rung& rung, const Tunings& tunings, std::string_view base, const Build& build) {
    std::string said;
    Build quiet = build;
    quiet.colour = false;
    quiet.tell = [&](std::string_view text) { said += text; };
    ProgramCache cache;
    try {
        if (const OwnRung* const own = own_rung(rung)) {
            RungSource source = own->source();
            source.tunings = tunings;
            source.climbs_from = base;
            OwnRung& made = OwnRung::make(own->operation(), source, rung.device);
            made.load(made.build(quiet, cache));
            return made.rung();
        }
        const RungPlace place = place_of(rung);
        const std::vector<TunableConstant> constants = constants_of(rung, place);
        std::vector<std::pair<const TunableConstant*, std::int64_t>> values;
        for (const Tuning& tuning : tunings)
            for (const auto& value : require(rung, constants, place, tuning.name).with(tuning.value))
                values.push_back(value);
        const RungEntryName entry{
            .device = rung.device, .operation = std::string(rung.operation), .name = std::string(rung.name)};
        const fs::path library = build_rung_library(place, rung.device, with_values(values), quiet, cache);
        return load_rung_library(library, entry, place, tuned_name(rung.name, tunings), base);
    } catch (const CompilationError& error) {
        throw CompilationError(said.empty() ? error.what() : first_error(said));
    }
}

}  // namespace lanework
