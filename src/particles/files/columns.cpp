// Plain columns: x y or x y z on each line, blank lines and comments between them.
#include <fmt/format.h>

#include "src/particles/files/readers.hpp"

namespace lanework::particle_text {
namespace {

constexpr std::string_view kAxes[] = {"x as a finite number", "y as a finite number", "z as a finite number"};

void read_columns(Lines& lines, int frame, ParticleFile& file) {
    require_first_frame(lines, frame, "plain columns");
    std::vector<double>& positions = file.system.positions;
    std::size_t dimensions = 0;
    std::int64_t first_line = 0;
    while (lines.next()) {
        Words words(before(lines.line(), '#'));
        double x[3];
        std::size_t count = 0;
        for (auto word = words.next(); !word.empty(); word = words.next(), ++count) {
            if (count == 3) lines.fail_line("x y or x y z alone");
            x[count] = finite_number(lines, word, kAxes[count]);
        }
        if (count == 0) continue;
        if (dimensions == 0 && count > 1) dimensions = count, first_line = lines.number();
        if (count != dimensions)
            lines.fail(
                dimensions == 0 ? "x y or x y z" : fmt::format("{} numbers as in line {}", dimensions, first_line),
                fmt::format("{}", count));
        positions.insert(positions.end(), x, x + count);
    }
    if (positions.empty()) lines.fail_end("x y or x y z");
    file.system.dimensions = static_cast<int>(dimensions);
}

}  // namespace

const Format kColumns{"columns", read_columns};

}  // namespace lanework::particle_text
