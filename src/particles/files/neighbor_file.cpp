// Lays lists out as text and as arrays.
#include "src/particles/files/neighbor_file.hpp"

#include <fmt/format.h>

#include <charconv>
#include <lanework/particle_file.hpp>

#include "src/io/file.hpp"

namespace lanework {
namespace {

void append_number(std::string& text, std::int64_t value) {
    char digits[20];
    const auto [end, error] = std::to_chars(digits, digits + sizeof digits, value);
    text.append(digits, end);
}

template <class Range>
std::span<const std::uint8_t> bytes_of(const Range& values) {
    return {reinterpret_cast<const std::uint8_t*>(values.data()), values.size() * sizeof(values.data()[0])};
}

}  // namespace

template <class T>
std::string neighbor_text(const NeighborList<T>& list) {
    std::string text;
    constexpr std::size_t per_pair = 6, per_atom = 4;
    text.reserve(per_pair * static_cast<std::size_t>(list.pairs()) + per_atom * static_cast<std::size_t>(list.atoms()));
    for (std::int64_t i = 0; i < list.atoms(); ++i) {
        append_number(text, list.count(i));
        for (const std::int32_t j : list.of(i)) {
            text += ' ';
            append_number(text, j);
        }
        text += '\n';
    }
    return text;
}

template <class T>
Npz neighbor_npz(const NeighborList<T>& list, const PeriodicBox& box, const NeighborOptions& wanted) {
    constexpr std::string_view real = sizeof(T) == 4 ? "<f4" : "<f8";
    const std::int64_t pairs = list.pairs();
    Npz npz;
    npz.add("offsets", "<i8", {list.atoms() + 1}, bytes_of(list.offsets));
    npz.add("indices", "<i4", {pairs}, bytes_of(list.indices));
    if (wanted.shifts) npz.add("S", "<i4", {pairs, 3}, bytes_of(list.shifts));
    if (wanted.vectors) npz.add("D", real, {pairs, 3}, bytes_of(list.vectors));
    if (wanted.distances) npz.add("d", real, {pairs}, bytes_of(list.distances));
    npz.add("cell", "<f8", {3, 3}, bytes_of(box.vectors));
    npz.add("pbc", "|b1", {3}, bytes_of(box.periodic));
    return npz;
}

namespace {
/// Where no name says another form: on the standard output, in devices and pipes.
bool is_text(const std::filesystem::path& path) {
    const std::string extension = path.extension().string();
    return extension == ".txt" || (extension.empty() && (path == "-" || is_stream(path)));
}
}  // namespace

void check_neighbor_form(const std::filesystem::path& path, const NeighborOptions& wanted) {
    const std::string extension = path.extension().string();
    if (extension == ".npz") return;
    if (!is_text(path) && extension != ".xyz" && extension != ".extxyz")
        throw UsageError(fmt::format("{}: a list's name must end in .txt, .npz, .xyz or .extxyz", path.string()));
    if (wanted.shifts || wanted.vectors || wanted.distances)
        throw UsageError(fmt::format("{} holds no shifts, vectors or distances; write a .npz", path.string()));
}

template <class T>
NeighborFile::NeighborFile(const std::filesystem::path& path, const NeighborList<T>& list, const ParticleSystem& system,
                           const NeighborOptions& wanted, const std::vector<std::int64_t>& coordination) {
    check_neighbor_form(path, wanted);
    if (path.extension() == ".npz") {
        form_ = "arrays";
        arrays_ = neighbor_npz(list, system.box, wanted);
        pieces_ = arrays_.pieces();
        return;
    }
    const bool lines = is_text(path);
    form_ = lines ? "text" : "coordination of atoms";
    const std::vector<ParticleColumn> columns = {{"coordination", coordination}};
    text_ = lines ? neighbor_text(list) : format_particles(system, "extxyz", columns);
    pieces_ = {bytes_of(text_)};
}

#define LANEWORK_INSTANTIATE(T)                                                                                      \
    template std::string neighbor_text(const NeighborList<T>&);                                                      \
    template NeighborFile::NeighborFile(const std::filesystem::path&, const NeighborList<T>&, const ParticleSystem&, \
                                        const NeighborOptions&, const std::vector<std::int64_t>&);                   \
    template Npz neighbor_npz(const NeighborList<T>&, const PeriodicBox&, const NeighborOptions&);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework
