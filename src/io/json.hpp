// JSON as this program reads and writes it: a plain value, so that only json.cpp compiles the JSON library.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace lanework {

/// What is wrong with a text that should be JSON, or with a value that should be of another type.
struct JsonError : std::runtime_error {
    using std::runtime_error::runtime_error;
    /// Where a text stops being JSON: the number of bytes read, the wrong one included; 0 for every other error.
    std::size_t byte = 0;
};

/// A JSON value. Objects keep their members in the order in which they were added. Numbers are kept as std::int64_t,
/// std::uint64_t or double.
class Json {
public:
    Json() = default;
    Json(std::nullptr_t) {}
    Json(const char* text) : Json(std::string(text)) {}
    Json(std::string_view text) : Json(std::string(text)) {}
    Json(std::string text) : kind_(Kind::string), text_(std::move(text)) {}
    template <std::integral Number>
    Json(Number value) {
        if constexpr (std::is_same_v<Number, bool>)
            set(value);
        else if constexpr (std::is_signed_v<Number>)
            set(static_cast<std::int64_t>(value));
        else
            set(static_cast<std::uint64_t>(value));
    }
    template <std::floating_point Number>
    Json(Number value) {
        set(static_cast<double>(value));
    }
    /// As it is written in JSON: an object where every element is a pair that begins with a string, a list otherwise.
    Json(std::initializer_list<Json> elements);
    /// The elements of a container.
    template <class List>
    requires(!std::convertible_to<const List&, std::string_view>) && requires(const List& list) { *list.begin(); }
    Json(const List& list) : kind_(Kind::array) {
        for (const auto& element : list) push_back(Json(element));
    }

    // Defined once, in json.cpp: most of what a value costs to compile.
    Json(const Json&);
    Json(Json&&) noexcept;
    Json& operator=(const Json&);
    Json& operator=(Json&&) noexcept;
    ~Json();

    static Json array(std::initializer_list<Json> elements = {});
    static Json object();

    /// Throws JsonError for what is not JSON, and for a number that is too large. `comments`: of a text that people
    /// write, which may have comments and no two members of one name in an object.
    static Json parse(std::string_view text, bool comments = false);
    /// The same, but null for what is not JSON.
    static Json parse_or_null(std::string_view text);

    bool is_null() const { return kind_ == Kind::null; }
    bool is_boolean() const { return kind_ == Kind::boolean; }
    bool is_number() const { return is_integer() || kind_ == Kind::real; }
    bool is_integer() const { return kind_ == Kind::whole || kind_ == Kind::natural; }
    /// A whole number that was read without a sign.
    bool is_number_unsigned() const { return kind_ == Kind::natural; }
    bool is_string() const { return kind_ == Kind::string; }
    bool is_array() const { return kind_ == Kind::array; }
    bool is_object() const { return kind_ == Kind::object; }
    bool is_structured() const { return is_array() || is_object(); }

    /// Elements of a list, or members of an object; 0 for null, 1 for everything else.
    std::size_t size() const { return is_structured() ? elements_.size() : is_null() ? 0 : 1; }
    bool empty() const { return size() == 0; }
    /// Elements of a list, or the members' values.
    auto begin() const { return elements_.begin(); }
    auto end() const { return elements_.end(); }
    auto begin() { return elements_.begin(); }
    auto end() { return elements_.end(); }
    const Json& front() const { return elements_.front(); }
    const Json& back() const { return elements_.back(); }

    bool contains(std::string_view name) const;
    /// end() where there is no such member.
    std::vector<Json>::const_iterator find(std::string_view name) const;
    /// A member. Throws JsonError where there is none, or where this is no object.
    const Json& at(std::string_view name) const;
    const Json& operator[](std::string_view name) const { return at(name); }
    /// An element. Throws JsonError where there are fewer, or where this is no list.
    template <std::integral Index>
    const Json& operator[](Index index) const {
        return element(static_cast<std::size_t>(index));
    }
    template <std::integral Index>
    Json& operator[](Index index) {
        return const_cast<Json&>(element(static_cast<std::size_t>(index)));
    }
    /// A member, which is added where there is none.
    Json& operator[](std::string_view name);
    const Json& operator[](const char* name) const { return at(name); }
    Json& operator[](const char* name) { return (*this)[std::string_view(name)]; }
    /// Adds to a list; null becomes one.
    void push_back(Json element);

