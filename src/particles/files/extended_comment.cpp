// The comment line of extended XYZ: key=value pairs, of which Lattice, Properties and pbc are used.
#include <fmt/format.h>

#include <algorithm>

#include "src/particles/files/readers.hpp"

namespace lanework::particle_text {
namespace {

struct Pair {
    std::string_view key, value;
    bool has_value = false;
};

char closing(char opening) {
    switch (opening) {
        case '"': return '"';
        case '\'': return '\'';
        case '{': return '}';
        case '[': return ']';
        default: return '\0';
    }
}

/// Takes pairs off the front of the comment.
class Pairs {
public:
    explicit Pairs(const Lines& lines) : lines_(lines), rest_(lines.line()) {}

    bool next(Pair& pair) {
        while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
        if (rest_.empty()) return false;
        pair = {};
        pair.key = closing(rest_.front()) ? bracketed("a key") : bare("= \t");
        pair.has_value = rest_.starts_with('=');
        if (!pair.has_value) {
            // A stray bracket or sign stands for itself; nothing may stop the walk.
            if (pair.key.empty() && !rest_.empty()) rest_.remove_prefix(1);
            return true;
        }
        rest_.remove_prefix(1);
        pair.value = !rest_.empty() && closing(rest_.front()) ? bracketed(pair.key) : bare(" \t");
        return true;
    }

private:
    std::string_view bare(std::string_view ends) {
        const std::string_view word = rest_.substr(0, rest_.find_first_of(ends));
        rest_.remove_prefix(word.size());
        return word;
    }
    /// What stands in quotes or brackets; brackets nest, and a backslash keeps a quote from closing.
    std::string_view bracketed(std::string_view what) {
        const char open = rest_.front(), close = closing(open);
        int depth = 1;
        for (std::size_t at = 1; at < rest_.size(); ++at) {
            if (rest_[at] == '\\' && open == close) {
                ++at;
            } else if (rest_[at] == close) {
                if (--depth > 0) continue;
                const std::string_view inside = rest_.substr(1, at - 1);
                rest_.remove_prefix(at + 1);
                return inside;
            } else if (rest_[at] == open) {
                ++depth;
            }
        }
        lines_.fail(fmt::format("{} that closes the value of {}", close, in_quotes(what)), "the end of the line");
    }

    const Lines& lines_;
    std::string_view rest_;
};

void read_lattice(const Lines& lines, std::string_view value, ExtendedComment& comment) {
    // [[a, b, c], …] is the same nine numbers.
    std::string numbers(value);
    for (char& c : numbers)
        if (c == ',' || c == '[' || c == ']') c = ' ';
    Words words(numbers);
    for (auto& vector : comment.lattice)
        for (double& x : vector) {
            const std::string_view word = words.next();
            if (!reads(word, x) || !(x - x == 0)) lines.fail("Lattice as nine finite numbers", in_quotes(value));
        }
    if (!words.at_end()) lines.fail("Lattice as nine finite numbers", in_quotes(value));
    comment.has_lattice = true;
}

void read_periodic(const Lines& lines, std::string_view value, ExtendedComment& comment) {
    std::string flags(value);
    for (char& c : flags)
        if (c == ',' || c == '[' || c == ']') c = ' ';
    Words words(flags);
    for (bool& periodic : comment.periodic) {
        const std::string flag = lower(words.next());
        periodic = flag == "t" || flag == "true" || flag == "1";
        if (!periodic && flag != "f" && flag != "false" && flag != "0")
            lines.fail("pbc as three of T and F", in_quotes(value));
    }
    if (!words.at_end()) lines.fail("pbc as three of T and F", in_quotes(value));
}

std::string_view take_field(std::string_view& text) {
    const std::string_view field = before(text, ':');
    text.remove_prefix(std::min(field.size() + 1, text.size()));
    return field;
}

constexpr std::int64_t kMostColumns = 10000;

void read_properties(const Lines& lines, std::string_view value, ExtendedComment& comment) {
    comment.species_column = comment.position_column = -1;
    comment.columns = 0;
    int atomic_number_column = -1;
    for (std::string_view rest = value; !rest.empty();) {
        const std::string name = lower(take_field(rest));
        const std::string_view type = take_field(rest), width = take_field(rest);
        std::int64_t count = 0;
        if (name.empty() || type.size() != 1 || std::string_view("SIRL").find(type[0]) == type.npos ||
            !reads(width, count) || count < 1 || comment.columns + count > kMostColumns)
            lines.fail("Properties as name:type:columns of S, I, R or L", in_quotes(value));
        if (name == "species" && count == 1) comment.species_column = comment.columns;
        if ((name == "z" || name == "numbers") && count == 1) atomic_number_column = comment.columns;
        if (name == "pos" && type == "R" && count == 3) comment.position_column = comment.columns;
        comment.columns += static_cast<int>(count);
    }
    if (comment.position_column < 0) lines.fail("pos:R:3 in Properties", in_quotes(value));
    if (comment.species_column < 0) comment.species_column = atomic_number_column;
}

}  // namespace

bool is_extended_comment(std::string_view comment) {
    const std::string text = lower(comment);
    return text.find("lattice=") != text.npos || text.find("properties=") != text.npos;
}

ExtendedComment read_extended_comment(const Lines& lines) {
    ExtendedComment comment;
    bool says_periodic = false;
    Pair pair;
    for (Pairs pairs(lines); pairs.next(pair);) {
        if (!pair.has_value) continue;
        const std::string key = lower(pair.key);
        if (key == "lattice") read_lattice(lines, pair.value, comment);
        if (key == "properties") read_properties(lines, pair.value, comment);
        if (key == "pbc") {
            read_periodic(lines, pair.value, comment);
            says_periodic = true;
        }
    }
    if (comment.has_lattice && !says_periodic) comment.periodic = {true, true, true};
    return comment;
}

}  // namespace lanework::particle_text
