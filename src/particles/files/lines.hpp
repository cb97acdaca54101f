// A text line by line and word by word, with the words for a line that is not as it should be.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace lanework::particle_text {

class Lines {
public:
    /// `file` stands in messages; both must outlive this.
    Lines(const std::string& file, std::string_view text) : file_(file), rest_(text) {}

    /// To the next line; false at the end of the text.
    bool next();
    /// The same, past lines of nothing but white space.
    bool next_filled();
    /// The current line without its end.
    std::string_view line() const { return line_; }
    /// Its number, from 1.
    std::int64_t number() const { return number_; }
    /// Bytes behind it.
    std::size_t left() const { return rest_.size(); }

    /// Throws FileError "file:line: expected …, found …".
    [[noreturn]] void fail(std::string_view expected, std::string_view found) const;
    /// The same with the current line, or the end of the text, as what was found.
    [[noreturn]] void fail_line(std::string_view expected) const;
    [[noreturn]] void fail_end(std::string_view expected) const;

private:
    const std::string& file_;
    std::string_view rest_, line_;
    std::int64_t number_ = 0;
};

/// Takes words off the front of a text; an empty one at its end.
class Words {
public:
    explicit Words(std::string_view text) : rest_(text) {}
    std::string_view next();
    bool at_end();

private:
    std::string_view rest_;
};

bool is_space(char c);
std::string_view trimmed(std::string_view text);
/// What stands before the first `mark`.
std::string_view before(std::string_view text, char mark);
std::string lower(std::string_view text);
int count_words(std::string_view text);
/// In quotes, at most 60 bytes, one line of printable ASCII.
std::string in_quotes(std::string_view text);

/// The whole word is a decimal number; a sign in front is allowed. False for anything else, or beyond the type.
bool reads(std::string_view word, double& value);
bool reads(std::string_view word, std::int64_t& value);

/// Throw FileError through lines.fail when the word is not what is expected.
double finite_number(const Lines& lines, std::string_view word, std::string_view expected);
std::int64_t whole_number(const Lines& lines, std::string_view word, std::string_view expected);

}  // namespace lanework::particle_text
