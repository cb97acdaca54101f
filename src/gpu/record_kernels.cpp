// lanework-kernel-table FILE objects…: writes the table of kernels from the reports that cmake/compile-and-record left
// beside the objects. An object is …/<operation>/…/<rung>.cu.o below its target's folder, or is written
// <operation>/<rung>=OBJECT. A kernel in a namespace united_<letters of the operation>_<operation>_<rung> is that
// rung's (cmake/LaneworkUnite.cmake), whatever the object's name.
#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <optional>
#include <regex>
#include <string>

#include "src/gpu/ptxas_report.hpp"

namespace {

std::string contents(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

struct Owner {
    std::string operation, rung;
};

// In a mangled name, a namespace stands behind its length: "…30united_9_transpose_padded_tile…".
std::optional<Owner> united_rung(const std::string& symbol) {
    static const std::regex namespace_name("([0-9]+)united_([0-9]+)_");
    std::smatch found;
    if (!std::regex_search(symbol, found, namespace_name)) return {};
    const auto length = std::stoul(found[1]), letters = std::stoul(found[2]);
    const std::string name = symbol.substr(static_cast<std::size_t>(found.position(0) + found.length(1)), length);
    const std::string both = name.substr(static_cast<std::size_t>(found.length(0) - found.length(1)));
    if (both.size() < letters + 2) return {};
    return Owner{both.substr(0, letters), both.substr(letters + 1)};
}

std::string entries(const std::string& word) {
    const auto given = word.find('=');
    const std::filesystem::path object = given == word.npos ? word : word.substr(given + 1);
    std::string path =
        given == word.npos ? object.lexically_normal().generic_string() : word.substr(0, given) + ".cu.o";
    if (const auto folder = path.find(".dir/"); folder != path.npos) path.erase(0, path.find('/', folder) + 1);
    const Owner named{path.substr(0, path.find('/')), std::filesystem::path(path).stem().stem().string()};
    std::string text;
    for (const auto& kernel : lanework::parse_ptxas_report(contents(object.string() + ".ptxas"))) {
        const Owner owner = united_rung(kernel.symbol).value_or(named);
        text += fmt::format("\n    {{\"{}\", \"{}\", {}, \"{}\", {}, {}, {}, {}, {}, {}, {}}},", owner.operation,
                            owner.rung, kernel.capability, kernel.symbol, kernel.registers, kernel.stack_bytes,
                            kernel.spill_store_bytes, kernel.spill_load_bytes, kernel.static_shared_bytes,
                            kernel.constant_bytes, kernel.barriers);
    }
    return text;
}

std::string table(const std::string& all) {
    constexpr std::string_view kHead =
        "// Generated: what ptxas said of the kernels of this build.\n"
        "#include \"src/gpu/kernel_table.hpp\"\n\n"
        "namespace lanework::generated {\n";
    if (all.empty()) return fmt::format("{}constinit const std::span<const CompiledKernel> kernels{{}};\n}}\n", kHead);
    return fmt::format(
        "{}namespace {{\nconstexpr CompiledKernel kKernels[] = {{{}\n}};\n}}\n"
        "constinit const std::span<const CompiledKernel> kernels = kKernels;\n}}\n",
        kHead, all);
}

}  // namespace

int main(int count, char** words) {
    if (count < 2) {
        std::cerr << "usage: lanework-kernel-table FILE objects…\n";
        return 2;
    }
    std::string all;
    for (int i = 2; i < count; ++i) all += entries(words[i]);
    const std::string text = table(all);
    if (contents(words[1]) == text) return 0;  // nothing that includes it has to be built again
    std::ofstream file(words[1], std::ios::binary);
    file << text;
    if (file.flush()) return 0;
    std::cerr << "lanework-kernel-table: " << words[1] << " cannot be written\n";
    return 1;
}
