// Arithmetic over names, as lengths of arrays and shapes of launches are written: "n*m", "ceil(n/4)", "max(1, n - 1)".
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace lanework {

/// What names stand for: axes, scalars.
using NamedValues = std::map<std::string, double, std::less<>>;

/// Division is that of real numbers; ceil, floor, min, max, sqrt and log2 are known.
class Expression {
public:
    /// Throws UsageError that shows the text and says what is wrong with it.
    static Expression read(std::string_view text);

    const std::string& text() const { return text_; }
    /// The names in it, each once, in their order.
    const std::vector<std::string>& names() const { return names_; }

    /// Throws UsageError for a name that has no value, and for a division by zero.
    double value(const NamedValues& values) const;
    /// The same for a number of things. Throws UsageError where it is not whole, or negative.
    std::int64_t whole(const NamedValues& values) const;

private:
    friend class ExpressionReader;
    enum class Kind { number, name, negate, add, subtract, multiply, divide, remainder, call };
    /// A step in reversed Polish order.
    struct Step {
        Kind kind;
        double number = 0;
        std::size_t which = 0;      ///< of names_, or of the functions
        std::size_t arguments = 0;  ///< of a call
    };

    std::string text_;
    std::vector<std::string> names_;
    std::vector<Step> steps_;
};

/// The parts of a list, cut at the commas that stand in no bracket; without blanks around them.
std::vector<std::string> split_list(std::string_view text);

/// Without blanks at both ends.
std::string_view trimmed(std::string_view text);

/// Whether it can be the name of an array, an axis or a scalar: as C++ has them.
bool is_name(std::string_view text);
/// Whether a word has a meaning of its own in C++, CUDA or Python: no array and no number can be called so.
bool is_taken(std::string_view word);

}  // namespace lanework
