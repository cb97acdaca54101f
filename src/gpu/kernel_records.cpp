// Demangles what the build recorded, and finds in it.
#include "src/gpu/kernel_records.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <tuple>
#include <vector>

#include "src/gpu/kernel_table.hpp"

namespace lanework {
namespace {

constexpr std::string_view kAnonymous = "(anonymous namespace)::";

// Where the bracket that ends the text was opened; npos when it is not closed by `close`.
std::size_t opening(std::string_view text, char open, char close) {
    int depth = 0;
    for (std::size_t at = text.size(); at-- > 0;) {
        depth += text[at] == close ? 1 : text[at] == open ? -1 : 0;
        if (depth == 0) return text[at] == open ? at : text.npos;
    }
    return text.npos;
}

// "void (anonymous namespace)::sum<int>(int const*, int)" → "sum<int>". Every kernel returns void.
std::string without_signature(std::string text) {
    if (const auto at = opening(text, '(', ')'); at != text.npos) text.erase(at);
    if (text.starts_with("void ")) text.erase(0, std::string_view("void ").size());
    for (auto at = text.find(kAnonymous); at != text.npos; at = text.find(kAnonymous))
        text.erase(at, kAnonymous.size());
    return text;
}

struct Name {
    std::string_view function, arguments;
};

// "detail::sum<int, 4>" → "sum", "int, 4".
Name split(std::string_view text) {
    Name name{text, {}};
    if (const auto at = opening(text, '<', '>'); at != text.npos) {
        name.arguments = text.substr(at + 1, text.size() - at - 2);
        name.function = text.substr(0, at);
    }
    if (const auto scope = name.function.rfind("::"); scope != name.function.npos)
        name.function.remove_prefix(scope + 2);
    while (name.function.ends_with(' ')) name.function.remove_suffix(1);
    return name;
}

// "sum<int, 4>": without the namespaces around it.
std::string short_name(const Name& name) {
    if (name.arguments.empty()) return std::string(name.function);
    return std::string(name.function) + "<" + std::string(name.arguments) + ">";
}

KernelRecord record_of(const generated::CompiledKernel& compiled) {
    KernelRecord record{.operation = compiled.operation,
                        .rung = compiled.rung,
                        .capability = compiled.capability,
                        .symbol = compiled.symbol,
                        .name = {},
                        .function = {},
                        .arguments = {},
                        .registers_per_thread = compiled.registers_per_thread,
                        .stack_bytes = compiled.stack_bytes,
                        .spill_store_bytes = compiled.spill_store_bytes,
                        .spill_load_bytes = compiled.spill_load_bytes,
                        .static_shared_bytes = compiled.static_shared_bytes,
                        .constant_bytes = compiled.constant_bytes,
                        .barriers = compiled.barriers};
    const std::string whole = without_signature(demangled(compiled.symbol));
    const Name name = split(whole);
    record.function = name.function;
    record.arguments = name.arguments;
    record.name = short_name(name);
    return record;
}

auto key(const KernelRecord& record) { return std::tuple(record.operation, record.rung, record.capability); }

// Sorted by key; built once, when somebody asks.
const std::vector<KernelRecord>& all_records() {
    static const std::vector<KernelRecord> records = [] {
        std::vector<KernelRecord> all;
        for (const generated::CompiledKernel& compiled : generated::kernels) all.push_back(record_of(compiled));
        std::ranges::stable_sort(all, {}, key);
        return all;
    }();
    return records;
}

// The arguments at the outer level, without blanks around them.
std::vector<std::string_view> arguments_of(std::string_view text) {
    std::vector<std::string_view> all;
    int depth = 0;
    std::size_t start = 0;
    for (std::size_t at = 0; at <= text.size() && !text.empty(); ++at) {
        const char c = at < text.size() ? text[at] : ',';
        depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
        if (c != ',' || (depth > 0 && at < text.size())) continue;
        std::string_view argument = text.substr(start, at - start);
        while (argument.starts_with(' ')) argument.remove_prefix(1);
        while (argument.ends_with(' ')) argument.remove_suffix(1);
        all.push_back(argument);
        start = at + 1;
    }
    return all;
}

bool plain_number(std::string_view text) {
    return text == "true" || text == "false" ||
           (!text.empty() && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '9'; }));
}

}  // namespace

std::string demangled(const char* symbol) {
    if (!std::string_view(symbol).starts_with("_Z")) return symbol;  // of a C name "f" would be read as a type
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(symbol, nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 ? text.get() : symbol;
}

std::span<const KernelRecord> kernel_records(std::string_view operation, std::string_view rung, int capability) {
    const auto& all = all_records();
    const std::tuple wanted(operation, rung, capability);
    const auto first = std::ranges::lower_bound(all, wanted, {}, key);
    return {first, std::ranges::upper_bound(first, all.end(), wanted, {}, key)};
}

std::string kernel_name(const std::string& symbol) {
    const std::string whole = without_signature(demangled(symbol.c_str()));
    return short_name(split(whole));
}

bool is_kernel(std::string_view name, std::string_view wanted) {
    if (!name.starts_with(wanted)) return false;
    return name.size() == wanted.size() || name[wanted.size()] == '<';
}

std::span<const int> recorded_capabilities() {
    static const std::vector<int> capabilities = [] {
        std::vector<int> all;
        for (const KernelRecord& record : all_records()) all.push_back(record.capability);
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }();
    return capabilities;
}

bool launches(std::string_view kernel, const KernelRecord& record) {
    const Name written = split(kernel);
    if (written.function != record.function) return false;
    const auto given = arguments_of(written.arguments), compiled = arguments_of(record.arguments);
    for (std::size_t i = 0; i < std::min(given.size(), compiled.size()); ++i)
        if (plain_number(given[i]) && plain_number(compiled[i]) && given[i] != compiled[i]) return false;
    return true;
}

}  // namespace lanework
