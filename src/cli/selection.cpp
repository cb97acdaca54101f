// Turns the words of a command line into jobs.
#include "src/cli/selection.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <fnmatch.h>

#include <algorithm>
#include <cstdio>
#include <lanework/error.hpp>
#include <utility>

#include "src/cli/progress.hpp"
#include "src/cli/sizes.hpp"
#include "src/core/compilation_error.hpp"
#include "src/core/fill.hpp"
#include "src/core/printable.hpp"
#include "src/program/ladder/array_type.hpp"
#include "src/program/ladder/tuned_rung.hpp"
#include "src/program/ladder/vacuity.hpp"

namespace lanework {
namespace {

bool has_rung(const Operation& operation, std::string_view name, DeviceKind kind) {
    const auto all = ladder(operation, kind);
    return std::any_of(all.begin(), all.end(), [=](const Rung* rung) { return rung->name == name; });
}

std::vector<std::string_view> rung_names(const Operation& operation, const std::vector<DeviceKind>& kinds) {
    std::vector<std::string_view> names;
    for (const DeviceKind kind : kinds)
        for (const Rung* rung : ladder(operation, kind))
            if (std::ranges::find(names, rung->name) == names.end()) names.push_back(rung->name);
    return names;
}

// Throws the message that helps most: the rung is on another device, or its name is misspelt.
void check_rung(const Operation& operation, const std::string& name, const std::vector<ChosenDevice>& devices,
                const std::vector<DeviceKind>& kinds) {
    for (const ChosenDevice& device : devices)
        if (has_rung(operation, name, device.kind)) return;
    for (const DeviceKind kind : kinds)
        if (has_rung(operation, name, kind))
            throw UsageError(
                fmt::format("{0}/{1} is a rung for {2}; add --device {2}", operation.name, name, name_of(kind)));
    const std::vector<std::string_view> names = rung_names(operation, kinds);
    if (name.empty())
        throw UsageError(fmt::format("`{0}/` names no rung: write `{0}` for all of them, or one: {1}", operation.name,
                                     fmt::join(names, ", ")));
    for (const DeviceKind kind : kDeviceKinds)
        if (has_rung(operation, name, kind))
            throw UsageError(fmt::format("{}/{} is a rung for {}; this command takes those for {}: {}", operation.name,
                                         name, name_of(kind), name_of(kinds.back()), fmt::join(names, ", ")));
    const std::string_view near = nearest_name(name, names);
    throw UsageError(fmt::format("{} has no rung `{}`; {}", operation.name, name,
                                 near.empty() ? fmt::format("there are: {}", fmt::join(names, ", "))
                                              : fmt::format("did you mean `{}/{}`?", operation.name, near)));
}

// "uint8, uint16, …": every type there is.
std::string type_names() {
    std::vector<std::string_view> names;
    for (const DType dtype : kDTypes) names.push_back(name_of(dtype));
    return fmt::format("{}", fmt::join(names, ", "));
}

std::vector<DType> types(const Operation& operation, const SelectionOptions& options, Problems problems, bool alone) {
    if (!options.dtype.empty()) {
        // Of several operations, those that are not defined for the type are left out.
        const std::string_view wanted = name_of(parse_type(options.dtype));
        const auto has = [&](const auto& typed) { return name_of(typed.dtype) == wanted; };
        if (!alone && std::none_of(operation.types.begin(), operation.types.end(), has)) return {};
        return {parse_dtype(operation, wanted)};
    }
    if (problems != Problems::verified) return {operation.default_dtype()};
    std::vector<DType> result;
    for (const auto& typed : operation.types) result.push_back(typed.dtype);
    return result;
}

std::vector<std::uint8_t> variants(const Operation& operation, const SelectionOptions& options, Problems problems) {
    if (!options.variant.empty()) return {parse_variant(operation, options.variant)};
    std::vector<std::uint8_t> result{0};
    if (problems == Problems::verified)
        for (std::size_t i = 1; i < operation.variants.size(); ++i) result.push_back(static_cast<std::uint8_t>(i));
    return result;
}

std::vector<Extents> draw_shapes(const Operation& operation, const SelectionOptions& options) {
    std::vector<Extents> drawn;
    for (int i = 0; operation.draw && i < options.random; ++i)
        drawn.push_back(operation.draw(random_bits(options.seed, static_cast<std::uint64_t>(i))));
    return drawn;
}

std::vector<std::string> sweeps_over_sizes(const Operation& operation, const SelectionOptions& options) {
    std::vector<std::string> sweeps = options.sweeps;
    std::erase_if(sweeps, [&](const std::string& sweep) { return !sweeps_sizes(operation, sweep); });
    return sweeps;
}

// The sweeps over what is no axis of the operation: over constants of its rungs.
std::vector<Sweep> sweeps_over_constants(const Operation& operation, const SelectionOptions& options) {
    std::vector<Sweep> sweeps;
    for (const std::string& sweep : options.sweeps)
        if (!sweeps_sizes(operation, sweep)) sweeps.push_back(parse_sweep(sweep));
    return sweeps;
}

std::vector<Extents> shapes(const Operation& operation, const SelectionOptions& options, Problems problems,
                            DeviceKind kind, DType dtype) {
    if (options.random > 0 && options.size.empty()) return draw_shapes(operation, options);
    const std::span<const Extents> timed = operation.timed.on(kind);
    const std::vector<Extents> all =
        problems == Problems::verified ? operation.verified_on(kind) : std::vector(timed.begin(), timed.end());
    if (!options.size.empty() || !sweeps_over_sizes(operation, options).empty()) {
        const Extents usual = all.empty() ? extents() : all.front();
        return parse_shapes(operation, options.size, sweeps_over_sizes(operation, options), dtype, usual);
    }
    return all;
}

// What --input names; nothing without it. Of several operations, those that do not have it are left out: they have no
// problems.
std::optional<InputIndex> input_of(const Operation& operation, const SelectionOptions& options, bool alone) {
    if (options.input.empty()) return {};
    if (alone) return parse_input(operation, options.input);
    for (InputIndex input = kRandomInput; input <= operation.inputs.size(); ++input)
        if (operation.name_of_input(input) == options.input) return input;
    return operation.inputs.size() + 1;
}

// The rungs of a ladder that are meant; a single null stands for a ladder that this build does not have because the
// device is not here.
std::vector<const Rung*> rungs_of(const ChosenLadder& chosen, const ChosenDevice& device) {
    std::vector<const Rung*> all = ladder(*chosen.operation, device.kind);
    if (all.empty() && !device.device) return {nullptr};
    std::erase_if(all, [&](const Rung* rung) { return !chosen.takes(*rung); });
    return all;
}

// A rung of a ladder to be run, or why one with swept constants is not.
struct ChosenRung {
    const Rung* rung = nullptr;
    std::string refused = {};
};

// The first of the problems that one of the rungs computes; where none does, the first, so that reasons are shown.
Problem first_computed(const std::vector<Problem>& problems, const std::vector<ChosenRung>& rungs) {
    const auto computes = [](const ChosenRung& each, const Problem& problem) {
        return each.rung && each.refused.empty() && refusal(*each.rung, problem).empty();
    };
    for (const Problem& problem : problems)
        if (std::ranges::any_of(rungs, [&](const ChosenRung& each) { return computes(each, problem); })) return problem;
    return problems.front();
}

std::vector<Problem> problems_of(const Operation& operation, const SelectionOptions& options, Problems problems,
                                 DeviceKind kind, const std::vector<ChosenRung>& rungs, std::optional<InputIndex> input,
                                 bool alone) {
    std::vector<Problem> result;
    if (input > operation.inputs.size()) return result;
    const bool by_default =
        options.size.empty() && options.random == 0 && sweeps_over_sizes(operation, options).empty();
    for (const DType dtype : types(operation, options, problems, alone))
        for (const std::uint8_t variant : variants(operation, options, problems)) {
            std::vector<Problem> alike;
            for (const Extents& shape : shapes(operation, options, problems, kind, dtype))
                alike.push_back({shape, dtype, variant});
            if (problems == Problems::first_timed && by_default && alike.size() > 1)
                alike = {first_computed(alike, rungs)};
            result.insert(result.end(), alike.begin(), alike.end());
        }
    const bool named = !options.dtype.empty() && !options.variant.empty();
    if (operation.exists && !named)
        std::erase_if(result, [&](const Problem& problem) { return !operation.exists(problem); });
    if (input) std::erase_if(result, [&](const Problem& problem) { return !operation.defines(*input, problem); });
    return result;
}

// All combinations of the values, the last sweep fastest.
std::vector<Tunings> combinations(const std::vector<Sweep>& sweeps) {
    std::vector<Tunings> all{{}};
    for (const Sweep& sweep : sweeps) {
        std::vector<Tunings> longer;
        for (const Tunings& begun : all)
            for (const std::int64_t value : sweep.values) {
                longer.push_back(begun);
                longer.back().push_back({sweep.axis, value});
            }
        all = std::move(longer);
    }
    return all;
}

// Makes rungs with the constants that are swept. What the compiler takes seconds for is said meanwhile.
class Tuner {
public:
    Tuner(const ChosenLadder& chosen, const SelectionOptions& options)
        : chosen_(chosen), options_(options), sweeps_(sweeps_over_constants(*chosen.operation, options)) {
        for (const Sweep& sweep : sweeps_) names_.push_back(sweep.axis);
    }

