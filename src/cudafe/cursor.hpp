// A position in a text that sees logical characters: a backslash at the end of a line joins it with the next.
#pragma once

#include <string>
#include <string_view>

namespace lanework::cudafe {

inline bool starts_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' ||
           static_cast<unsigned char>(c) >= 128;
}
inline bool is_digit(char c) { return c >= '0' && c <= '9'; }
inline bool continues_word(char c) { return starts_word(c) || is_digit(c); }
inline bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

class Cursor {
public:
    explicit Cursor(std::string_view text) : text_(text) { join_lines(); }

    bool at_end() const { return offset_ >= text_.size(); }
    std::size_t offset() const { return offset_; }
    /// Right behind the character that was passed last: the end of a token, before any backslash-newline.
    std::size_t passed() const { return passed_; }
    /// The character here; NUL at the end.
    char here() const { return at_end() ? '\0' : text_[offset_]; }
    char following() const {
        Cursor next = *this;
        next.advance();
        return next.here();
    }
    void advance() {
        if (at_end()) return;
        passed_ = ++offset_;
        join_lines();
    }
    void jump(std::size_t offset) {
        passed_ = offset_ = offset;
        join_lines();
    }
    std::string_view text() const { return text_; }

private:
    void join_lines() {
        while (offset_ < text_.size() && text_[offset_] == '\\') {
            std::size_t end = offset_ + 1;
            while (end < text_.size() && is_blank(text_[end])) ++end;
            if (end >= text_.size() || text_[end] != '\n') return;
            offset_ = end + 1;
        }
    }
    std::string_view text_;
    std::size_t offset_ = 0, passed_ = 0;
};

}  // namespace lanework::cudafe