    /// The value as a bool, a number, a string or a container of these. Throws JsonError where it is none.
    template <class Value>
    Value get() const {
        if constexpr (std::is_same_v<Value, Json>) {
            return *this;
        } else if constexpr (std::is_same_v<Value, bool>) {
            return boolean();
        } else if constexpr (std::is_same_v<Value, std::string>) {
            return text();
        } else if constexpr (std::is_arithmetic_v<Value>) {
            if (kind_ == Kind::natural) return static_cast<Value>(natural_);
            if (kind_ == Kind::whole) return static_cast<Value>(whole_);
            return static_cast<Value>(real());
        } else {
            Value result{};
            if constexpr (requires { result.push_back(result.front()); })
                for (const Json& element : list()) result.push_back(element.get<typename Value::value_type>());
            else  // an array of a fixed length, of which what is missing stays 0
                for (std::size_t i = 0; i < result.size() && i < list().size(); ++i)
                    result[i] = (*this)[i].get<typename Value::value_type>();
            return result;
        }
    }
    operator std::string() const { return text(); }
    /// A member's value, or what is given where there is none.
    template <class Value>
    Value value(std::string_view name, Value otherwise) const {
        const auto found = find(name);
        return found == end() ? otherwise : found->template get<Value>();
    }
    std::string value(std::string_view name, const char* otherwise) const {
        return value(name, std::string(otherwise));
    }

    /// Names and values of an object's members: for (const auto& [name, value] : json.items()).
    struct Member {
        const std::string& name;
        const Json& value;
    };
    struct Members {
        struct Iterator {
            const Json* json;
            std::size_t index;
            Member operator*() const { return {json->names_[index], json->elements_[index]}; }
            Iterator& operator++() {
                ++index;
                return *this;
            }
            bool operator==(const Iterator& other) const = default;
        };
        const Json* json;
        Iterator begin() const { return {json, 0}; }
        Iterator end() const { return {json, json->names_.size()}; }
    };
    Members items() const { return {this}; }

    /// Numbers are equal that have the same value, objects that have the same members in the same order.
    friend bool operator==(const Json& a, const Json& b);
    /// On one line, as json_line().
    friend std::ostream& operator<<(std::ostream& stream, const Json& json);
    std::string dump() const;
    /// Every member and element on a line of its own, indented by so many spaces for each level.
    std::string dump(int indent) const;

private:
    friend struct JsonLibrary;
    enum class Kind : unsigned char { null, boolean, whole, natural, real, string, array, object };

    void set(bool value) { kind_ = Kind::boolean, boolean_ = value; }
    void set(std::int64_t value) { kind_ = Kind::whole, whole_ = value; }
    void set(std::uint64_t value) { kind_ = Kind::natural, natural_ = value; }
    void set(double value) { kind_ = Kind::real, real_ = value; }
    const Json& element(std::size_t index) const;
    bool boolean() const;
    double real() const;
    const std::string& text() const;
    const std::vector<Json>& list() const;
    std::string_view type_name() const;

    Kind kind_ = Kind::null;
    union {
        bool boolean_;
        std::int64_t whole_;
        std::uint64_t natural_ = 0;
        double real_;
    };
    std::string text_;
    std::vector<Json> elements_;
    std::vector<std::string> names_;  // one for each element of an object
};

/// On one line. Names that come from outside need not be UTF-8, JSON must be: what is not becomes U+FFFD.
std::string json_line(const Json& json);

/// A document for a file: one member a line, indented by one for each level, but a list of numbers, strings and the
/// like on one line however long. Ends with a newline.
std::string json_document(const Json& json);

}  // namespace lanework
