// PDB: atoms in fixed columns, the unit cell in CRYST1, models one after the other.
#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

#include "src/particles/files/readers.hpp"

namespace lanework::particle_text {
namespace {

constexpr std::string_view kRecords[] = {"HEADER", "TITLE ", "COMPND", "CRYST1",
                                         "MODEL ", "ATOM  ", "HETATM", "REMARK"};

/// Columns as the format counts them: from 1, both ends included; what the line lacks is blank.
std::string_view columns(std::string_view line, std::size_t first, std::size_t last) {
    if (line.size() < first) return {};
    return trimmed(line.substr(first - 1, last - first + 1));
}

bool is_letter(char c) { return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

/// "Cl" from "CL".
std::string element_case(std::string_view text) {
    std::string name = lower(text);
    if (!name.empty() && name[0] >= 'a' && name[0] <= 'z') name[0] = static_cast<char>(name[0] - 'a' + 'A');
    return name;
}

/// The element's own columns; else the atom's name, in which an element of one letter stands in the second column and
/// a name of four characters leaves no room for that.
std::string element_of(std::string_view line) {
    if (const auto element = columns(line, 77, 78); !element.empty() && is_letter(element[0]))
        return element_case(element);
    const std::string_view name = line.size() < 16 ? std::string_view() : line.substr(12, 4);
    if (name.empty()) return "X";
    if (is_letter(name[0]) && is_letter(name[1]) && name[3] == ' ') return element_case(name.substr(0, 2));
    for (const char c : name)
        if (is_letter(c)) return element_case({&c, 1});
    return "X";
}

class Reader {
public:
    Reader(Lines& lines, int frame, ParticleFile& file)
        : lines_(lines), frame_(frame), file_(file), species_(file.system) {}

    void read() {
        while (lines_.next()) {
            const std::string_view line = lines_.line();
            if (line.starts_with("CRYST1")) read_cell(line);
            if (line.starts_with("MODEL ")) ++model_;
            if (line.starts_with("ENDMDL") && model_ == frame_) break;
            if (line.starts_with("ATOM  ") || line.starts_with("HETATM")) read_atom(line);
            if (line == "END" || line.starts_with("END ")) break;
        }
        finish();
    }

private:
    void read_cell(std::string_view line) {
        constexpr std::size_t begin[] = {7, 16, 25, 34, 41, 48}, end[] = {15, 24, 33, 40, 47, 54};
        std::array<double, 3> edges{}, angles{};
        for (std::size_t k = 0; k < 6; ++k)
            (k < 3 ? edges : angles)[k % 3] =
                finite_number(lines_, columns(line, begin[k], end[k]),
                              k < 3 ? "an edge of the unit cell as a number" : "an angle of the unit cell as a number");
        // The format has a crystal of edge 1 stand for none.
        if (edges == std::array<double, 3>{1, 1, 1}) return;
        try {
            file_.system.box = {box_from_edges(edges, angles), {true, true, true}};
            file_.box_line = lines_.number();
        } catch (const UsageError& error) {
            lines_.fail("a unit cell", error.what());
        }
    }

    void read_atom(std::string_view line) {
        if (model_ > 0 && model_ != frame_) return;
        if (line.size() < 54)
            lines_.fail("x, y and z in columns 31 to 54", fmt::format("a line of {} characters", line.size()));
        constexpr std::string_view axes[] = {"x in columns 31 to 38 as a finite number",
                                             "y in columns 39 to 46 as a finite number",
                                             "z in columns 47 to 54 as a finite number"};
        double x[3];
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const std::string_view word = columns(line, 31 + 8 * axis, 38 + 8 * axis);
            if (word.empty()) lines_.fail(axes[axis], "blanks");
            x[axis] = finite_number(lines_, word, axes[axis]);
        }
        if (!is_first_location(line)) {
            ++alternates_;
            return;
        }
        file_.system.positions.insert(file_.system.positions.end(), x, x + 3);
        species_.add(element_of(line));
    }

    /// Of an atom's alternate locations the first in the file is read. An atom is known by its name, chain, residue
    /// and insertion code; where numbers of residues begin again, the same location is another atom's.
    bool is_first_location(std::string_view line) {
        const char location = line[16];
        std::string atom(line.substr(12, 4));
        atom += line.substr(21, 6);
        const auto [known, is_new] = locations_.emplace(std::move(atom), location);
        return is_new || location == ' ' || location == known->second;
    }

    void finish() {
        if (frame_ > std::max(model_, 1))
            lines_.fail(fmt::format("model {}", frame_),
                        fmt::format("the end of the file after {} model{}", model_, model_ == 1 ? "" : "s"));
        if (file_.system.positions.empty()) lines_.fail_end("an ATOM or HETATM record");
        if (alternates_ > 0)
            file_.remarks.push_back(fmt::format("{} alternate location{} left out: of each atom the first is read",
                                                alternates_, alternates_ == 1 ? " was" : "s were"));
    }

    Lines& lines_;
    int frame_, model_ = 0;
    ParticleFile& file_;
    SpeciesOf species_;
    std::unordered_map<std::string, char> locations_;  // of each atom the one that is read
    std::int64_t alternates_ = 0;
};

void read_pdb(Lines& lines, int frame, ParticleFile& file) { Reader(lines, frame, file).read(); }

bool looks_like_pdb(std::string_view text) {
    const std::string name;
    Lines lines(name, text);
    if (!lines.next_filled()) return false;
    for (const std::string_view record : kRecords)
        if (lines.line().starts_with(record)) return true;
    return false;
}

}  // namespace

const Format kPdb{"pdb", read_pdb, " .pdb .ent ", looks_like_pdb};

}  // namespace lanework::particle_text
