// lanework info: everything that is known about one operation or one rung before it runs.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/device_facts.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/kernel_code.hpp"
#include "src/cli/selection.hpp"
#include "src/core/text.hpp"
#include "src/measure/ceilings.hpp"
#include "src/report/results/catalogue.hpp"
#include "src/report/results/facts.hpp"
#include "src/report/results/results.hpp"
#include "src/trace/analyse/estimate.hpp"

namespace lanework {
namespace {

struct InfoOptions {
    SelectionOptions selection;
    std::string word;
    KernelCodeOptions code;
    bool why = false;
    Exports exports;
};

std::string shapes(const Operation& operation, std::span<const Extents> all) {
    std::vector<std::string> texts;
    for (const Extents& extent : all) texts.push_back(format_extents(operation, {.extent = extent}));
    return fmt::format("{}", fmt::join(texts, ", "));
}

std::string tolerance_of(const Operation& operation, const Problem& problem) {
    const Tolerance t = operation.tolerance(problem);
    if (t.exact()) return fmt::format("none, equal to the bit: {}", t.reason);
    std::vector<std::string> terms;
    if (t.absolute > 0) terms.push_back(fmt::format("{:.3g}", t.absolute));
    if (t.relative > 0) terms.push_back(fmt::format("{:.3g} of the value", t.relative));
    if (t.of_magnitude > 0) terms.push_back(fmt::format("{:.3g} of the sum of the terms' magnitudes", t.of_magnitude));
    return fmt::format("{}: {}", fmt::join(terms, " + "), t.reason);
}

std::string work_of(const Work& work) {
    std::string text = fmt::format("reads {}, writes {}", format_amount(static_cast<double>(work.bytes_read), "B"),
                                   format_amount(static_cast<double>(work.bytes_written), "B"));
    if (work.flops > 0) text += fmt::format(", computes {}", format_amount(static_cast<double>(work.flops), "FLOP"));
    if (work.flops > 0 && work.bytes() > 0)
        text +=
            fmt::format(": {:.3g} FLOP a byte", static_cast<double>(work.flops) / static_cast<double>(work.bytes()));
    if (work.operations > 0)
        text += fmt::format(", makes {} that are no multiply-add",
                            format_amount(static_cast<double>(work.operations), "op"));
    return text;
}

// The least time on a device, where its ceilings are known already; on simt, as climb has it, on the GPU that it stands
// for.
std::string limit_of(const Work& work, DType dtype, const ChosenDevice& device) {
    if (!device.device) return device.reason;
    if (device.kind == DeviceKind::simt) {
        const Gpu& gpu = gpu_of(device.device->info());
        const Limit limit = roofline_limit(work, dtype, gpu);
        return fmt::format("{} on an {}, bound by {}, from published figures", format_seconds(limit.seconds), gpu.title,
                           name_of(limit.bound));
    }
    const auto known = cached_ceilings(device.device->info());
    if (!known) return fmt::format("not known yet: `lanework devices --measure -d {}` measures it", device.id);
    const Limit limit = known->limit(work, dtype);
    return fmt::format("{}, bound by {}", format_seconds(limit.seconds), name_of(limit.bound));
}

Problem problem_of(const Operation& operation, const SelectionOptions& options, DeviceKind kind) {
    const DType dtype = options.dtype.empty() ? operation.default_dtype() : parse_dtype(operation, options.dtype);
    Problem problem{.extent = operation.timed.on(kind).front(), .dtype = dtype};
    if (!options.size.empty()) problem = parse_problem(operation, options.size, dtype);
    if (!options.variant.empty()) problem.variant = parse_variant(operation, options.variant);
    return problem;
}

Section operation_section(const Operation& operation, const Problem& problem) {
    Section section{std::string(operation.name), {}, {}};
    section.facts = {{"computes", std::string(operation.summary)},
                     {"axes", describe_axes(operation)},
                     {"types", types_of(operation)}};
    if (!operation.variants.empty())
        section.facts.push_back({"variants", fmt::format("{}", fmt::join(operation.variants, ", "))});
    section.facts.push_back({"verified on", shapes(operation, operation.verified)});
    if (!operation.verified_by_hardware.empty())
        section.facts.push_back({"but for simt, also on", shapes(operation, operation.verified_by_hardware)});
    std::vector<std::string_view> inputs{operation.name_of_input(kRandomInput)};
    for (const Input& input : operation.inputs) inputs.push_back(input.name);
    section.facts.push_back({"inputs", fmt::format("{}", fmt::join(inputs, ", "))});
    section.facts.push_back({"tolerance", tolerance_of(operation, problem)});
    return section;
}

// The work at the default problem of each device, and the limit that follows.
Section work_section(const Operation& operation, const SelectionOptions& options,
                     const std::vector<ChosenDevice>& devices) {
    Section section{"work", {}, {}};
    for (const ChosenDevice& device : devices) {
        const Problem problem = problem_of(operation, options, device.kind);
        const Work work = operation.work(problem);
        section.facts.push_back(
            {fmt::format("{} times", device.id), shapes(operation, operation.timed.on(device.kind))});
        section.facts.push_back(
            {fmt::format("{} work", device.id),
             fmt::format("{} {}: {}", format_extents(operation, problem), name_of(problem.dtype), work_of(work))});
        section.facts.push_back({fmt::format("{} limit", device.id), limit_of(work, problem.dtype, device)});
    }
    return section;
}

// The rung that computes this problem where nobody asks for one, and on demand why none of the others does.
Section choice_section(const Operation& operation, const InfoOptions& options,
                       const std::vector<ChosenDevice>& devices) {
    Section section{"choice", {}, {}};
    for (const ChosenDevice& device : devices) {
        const Problem problem = problem_of(operation, options.selection, device.kind);
        const std::string size = format_extents(operation, problem);
        const Rung* chosen = nullptr;
        for (const Rung* rung : rungs_by_choice(operation, device.kind, &problem)) {
            const std::string reason = refusal(*rung, problem);
            const bool first = reason.empty() && !chosen;
            if (first) {
                chosen = rung;
                section.facts.push_back(
                    {fmt::format("{} takes", device.id), fmt::format("{} for {}", rung->name, size)});
            } else if (options.why) {
                section.facts.push_back(
                    {fmt::format("{} {}", device.id, rung->name),
                     reason.empty() ? fmt::format("computes it too, after {}", chosen->name) : reason});
            }
        }
    }
    return section;
}

std::vector<const Rung*> forms_of(const Operation& operation, std::string_view name) {
    std::vector<const Rung*> forms;
    for (const DeviceKind kind : kDeviceKinds)
        for (const Rung* rung : ladder(operation, kind))
            if (rung->name == name) forms.push_back(rung);
    return forms;
}

// One file may be compiled for several devices; cpu rungs of the same name have their own.
std::vector<Section> rung_sections(const std::vector<const Rung*>& forms) {
    std::vector<Section> sections;
    for (const Rung* rung : forms) {
        if (!sections.empty() && sections.back().facts.front().value == rung->file) {
            sections.back().facts[1].value += fmt::format(", {}", name_of(rung->device));
            continue;
        }
        Section section{fmt::format("{}/{}", rung->operation, rung->name), {}, {}};
        section.facts = {{"file", std::string(rung->file)},
                         {"runs on", std::string(name_of(rung->device))},
                         {"lesson", std::string(rung->lesson)},
                         {"climbs from", rung->library               ? "a library: the peer to beat"
                                         : rung->climbs_from.empty() ? "the foot of the ladder"
                                                                     : std::string(rung->climbs_from)},
                         {"types", types_of(*rung)}};
        sections.push_back(std::move(section));
    }
    return sections;
}

int run_info(const InfoOptions& options, const Context& context) {
    SelectionOptions selection = options.selection;
    selection.words = {options.word};
    auto devices = selection.chosen_devices();
    const bool own = names_own_ladder(options.word);
    const auto slash = options.word.find('/');
    std::vector<DeviceKind> kinds;
    for (const ChosenDevice& device : devices)
        if (device.device) kinds.push_back(device.kind);
    const LoadedLadder named = own ? load_own_ladder(options.word, own_ladder_build(), {}, kinds)
                                   : LoadedLadder{&find_operation(options.word.substr(0, slash)),
                                                  slash == options.word.npos ? "" : options.word.substr(slash + 1)};
    const Operation& operation = *named.operation;
    std::vector<Section> sections;
    if (!named.rung.empty()) {
        const std::string& name = named.rung;
        const auto forms = forms_of(operation, name);
        if (forms.empty()) {
            SelectionOptions unknown;
            unknown.words = {options.word};
            choose_ladders(unknown, devices);  // throws with the nearest name
        }
        if (options.code.any()) return show_kernel_code(*forms.front(), options.code, options.exports, context);
        sections = rung_sections(forms);
    }
    options.code.check_rung_is_given(operation.name);
    sections.push_back(operation_section(operation, problem_of(operation, options.selection, devices.front().kind)));
    sections.push_back(work_section(operation, options.selection, devices));
    if (Section choice = choice_section(operation, options, devices); !choice.facts.empty())
        sections.push_back(std::move(choice));
    if (options.exports.show_table()) context.print(draw(sections, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return sections_to_json("info", sections); }, .csv = {}, .markdown = {}});
    return exit_status::good;
}

}  // namespace

void add_info(CLI::App& app, Context& context) {
    auto options = std::make_shared<InfoOptions>();
    Command command(app, context, "info", "Describe an operation or a rung: lesson, problems, tolerance, work, limit");
    command.positional("OP[/RUNG]", options->word, "What to describe");
    options->selection.add_device(command);
    options->selection.add_shape(command);
    options->code.add(command);
    command.flag("--why", options->why, "Of each rung, why it is not the one that computes the problem");
    options->exports.add_json(command);
    command.examples(
        "  lanework info transpose                   the operation\n"
        "  lanework info transpose/padded_tile       and one of its rungs\n"
        "  lanework info matmul --size 512x512x512   the work of a problem, and the least time for it\n"
        "  lanework info resize --size 1080x1920x540x960 --why   which rung computes it, and why not the others\n"
        "  lanework info gelu/vectorized --sass      the machine code of its kernels");
    command.run([options, &context] { return run_info(*options, context); });
}

}  // namespace lanework
