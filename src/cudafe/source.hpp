// A file as cudafe sees it: its path and bytes, the errors found in it, and the edits that turn it into C++.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace lanework::cudafe {

struct Source {
    /// Absolute; what #line and error messages show.
    std::string path;
    std::string text;
};

/// Something is wrong at a byte of a file: what, and what would be right.
class MalformedError : public std::runtime_error {
public:
    MalformedError(std::size_t offset, const std::string& message) : std::runtime_error(message), offset_(offset) {}
    std::size_t offset() const { return offset_; }

private:
    std::size_t offset_;
};

/// The column of a byte of a text, in bytes from 1.
std::size_t column_of(std::string_view text, std::size_t offset);

/// "PATH:LINE:COLUMN: error: MESSAGE", line and column counted from 1, columns in bytes.
std::string describe(const Source& source, const MalformedError& error);

/// Replacements of byte ranges, collected in any order and applied at once. Edits of the same place are applied in
/// the order in which they were made. Newlines are never lost, and none is inserted but with a #line behind it.
class Edits {
public:
    void insert(std::size_t offset, std::string text) { edits_.push_back({offset, 0, std::move(text)}); }
    void remove(std::size_t offset, std::size_t length) { edits_.push_back({offset, length, {}}); }
    void replace(std::size_t offset, std::size_t length, std::string text) {
        edits_.push_back({offset, length, std::move(text)});
    }
    /// The text from `begin` to `end` stands twice, with every edit in it: `before` the first copy, `between` the two,
    /// and `behind` the second. Ranges do not overlap.
    void repeat(std::size_t begin, std::size_t end, std::string before, std::string between, std::string behind) {
        repeats_.push_back({begin, end, std::move(before), std::move(between), std::move(behind)});
    }
    /// A replacement in the first copy alone; one that stands in no repeated range is like any other.
    void replace_in_first_copy(std::size_t offset, std::size_t length, std::string text) {
        edits_.push_back({offset, length, std::move(text), true});
    }
    bool empty() const { return edits_.empty() && repeats_.empty(); }
    /// Throws MalformedError where two edits replace the same text.
    std::string apply(std::string_view text) const;

private:
    struct Edit {
        std::size_t offset, removed;
        std::string inserted;
        bool first_copy = false;
    };
    struct Repeat {
        std::size_t begin, end;
        std::string before, between, behind;
    };
    using Ordered = std::vector<const Edit*>;
    static std::string piece(std::string_view text, std::size_t begin, std::size_t end, const Ordered& edits,
                             bool second_copy);

    std::vector<Edit> edits_;
    std::vector<Repeat> repeats_;
};

/// The text as a C++ string literal, quotes included.
std::string string_literal(std::string_view text);

}  // namespace lanework::cudafe
