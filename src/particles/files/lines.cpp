// Lines, words and numbers of text files; nothing here depends on the locale.
#include "src/particles/files/lines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <lanework/error.hpp>

namespace lanework::particle_text {
namespace {

constexpr std::size_t kLongestQuote = 60;

std::string_view without_plus(std::string_view word) {
    return word.size() > 1 && word[0] == '+' && word[1] != '-' ? word.substr(1) : word;
}

template <class Number>
bool reads_all(std::string_view word, Number& value) {
    word = without_plus(word);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc() && end == word.data() + word.size();
}

}  // namespace

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f'; }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

std::string_view before(std::string_view text, char mark) { return text.substr(0, text.find(mark)); }

std::string lower(std::string_view text) {
    std::string result(text);
    for (char& c : result)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return result;
}

int count_words(std::string_view text) {
    int count = 0;
    for (Words words(text); !words.next().empty();) ++count;
    return count;
}

std::string in_quotes(std::string_view text) {
    std::string shown(text.substr(0, kLongestQuote));
    for (char& c : shown)
        if (c < ' ' || c > '~') c = c == '\t' ? ' ' : '?';
    return fmt::format("`{}{}`", shown, text.size() > kLongestQuote ? "..." : "");
}

bool Lines::next() {
    if (rest_.empty()) return false;
    const auto end = rest_.find('\n');
    line_ = rest_.substr(0, end);
    if (!line_.empty() && line_.back() == '\r') line_.remove_suffix(1);
    rest_.remove_prefix(end == rest_.npos ? rest_.size() : end + 1);
    ++number_;
    return true;
}

bool Lines::next_filled() {
    while (next())
        if (!trimmed(line_).empty()) return true;
    return false;
}

void Lines::fail(std::string_view expected, std::string_view found) const {
    throw FileError(
        fmt::format("{}:{}: expected {}, found {}", file_, std::max<std::int64_t>(number_, 1), expected, found));
}

void Lines::fail_line(std::string_view expected) const {
    const std::string_view shown = trimmed(line_);
    fail(expected, shown.empty() ? "an empty line" : in_quotes(shown));
}

void Lines::fail_end(std::string_view expected) const { fail(expected, "the end of the file"); }

std::string_view Words::next() {
    std::size_t begin = 0;
    while (begin < rest_.size() && is_space(rest_[begin])) ++begin;
    std::size_t end = begin;
    while (end < rest_.size() && !is_space(rest_[end])) ++end;
    const std::string_view word = rest_.substr(begin, end - begin);
    rest_.remove_prefix(end);
    return word;
}

bool Words::at_end() { return trimmed(rest_).empty(); }

bool reads(std::string_view word, double& value) { return reads_all(word, value); }
bool reads(std::string_view word, std::int64_t& value) { return reads_all(word, value); }

double finite_number(const Lines& lines, std::string_view word, std::string_view expected) {
    double value = 0;
    if (!reads(word, value) || !std::isfinite(value))
        lines.fail(expected, word.empty() ? "the end of the line" : in_quotes(word));
    return value;
}

std::int64_t whole_number(const Lines& lines, std::string_view word, std::string_view expected) {
    std::int64_t value = 0;
    if (!reads(word, value)) lines.fail(expected, word.empty() ? "the end of the line" : in_quotes(word));
    return value;
}

}  // namespace lanework::particle_text