    std::vector<ChosenRung> rungs(const std::vector<const Rung*>& ladder) {
        std::vector<ChosenRung> result;
        for (const Rung* rung : ladder) {
            if (sweeps_.empty() || !rung || (rung->library && chosen_.rungs.empty()))
                result.push_back({rung});
            else if (rung->device != DeviceKind::cpu || !chosen_.rungs.empty())
                append(*rung, result);
        }
        return result;
    }

    // Says which rungs have no such constant; throws where none has.
    void finish() const {
        if (sweeps_.empty()) return;
        if (!any_)
            throw UsageError(
                fmt::format("{} has no axis `{}`; it has {}. None of these rungs has such a constant{}",
                            chosen_.operation->name, printable(names_.front()), axes_to_sweep(*chosen_.operation),
                            others_.empty() ? "" : fmt::format("; they have {}", fmt::join(others_, ", "))));
        if (!without_.empty() && options_.context)
            options_.context->hint(fmt::format("lanework: without {}, left out: {}", fmt::join(names_, " and "),
                                               fmt::join(without_, ", ")));
        if (!called_.empty() && options_.context)
            options_.context->hint(fmt::format("lanework: {}", fmt::join(called_, "; ")));
    }

private:
    void append(const Rung& rung, std::vector<ChosenRung>& result) {
        Tunings stands;
        try {
            stands = tuning_as_it_stands(rung, names_);
        } catch (const UsageError&) {
            if (!chosen_.rungs.empty()) throw;  // the rung was named
            without_.push_back(std::string(rung.name));
            for (const std::string& name : names_)
                if (const std::string why = what_is_swept(rung, name); !why.empty())
                    without_.back() += fmt::format(" ({})", why);
            for (const std::string& name : tunable_names(rung))
                if (std::ranges::find(others_, name) == others_.end()) others_.push_back(name);
            return;
        }
        any_ = true;
        for (const std::string& name : names_)
            if (const std::string constants = what_is_swept(rung, name); !constants.empty())
                called_.push_back(fmt::format("{} of {} is {}", name, rung.name, constants));
        const Rung& base = renamed_rung(rung, stands);
        result.push_back({&base});
        for (const Tunings& tunings : combinations(sweeps_))
            if (tunings != stands) result.push_back(make(rung, tunings, base));
    }

