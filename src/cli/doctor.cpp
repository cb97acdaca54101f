// lanework doctor: what works on this machine, and what to install for the rest.
#include <fmt/format.h>

#include <lanework/error.hpp>

#include "src/cli/command.hpp"
#include "src/cli/exports.hpp"
#include "src/cli/machine_facts.hpp"
#include "src/cli/progress.hpp"
#include "src/cli/selection.hpp"
#include "src/core/host.hpp"
#include "src/machine/cuda_toolkit.hpp"
#include "src/machine/driver_support.hpp"
#include "src/measure/survey.hpp"
#include "src/profile/compiled_code.hpp"
#include "src/program/toolchain.hpp"
#include "src/report/results/facts.hpp"

namespace lanework {
namespace {

struct DoctorOptions {
    Exports exports;
};

Section build_section() {
    Section section{"build", environment(), {}};
    std::erase_if(section.facts, [](const Fact& fact) { return fact.name == "date"; });
    section.facts.push_back(
        {"CUDA toolkit", describe_toolkit(toolkit_of_build(), code_of_build(), find_toolkit_program("nvcc"))});
    const std::string vectors = widest_vectors();
    section.facts.push_back({"SIMD", vectors == "SSE2" ? vectors + ": rungs that use SIMD are slow here" : vectors});
    return section;
}

/// What `run`, `check` and `explain` of a program need.
Section programs_section() {
    Section section{"your programs", {}, {}};
    try {
        const Toolchain toolchain = find_toolchain();
        section.facts.push_back({"compiler", toolchain.compiler.string()});
        section.facts.push_back({"Thrust, CUB, libcu++", describe_cccl(toolchain.cccl)});
    } catch (const UnavailableError& error) {
        section.facts.push_back({"compiler", std::string("not here: ") + error.what()});
    }
    const CodeTools tools = find_code_tools();
    const std::string missing = missing_for_machine_code(tools);
    section.facts.push_back({"machine code", missing.empty()
                                                 ? fmt::format("{}, {}", tools.nvcc.string(), tools.nvdisasm.string())
                                                 : "not here: " + missing});
    return section;
}

std::string remedy(DeviceKind kind) {
    if (kind == DeviceKind::cuda) return "; the simt device runs the same kernels";
    if (kind == DeviceKind::simt) return "; build with -DLANEWORK_SIMT=ON";
    return "";
}

std::string state_of(DeviceKind kind) {
    const Availability here = availability(kind);
    if (here.count == 0) return "not here: " + here.reason + remedy(kind);
    return kind == DeviceKind::cuda ? fmt::format("{} GPU{}", here.count, here.count == 1 ? "" : "s") : "works";
}

Section devices_section() {
    Section section{"devices", {}, {}};
    for (const DeviceKind kind : kDeviceKinds) section.facts.push_back({std::string(name_of(kind)), state_of(kind)});
    return section;
}

std::string measured(const DeviceInfo& device) {
    const auto ceilings = cached_ceilings(device);
    const auto survey = cached_survey(device);
    const std::string limits = ceilings ? "ceilings measured at " + ceilings->measured_at
                                        : "ceilings not yet: the first climb measures them, in seconds";
    return limits +
           (survey ? ", all of it at " + survey->measured_at : "; the rest not yet: `lanework devices --measure` does");
}

Section measured_section(const std::vector<ChosenDevice>& devices) {
    Section section{"measured ceilings", {}, {}};
    for (const ChosenDevice& chosen : devices)
        if (chosen.device) section.facts.push_back({chosen.id, measured(chosen.device->info())});
    return section;
}

// Library rungs of one operation on one device: present, and whether they would compute its default problem.
std::string peers_of(const Operation& operation, const ChosenDevice& device) {
    std::string text;
    for (const Rung* rung : ladder(operation, device.kind)) {
        if (!rung->library) continue;
        const Problem problem{operation.timed.on(device.kind).front(), operation.default_dtype(), 0};
        std::string reason = device.device ? std::string() : device.reason;
        for (const auto& typed : rung->types)
            if (reason.empty() && rung->typed(typed.dtype)) reason = refusal(*rung, {problem.extent, typed.dtype, 0});
        text += fmt::format("{}{}{}", text.empty() ? "" : ", ", rung->name, reason.empty() ? "" : " (" + reason + ")");
    }
    return text;
}

Section peers_section(const std::vector<ChosenDevice>& devices) {
    Section section{"libraries to beat", {}, {}};
    for (const Operation* operation : operations())
        for (const ChosenDevice& device : devices)
            if (std::string peers = peers_of(*operation, device); !peers.empty())
                section.facts.push_back({fmt::format("{} on {}", operation->name, device.id), std::move(peers)});
    if (section.facts.empty())
        section.facts.push_back(
            {"none", "install libopenblas0 or libdnnl2 (CPU) or a CUDA toolkit (cuBLAS, CUB) to compare"});
    return section;
}

int run_doctor(const DoctorOptions& options, const Context& context) {
    std::vector<Section> sections;
    bool any = false;
    {
        constexpr std::size_t kSteps = 4;
        Progress progress(context, kSteps);
        progress.show("opening the devices");
        const auto devices = choose_devices("all");
        for (const ChosenDevice& chosen : devices) any = any || chosen.device;
        progress.step();
        progress.show("asking the driver");
        const DriverState driver = read_driver();
        sections = {build_section(), devices_section(), programs_section(),
                    driver_section(driver, availability(DeviceKind::cuda).count)};
        for (Section& section : gpu_sections(driver)) sections.push_back(std::move(section));
        progress.step();
        progress.show("trying the libraries to beat");
        sections.push_back(measured_section(devices));
        sections.push_back(peers_section(devices));
        progress.step();
        progress.show("looking for NVIDIA's tools");
        sections.push_back(tools_section());
    }
    if (options.exports.show_table()) context.print(draw(sections, context.out.style));
    write_exports(options.exports, context,
                  {.json = [&] { return sections_to_json("doctor", sections); }, .csv = {}, .markdown = {}});
    if (any)
        context.hint("\nready: `lanework check YOUR.cu`, `lanework explain YOUR.cu`, or `lanework climb transpose`");
    return any ? exit_status::good : exit_status::unavailable;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
    auto options = std::make_shared<DoctorOptions>();
    Command command(app, context, "doctor", "Say what works on this machine, and what to install for the rest");
    options->exports.add_json(command);
    command.examples("  lanework doctor");
    command.run([options, &context] { return run_doctor(*options, context); });
}

}  // namespace lanework
