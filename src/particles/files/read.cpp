// Which reader a file gets: by its name, else by its content; and what the readers share.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iostream>
#include <iterator>

#include "src/io/file.hpp"
#include "src/particles/files/readers.hpp"

namespace lanework {
namespace particle_text {

void SpeciesOf::add(std::string_view name) {
    if (!system_.species.empty()) {
        const std::int32_t last = system_.species.back();
        if (system_.species_names[static_cast<std::size_t>(last)] == name) return system_.species.push_back(last);
    }
    auto at = known_.find(name);
    if (at == known_.end()) {
        at = known_.emplace(name, static_cast<std::int32_t>(known_.size())).first;
        system_.species_names.emplace_back(name);
    }
    system_.species.push_back(at->second);
}

std::size_t possible_atoms(std::int64_t announced, std::size_t bytes_left) {
    constexpr std::size_t shortest_line = 6;
    return std::min(static_cast<std::size_t>(announced), bytes_left / shortest_line);
}

void reserve_atoms(ParticleSystem& system, std::int64_t announced, std::size_t bytes_left) {
    const std::size_t atoms = possible_atoms(announced, bytes_left);
    system.positions.reserve(3 * atoms);
    system.species.reserve(atoms);
}

void require_first_frame(const Lines& lines, int frame, std::string_view format) {
    if (frame > 1) lines.fail(fmt::format("frame {}", frame), fmt::format("{}, which have one frame", format));
}

}  // namespace particle_text

namespace {

namespace fs = std::filesystem;
namespace text = particle_text;

// What some editors of Windows put in front of text in UTF-8.
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kNameOfInput = "the standard input";

const text::Format& choose_format(const ParticleReading& reading, std::string_view extension,
                                  std::string_view content) {
    for (const text::Format* format : text::kNamed)
        if (format->name == reading.format) return *format;
    if (!reading.format.empty())
        throw UsageError(
            fmt::format("there is no format `{}`; there are: {}", reading.format, fmt::join(particle_formats(), ", ")));
    const std::string between = fmt::format(" {} ", extension);
    for (const text::Format* format : text::kRecognised)
        if (!extension.empty() && format->extensions.find(between) != std::string_view::npos) return *format;
    for (const text::Format* format : text::kRecognised)
        if (format->looks_like && format->looks_like(content)) return *format;
    return text::kColumns;
}

ParticleFile parse(std::string_view content, const std::string& name, const ParticleReading& reading,
                   std::string_view extension) {
    if (reading.frame < 1) throw UsageError(fmt::format("frame {}: frames count from 1", reading.frame));
    if (content.starts_with(kByteOrderMark)) content.remove_prefix(kByteOrderMark.size());
    const text::Format& format = choose_format(reading, extension, content);
    if (content.empty()) throw FileError(fmt::format("{}: the file is empty", name));
    ParticleFile file;
    file.name = name;
    file.format = format.name;
    text::Lines lines(name, content);
    format.read(lines, reading.frame, file);
    return file;
}

}  // namespace

std::vector<std::string> particle_formats() {
    std::vector<std::string> names;
    for (const text::Format* format : text::kNamed) names.emplace_back(format->name);
    return names;
}

void check_box_of(const ParticleFile& file, const std::array<bool, 3>& periodic) {
    if (file.box_line == 0) return;
    const BoxVectors& v = file.system.box.vectors;
    try {
        check_box({v, periodic});
    } catch (const UsageError&) {
        std::string found;
        for (std::size_t k = 0; k < 3; ++k)
            if (periodic[k]) found += fmt::format("{}({})", found.empty() ? "" : ", ", fmt::join(v[k], ", "));
        throw FileError(fmt::format("{}:{}: expected periodic box vectors that are linearly independent, found {}",
                                    file.name, file.box_line, found));
    }
}

ParticleFile parse_particles(std::string_view content, const std::string& name, const ParticleReading& reading) {
    return parse(content, name, reading, text::lower(fs::path(name).extension().string()));
}

ParticleFile read_particles(const fs::path& path, const ParticleReading& reading) {
    if (path == "-") {
        const std::string content{std::istreambuf_iterator<char>(std::cin), {}};
        return parse(content, std::string(kNameOfInput), reading, "");
    }
    const std::vector<std::uint8_t> bytes = read_file(path);
    return parse_particles({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, path.string(), reading);
}

}  // namespace lanework
