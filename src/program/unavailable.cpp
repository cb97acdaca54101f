// The names, by how they begin.
#include "src/program/unavailable.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string>
#include <vector>

#include "src/program/compiler_messages.hpp"

namespace lanework {
namespace {

struct Missing {
    std::string_view prefix, what;
};
// The first that fits counts.
constexpr Missing kMissing[] = {
    {"cudaIpc", "memory that processes share"},
    {"cudaImportExternal", "memory of graphics libraries"},
    {"cudaExternal", "memory of graphics libraries"},
    {"cudaGraphics", "memory of graphics libraries"},
    {"cudaMipmap", "mipmaps"},
    {"cudaMallocMipmapped", "mipmaps"},
    {"cudaFreeMipmapped", "mipmaps"},
    {"cudaGetMipmapped", "mipmaps"},
    {"cudaBindTexture", "texture references, which CUDA 12 removed"},
    {"cudaUnbindTexture", "texture references, which CUDA 12 removed"},
    {"curandGetScrambleConstants", "tables for scrambled Sobol sequences, which are NVIDIA's"},
    {"curandStateMtgp32", "Mersenne Twister"},
    {"curandMakeMTGP32", "Mersenne Twister"},
    {"nvrtc", "compilation at run time"},
    {"cublasLt", "products of cuBLASLt"},
    {"CUBLASLT_", "products of cuBLASLt"},
    {"cudaOccupancyMaxActiveClusters", "clusters of blocks"},
    {"cudaOccupancyMaxPotentialClusterSize", "clusters of blocks"},
    {"cudaLaunchAttributeCluster", "clusters of blocks"},
    {"cudaStreamFireAndForget", "launches from kernels"},
    {"cudaStreamTailLaunch", "launches from kernels"},
    {"cudaStreamGraphFireAndForget", "launches from kernels"},
    {"cudaStreamGraphTailLaunch", "launches from kernels"},
    {"cudaGetParameterBuffer", "launches from kernels"},
};

constexpr std::string_view kMaskless =
    "shuffles and votes without a mask, which CUDA removed: those with _sync take one";
/// Whole names.
constexpr Missing kMissingNames[] = {
    {"__shfl", kMaskless}, {"__shfl_up", kMaskless}, {"__shfl_down", kMaskless}, {"__shfl_xor", kMaskless},
    {"__any", kMaskless},  {"__all", kMaskless},     {"__ballot", kMaskless},
};

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

/// The part of CUDA that the name belongs to, which is missing; empty for others.
std::string_view missing_part(std::string_view name) {
    if (const auto whole = std::ranges::find(kMissingNames, name, &Missing::prefix); whole != std::end(kMissingNames))
        return whole->what;
    const auto found =
        std::ranges::find_if(kMissing, [&](const Missing& each) { return name.starts_with(each.prefix); });
    if (found != std::end(kMissing)) return found->what;
    if (name.starts_with("__nv_") && name.find("e8m0") != name.npos)
        return "powers of two in 8 bits, which CUDA 13 has";
    const bool driver =
        (name.starts_with("cu") && name.size() > 3 && std::isupper(static_cast<unsigned char>(name[2])) &&
         std::islower(static_cast<unsigned char>(name[3]))) ||
        name.starts_with("CUDA_ERROR_") || name.starts_with("CU_") || name.starts_with("PFN_cu");
    return driver ? "driver API" : "";
}

/// Whether a line says that a name is unknown.
bool is_complaint(std::string_view line) {
    constexpr std::array<std::string_view, 4> kUnknown = {"declared", "does not name a type", "unknown type name",
                                                          "has no member"};
    return line.find("error") != line.npos &&
           std::ranges::any_of(kUnknown, [&](std::string_view words) { return line.find(words) != line.npos; });
}

/// The words of a line.
template <class Body>
void for_each_word(std::string_view line, Body body) {
    for (std::size_t at = 0; at < line.size();) {
        if (is_word(line[at])) {
            std::size_t end = at;
            while (end < line.size() && is_word(line[end])) ++end;
            body(line.substr(at, end - at));
            at = end;
        } else {
            ++at;
        }
    }
}

}  // namespace

std::string unavailable_in(std::string_view painted) {
    const std::string plain = without_colours(painted);
    std::string_view messages = plain;
    std::vector<std::pair<std::string_view, std::vector<std::string_view>>> parts;
    while (!messages.empty()) {
        const std::string_view line = messages.substr(0, messages.find('\n'));
        messages.remove_prefix(std::min(messages.size(), line.size() + 1));
        if (!is_complaint(line)) continue;
        // Behind it a compiler proposes others.
        for_each_word(line.substr(0, line.find("did you mean")), [&](std::string_view name) {
            const std::string_view what = missing_part(name);
            if (what.empty()) return;
            auto part = std::ranges::find(parts, what, [](const auto& each) { return each.first; });
            if (part == parts.end()) part = parts.insert(part, {what, {}});
            if (std::ranges::find(part->second, name) == part->second.end()) part->second.push_back(name);
        });
    }
    std::string text;
    for (const auto& [what, names] : parts)
        text += fmt::format("; the simt device has no {} ({})", what, fmt::join(names, ", "));
    return text;
}

}  // namespace lanework
