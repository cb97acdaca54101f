// Chooses the kernels that are meant, and hands them to the reports.
#include "src/cli/kernel_code.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>
#include <lanework/error.hpp>

#include "src/gpu/capabilities.hpp"
#include "src/profile/disassembly.hpp"
#include "src/report/kernels/kernel_listing.hpp"

namespace lanework {
namespace {

std::optional<int> architecture_of(const KernelCodeOptions& options) {
    if (options.architecture.empty()) return std::nullopt;
    return parse_capability(options.architecture).number;
}

// Everything that ptxas reported about the rung's kernels, by architecture.
std::vector<KernelRecord> records_of(const Rung& rung) {
    std::vector<KernelRecord> records;
    for (const int capability : recorded_capabilities())
        std::ranges::copy(kernel_records(rung.operation, rung.name, capability), std::back_inserter(records));
    return records;
}

// Those of the name that was given. None may have been recorded; but of those that were, one must be meant.
std::vector<KernelRecord> named(std::vector<KernelRecord> records, const std::string& wanted) {
    if (records.empty() || wanted.empty()) return records;
    std::vector<std::string> names;
    for (const KernelRecord& record : records)
        if (std::ranges::find(names, record.name) == names.end()) names.push_back(record.name);
    std::erase_if(records, [&](const KernelRecord& record) { return !is_kernel(record.name, wanted); });
    if (records.empty())
        throw UsageError(fmt::format("there is no kernel {} here, but {}", wanted, fmt::join(names, "; ")));
    return records;
}

std::vector<KernelRecord> registers_of(std::vector<KernelRecord> records, std::optional<int> architecture) {
    if (records.empty())
        throw UnavailableError(
            "nothing was recorded of this rung: this program was built without a CUDA toolkit, or "
            "the rung has no kernel of its own");
    if (architecture) std::erase_if(records, [&](const KernelRecord& r) { return r.capability != *architecture; });
    if (records.empty())
        throw UnavailableError(
            fmt::format("nothing was recorded for architecture {}, but for {}: build with "
                        "-DCMAKE_CUDA_ARCHITECTURES={} to record it",
                        *architecture, fmt::join(recorded_capabilities(), ", "), *architecture));
    return records;
}

std::vector<std::string> symbols_of(std::span<const KernelRecord> records) {
    std::vector<std::string> symbols;
    for (const KernelRecord& record : records)
        if (std::ranges::find(symbols, record.symbol) == symbols.end()) symbols.emplace_back(record.symbol);
    return symbols;
}

}  // namespace

void KernelCodeOptions::add(Command& command) {
    command.flag("--registers", registers, "Show what the compiler gave each kernel: registers, spills, memory");
    command.flag("--ptx", ptx, "Show the PTX of each kernel");
    command.flag("--sass", sass, "Show the machine code of each kernel");
    command.option("--arch", architecture, "CC", "For this compute capability: 90, 9.0 or sm_90");
    command.option("--kernel", kernel, "NAME", "Only the kernels of this name");
}

void KernelCodeOptions::check_rung_is_given(std::string_view operation) const {
    if (any())
        throw UsageError(
            fmt::format("--registers, --ptx and --sass are of one rung: name it, as in {}/RUNG (`lanework "
                        "list {}` shows them)",
                        operation, operation));
    if (!architecture.empty() || !kernel.empty())
        throw UsageError("--arch and --kernel say what --registers, --ptx or --sass show: give one of these, too");
}

int show_kernel_code(const Rung& rung, const KernelCodeOptions& options, const Exports& exports,
                     const Context& context) {
    if (!rung.file.ends_with(".cu"))
        throw UsageError(fmt::format("{}/{} has no CUDA kernels: {} is compiled for the processor", rung.operation,
                                     rung.name, rung.file));
    const auto architecture = architecture_of(options);
    const auto records = named(records_of(rung), options.kernel);
    std::vector<Section> sections;
    const auto keep = [&sections](std::vector<Section> more) { std::ranges::move(more, std::back_inserter(sections)); };
    if (options.registers) {
        const auto chosen = registers_of(records, architecture);
        if (exports.show_table()) context.print(draw(registers_table(chosen), context.out.style));
        keep(registers_sections(chosen));
    }
    for (const CodeForm form : {CodeForm::ptx, CodeForm::sass}) {
        if (!(form == CodeForm::ptx ? options.ptx : options.sass)) continue;
        const Disassembly code = disassemble(
            {form, symbols_of(records), std::string(rung.file), architecture, options.kernel}, find_code_tools());
        context.hint(code.origin);
        if (exports.show_table())
            context.print((sections.empty() ? "" : "\n") + draw_code(code.kernels, form, context.out.style));
        keep(code_sections(code.kernels, form));
    }
    write_exports(exports, context,
                  {.json = [&] { return sections_to_json("info", sections); }, .csv = {}, .markdown = {}});
    return exit_status::good;
}

}  // namespace lanework