    ChosenRung make(const Rung& rung, const Tunings& tunings, const Rung& base) {
        if (options_.context)
            Progress(*options_.context)
                .show(fmt::format("building {}/{}", rung.operation, tuned_name(rung.name, tunings)));
        const Build build = own_ladder_build();
        try {
            return {&tuned_rung(rung, tunings, base.name, build)};
        } catch (const CompilationError& error) {
            return {&renamed_rung(rung, tunings), fmt::format("does not compile: {}", error.what())};
        } catch (const UsageError& error) {
            return {&renamed_rung(rung, tunings), error.what()};
        } catch (const UnavailableError& error) {
            return {&renamed_rung(rung, tunings), error.what()};
        }
    }

    const ChosenLadder& chosen_;
    const SelectionOptions& options_;
    std::vector<Sweep> sweeps_;
    std::vector<std::string> names_, without_;
    /// "block of padded_tile is kTile × kRows".
    std::vector<std::string> called_;
    /// What rungs without these names have instead.
    std::vector<std::string> others_;
    bool any_ = false;
};

bool is_pattern(const std::string& word) { return word.find_first_of("*?[") != word.npos; }

bool matches(const std::string& pattern, std::string_view name) {
    return fnmatch(pattern.c_str(), std::string(name).c_str(), 0) == 0;
}

// Adds a ladder, or its rung to the ones that were chosen of the same operation.
void choose(std::vector<ChosenLadder>& chosen, const Operation& operation, const std::string& rung) {
    const auto same = std::ranges::find(chosen, &operation, &ChosenLadder::operation);
    if (same == chosen.end()) {
        chosen.push_back({&operation, {}});
        if (!rung.empty()) chosen.back().rungs.push_back(rung);
    } else if (rung.empty()) {
        same->rungs.clear();
    } else if (!same->rungs.empty() && std::ranges::find(same->rungs, rung) == same->rungs.end()) {
        same->rungs.push_back(rung);
    }
}

// A user's own, which takes seconds to compile where it is not in the cache.
LoadedLadder load(const std::string& word, const SelectionOptions& options, const std::vector<DeviceKind>& kinds) {
    if (!options.context) return load_own_ladder(word, own_ladder_build(), options.added, kinds);
    Progress progress(*options.context);
    Build build = own_ladder_build(&progress);
    build.tell_stage = [&](std::string_view stage) {  // "compiling /…/naive.cu"
        const std::string file = std::filesystem::path(stage).filename().string();
        progress.show(fmt::format("building {}: {} {}", word, stage.substr(0, stage.find(' ')), file));
    };
    return load_own_ladder(word, build, options.added, kinds);
}

}  // namespace

Build own_ladder_build(Progress* progress) {
    return {.toolchain = find_toolchain(),
            .instrumentation = Instrumentation::complete,
            .native = false,
            .for_this_process = true,
            .colour = false,
            .tell =
                [progress](std::string_view text) {
                    if (progress) progress->clear();
                    std::fwrite(text.data(), 1, text.size(), stderr);
                },
            .tell_stage = {},
            .tell_command = {}};
}

std::vector<ChosenDevice> SelectionOptions::chosen_devices() const {
    const bool own = !words.empty() && std::ranges::all_of(words, names_own_ladder);
    if (!device.empty() || !own) return choose_devices(device, gpu);
    // A kernel that is added, and a GPU that is named, are simt's.
    std::string names(name_of(DeviceKind::simt));
    if (added.empty() && gpu.empty()) {
        std::vector<DeviceKind> known;
        for (const std::string& word : words)
            for (const DeviceKind kind : devices_without_gpu(word))
                if (std::ranges::find(kinds, kind) != kinds.end()) known.push_back(kind);
        const auto has = [&](DeviceKind kind) { return std::ranges::find(known, kind) != known.end(); };
        if (has(DeviceKind::cpu)) names = has(DeviceKind::simt) ? "simt,cpu" : "cpu";
    }
    return choose_devices(names, gpu);
}

void SelectionOptions::add_device(Command& command, const std::string& meaning) {
    command.option("-d,--device", device, "DEVICE", meaning);
    command.option("--gpu", gpu, "NAME", gpu_help());
}

void SelectionOptions::add_dtype(Command& command) {
    command.option("-t,--dtype", dtype, "TYPE", "Element type: " + type_names());
}

DType parse_type(std::string_view name) {
    for (const DType dtype : kDTypes)
        if (name_of(dtype) == name) return dtype;
    // As operation.json and CUDA call it.
    if (const auto dtype = element_type(name)) return *dtype;
    throw UsageError(fmt::format("there is no type `{}`; there are: {}", name, type_names()));
}

void SelectionOptions::add_shape(Command& command) {
    context = &command.context();
    command.option("-s,--size", size, "SIZE",
                   "Lengths of the operation's axes joined by x, rows before columns, such as 100x50x113; several "
                   "joined by commas");
    add_dtype(command);
    command.option("--variant", variant, "NAME", "Form of an operation that has several, such as gray's");
}

void SelectionOptions::add_problem(Command& command) {
    add_shape(command);
    command.option("--seed", seed, "Seed of the random inputs (1)");
}

void SelectionOptions::add_sweep(Command& command) {
    command.list("--sweep", sweeps, "AXIS=FROM..TO",
                 "Many sizes: size=2^10..2^28 doubles, rows=100..1000+100 adds, *4 multiplies; may be repeated. "
                 "block=64..1024: rungs with other values of a constant");
}

void SelectionOptions::add_kernel(Command& command, bool with_name) {
    if (with_name)
        command.option("--kernel", added.kernel, "FILE.cu[:NAME]",
                       "This kernel as a rung, of ours or your own; its arguments are bound by name");
    command.option("--grid", added.launch.grid, "LENGTHS", "How many blocks --kernel is launched with: \"ceil(n/4)\"");
    command.option("--block", added.launch.block, "LENGTHS",
                   "How many threads a block of --kernel has: 128, \"32, 8\"");
    command.option("--shared", added.launch.shared, "BYTES", "Dynamic shared memory of --kernel (0)");
    command.option("--build", added.build, "WORDS",
                   "What rungs of your own are built with besides: \"-I include tables.cpp -L lib -lmine\"");
}

void SelectionOptions::add_input(Command& command, const std::string& without) {
    command.option("--input", input, "NAME",
                   "What the input arrays hold, one of those that info lists, such as constant (" + without + ")");
}

bool ChosenLadder::takes(const Rung& rung) const {
    return rungs.empty() || std::ranges::find(rungs, rung.name) != rungs.end();
}

std::vector<std::string> expand_patterns(const std::vector<std::string>& words, const std::vector<DeviceKind>& kinds) {
    std::vector<std::string> expanded;
    for (const std::string& word : words) {
        if (!is_pattern(word) || names_own_ladder(word)) {
            expanded.push_back(word);
            continue;
        }
        const auto slash = word.find('/');
        const std::size_t before = expanded.size();
        for (const Operation* operation : operations()) {
            if (!matches(word.substr(0, slash), operation->name)) continue;
            if (slash == word.npos) {
                expanded.emplace_back(operation->name);
                continue;
            }
            for (const std::string_view rung : rung_names(*operation, kinds))
                if (matches(word.substr(slash + 1), rung))
                    expanded.push_back(fmt::format("{}/{}", operation->name, rung));
        }
        if (expanded.size() == before)
            throw UsageError(fmt::format("nothing matches `{}`; `lanework list --names` shows what there is", word));
    }
    return expanded;
}

std::vector<ChosenLadder> choose_ladders(const SelectionOptions& options, const std::vector<ChosenDevice>& devices) {
    std::vector<ChosenLadder> chosen;
    if (options.words.empty())
        for (const Operation* operation : operations()) chosen.push_back({operation, {}});
    std::vector<DeviceKind> kinds;
    for (const ChosenDevice& device : devices) kinds.push_back(device.kind);
    for (const std::string& word : expand_patterns(options.words, kinds)) {
        if (names_own_ladder(word) || !options.added.empty()) {
            std::vector<DeviceKind> here;
            for (const ChosenDevice& device : devices)  // nothing is compiled for a GPU that is not here
                if (device.device && std::ranges::find(here, device.kind) == here.end()) here.push_back(device.kind);
            const LoadedLadder own = load(word, options, here);
            choose(chosen, *own.operation, own.rung);
            continue;
        }
        if (!options.added.build.empty())
            throw UsageError(fmt::format("--build is for ladders of your own, and {} is ours", word));
        const auto slash = word.find('/');
        const Operation& operation = find_operation(word.substr(0, slash));
        require_ladder(operation, kinds);
        const std::string rung = slash == word.npos ? "" : word.substr(slash + 1);
        if (slash != word.npos) check_rung(operation, rung, devices, options.kinds);
        choose(chosen, operation, rung);
    }
    return chosen;
}

std::vector<Job> jobs(const SelectionOptions& options, std::vector<ChosenDevice>& devices, Problems problems) {
    std::vector<Job> result;
    if (!options.dtype.empty()) parse_type(options.dtype);
    const auto ladders = choose_ladders(options, devices);
    const bool alone = ladders.size() == 1;
    for (const ChosenLadder& chosen : ladders) {
        const auto input = input_of(*chosen.operation, options, alone);
        Tuner tuner(chosen, options);
        for (ChosenDevice& device : devices) {
            const std::vector<ChosenRung> rungs = tuner.rungs(rungs_of(chosen, device));
            for (const Problem& problem :
                 problems_of(*chosen.operation, options, problems, device.kind, rungs, input, alone))
                for (const ChosenRung& each : rungs)
                    result.push_back({chosen.operation, each.rung, &device, problem, input, each.refused});
        }
        tuner.finish();
    }
    if (result.empty() && options.random > 0)
        throw UsageError(
            "--random: none of these operations draws random shapes; `lanework verify gray --random 100` does");
    if (result.empty() && !options.input.empty())
        throw UsageError(fmt::format("the selection is empty: nothing selected defines the input `{}` for its types",
                                     options.input));
    if (result.empty())
        throw UsageError("the selection is empty: no rung on these devices computes this; `lanework list` shows all");
    return result;
}

void refuse_vacuous(std::span<const Job> jobs, const Context& context) {
    const Operation* last = nullptr;
    for (const Job& job : jobs) {
        const OwnOperation* const own = job.operation == last ? nullptr : own_operation(*job.operation);
        last = job.operation;
        if (!own) continue;
        for (const std::string& said : require_not_vacuous(*own)) context.hint(said);
    }
}

Measurement unmeasured(const Job& job, std::uint64_t seed) {
    constexpr Rung kEveryRung{.operation = {},
                              .name = "*",
                              .device = DeviceKind::cuda,
                              .library = false,
                              .climbs_from = {},
                              .lesson = {},
                              .file = {},
                              .refuses = nullptr,
                              .about = nullptr,
                              .types = {},
                              .entry = nullptr};
    const Rung& rung = job.rung ? *job.rung : kEveryRung;
    Measurement m = describe(*job.operation, rung, job.device->id, job.problem, seed);
    if (!job.device->device) {
        m.verdict = Verdict::refused;
        m.reason = job.device->reason;
    } else if (!job.refused.empty()) {
        m.verdict = Verdict::refused;
        m.reason = job.refused;
    }
    return m;
}

std::string describe(const Job& job) {
    return fmt::format("{}/{} on {}, {} {}", job.operation->name, job.rung ? job.rung->name : "*", job.device->id,
                       format_extents(*job.operation, job.problem), name_of(job.problem.dtype));
}

}  // namespace lanework
