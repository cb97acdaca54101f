// A thread's place in the grid, and the grid's width, as kernels spell them.
#pragma once

#include "src/cudafe/known_words.hpp"
#include "src/cudafe/tokenizer.hpp"

namespace lanework::cudafe {

/// Finds blockIdx.x * blockDim.x + threadIdx.x, in any order, with casts to whole numbers.
class IndexSum {
public:
    IndexSum(const Stream& stream, std::size_t begin, std::size_t end) : stream_(stream), begin_(begin), end_(end) {}

    /// The end of the sum that begins at token i, where nothing beside it binds closer than the sum does; i for none.
    std::size_t behind(std::size_t i) const {
        const std::size_t end = sum_end(i);
        return end != i && begins_apart(i) && ends_apart(end) ? end : i;
    }
    /// Whether all of the text is that sum, perhaps cast and in parentheses.
    bool is_all() const {
        const IndexSum inner = without_parentheses();
        return inner.begin_ != inner.end_ && inner.sum_end(inner.begin_) == inner.end_;
    }
    /// Whether all of the text is gridDim.x * blockDim.x, in any order, perhaps cast and in parentheses.
    bool is_stride() const {
        const IndexSum inner = without_parentheses();
        std::size_t at = inner.begin_, other = inner.begin_;
        if (inner.factor("gridDim", at) && inner.sign("*", at) && inner.factor("blockDim", at) && at == inner.end_)
            return true;
        return inner.factor("blockDim", other) && inner.sign("*", other) && inner.factor("gridDim", other) &&
               other == inner.end_;
    }

private:
    bool is(std::size_t i, std::string_view spelling) const { return i < end_ && stream_.tokens[i].is(spelling); }
    bool sign(std::string_view spelling, std::size_t& at) const { return is(at, spelling) && ++at; }
    /// Between the outermost parentheses, if they are around all of the text but a cast.
    IndexSum without_parentheses() const {
        std::size_t first = begin_;
        cast(first);
        if (!is(first, "(")) return *this;
        int depth = 0;
        for (std::size_t i = first; i < end_; ++i) {
            depth += is(i, "(") ? 1 : is(i, ")") ? -1 : 0;
            if (depth == 0) return i + 1 == end_ ? IndexSum(stream_, first + 1, i).without_parentheses() : *this;
        }
        return *this;
    }
    void cast(std::size_t& at) const {
        std::size_t i = at;
        if (!is(i, "(")) return;
        while (++i < end_ && is_whole_number(stream_.tokens[i].text)) {
        }
        if (i > at + 1 && is(i, ")")) at = i + 1;
    }
    bool factor(std::string_view variable, std::size_t& at) const {
        std::size_t i = at;
        cast(i);
        if (!is(i, variable) || !is(i + 1, ".") || !is(i + 2, "x")) return false;
        at = i + 3;
        return true;
    }
    bool product(std::size_t& at) const {
        std::size_t i = at;
        const bool enclosed = is(i, "(") && i + 1 < end_ && !is_whole_number(stream_.tokens[i + 1].text);
        if (enclosed) ++i;
        std::size_t other = i;
        const bool found = (factor("blockIdx", i) && sign("*", i) && factor("blockDim", i)) ||
                           (factor("blockDim", other) && sign("*", other) && factor("blockIdx", other) && (i = other));
        if (!found || (enclosed && !sign(")", i))) return false;
        at = i;
        return true;
    }
    std::size_t sum_end(std::size_t i) const {
        std::size_t at = i, other = i;
        if (product(at) && sign("+", at) && factor("threadIdx", at)) return at;
        return factor("threadIdx", other) && sign("+", other) && product(other) ? other : i;
    }
    bool begins_apart(std::size_t i) const {
        constexpr std::array<std::string_view, 8> kApart{"=", "(", ",", "[", "{", "+", "return", ";"};
        return i > begin_ && among(stream_.tokens[i - 1].text, kApart);
    }
    bool ends_apart(std::size_t i) const {
        constexpr std::array<std::string_view, 9> kApart{";", ")", ",", "]", "}", "+", "-", "<", ">"};
        return i < end_ && among(stream_.tokens[i].text, kApart);
    }

    const Stream& stream_;
    std::size_t begin_, end_;
};

}  // namespace lanework::cudafe
