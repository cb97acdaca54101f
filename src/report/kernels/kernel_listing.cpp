// Draws what was recorded and read; runs nothing.
#include "src/report/kernels/kernel_listing.hpp"

#include <fmt/format.h>

#include "src/gpu/occupancy.hpp"
#include "src/report/kernels/code_tally.hpp"

namespace lanework {
namespace {

std::string target_of(const KernelRecord& record) { return fmt::format("sm_{}", record.capability); }

struct ResourceColumn {
    const char* title;
    const char* figure;
    int (*value)(const KernelRecord&);
};

constexpr ResourceColumn kColumns[] = {
    {"registers", "registers_per_thread", [](const KernelRecord& r) { return r.registers_per_thread; }},
    {"shared B", "static_shared_bytes", [](const KernelRecord& r) { return r.static_shared_bytes; }},
    {"stack B", "stack_bytes", [](const KernelRecord& r) { return r.stack_bytes; }},
    {"spill stores B", "spill_store_bytes", [](const KernelRecord& r) { return r.spill_store_bytes; }},
    {"spill loads B", "spill_load_bytes", [](const KernelRecord& r) { return r.spill_load_bytes; }},
    {"constant B", "constant_bytes", [](const KernelRecord& r) { return r.constant_bytes; }},
    {"barriers", "barriers", [](const KernelRecord& r) { return r.barriers; }},
    {"largest block", "largest_block", largest_block},
};

std::string_view name_of(CodeForm form) { return form == CodeForm::ptx ? "PTX" : "SASS"; }

}  // namespace

int largest_block(const KernelRecord& record) {
    const Capability* const capability = find_capability(record.capability);
    if (!capability) return 0;
    KernelResources resources{.registers_per_thread = record.registers_per_thread,
                              .static_shared = record.static_shared_bytes,
                              .barriers = record.barriers};
    int threads = capability->threads_per_block;
    while (threads > 0) {
        resources.threads_per_block = threads;
        if (occupancy(*capability, resources).impossible == Impossible::no) break;
        threads -= capability->warp_size;
    }
    return threads;
}

Table registers_table(std::span<const KernelRecord> records) {
    Table table{{{"kernel"}, {"for"}}, {}};
    for (const ResourceColumn& column : kColumns) table.columns.push_back({column.title, Align::right});
    for (const KernelRecord& record : records) {
        std::vector<std::string> row{record.name, target_of(record)};
        for (const ResourceColumn& column : kColumns) {
            const int value = column.value(record);
            row.push_back(value < 0 ? "–" : std::to_string(value));
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

std::vector<Section> registers_sections(std::span<const KernelRecord> records) {
    std::vector<Section> sections;
    for (const KernelRecord& record : records) {
        Section section{record.name + " " + target_of(record),
                        {{"kernel", record.name}, {"target", target_of(record)}, {"form", "registers"}}};
        for (const ResourceColumn& column : kColumns)
            if (const int value = column.value(record); value >= 0)
                section.figures.push_back({column.figure, static_cast<double>(value)});
        sections.push_back(std::move(section));
    }
    return sections;
}

std::string draw_code(std::span<const KernelCode> kernels, CodeForm form, const Style& style) {
    std::string text;
    for (const KernelCode& kernel : kernels) {
        if (!text.empty()) text += "\n";
        text +=
            paint(style, Ink::bold, fmt::format("{}, {} {}", kernel_name(kernel.symbol), kernel.target, name_of(form)));
        text += "\n" + paint(style, Ink::dim, summary(tally(kernel, form))) + "\n";
        for (const std::string& line : kernel.lines) text += "  " + line + "\n";
    }
    return text;
}

std::vector<Section> code_sections(std::span<const KernelCode> kernels, CodeForm form) {
    std::vector<Section> sections;
    for (const KernelCode& kernel : kernels) {
        const std::string name = kernel_name(kernel.symbol);
        std::string code;
        for (const std::string& line : kernel.lines) code += line + "\n";
        sections.push_back({fmt::format("{} {} {}", name, kernel.target, name_of(form)),
                            {{"kernel", name},
                             {"target", kernel.target},
                             {"form", std::string(name_of(form))},
                             {"summary", summary(tally(kernel, form))},
                             {"code", code}}});
    }
    return sections;
}

}  // namespace lanework
