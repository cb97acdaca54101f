// The only file that knows the JSON library: it reads and writes texts, and writes numbers.
#include "src/io/json.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <ostream>
#include <set>

namespace lanework {

using Library = nlohmann::ordered_json;

/// Between our values and the library's.
struct JsonLibrary {
    static Library to(const Json& json) {
        using Kind = Json::Kind;
        switch (json.kind_) {
            case Kind::null: return nullptr;
            case Kind::boolean: return json.boolean_;
            case Kind::whole: return json.whole_;
            case Kind::natural: return json.natural_;
            case Kind::real: return json.real_;
            case Kind::string: return json.text_;
            case Kind::array: {
                Library list = Library::array();
                for (const Json& element : json.elements_) list.push_back(to(element));
                return list;
            }
            case Kind::object: break;
        }
        Library object = Library::object();
        auto& members = object.get_ref<Library::object_t&>();
        for (const auto& [name, value] : json.items())
            members.Library::object_t::Container::emplace_back(name, to(value));
        return object;
    }

    static Json from(Library& json) {
        Json result;
        switch (json.type()) {
            case Library::value_t::boolean: return json.get<bool>();
            case Library::value_t::number_integer: return json.get<std::int64_t>();
            case Library::value_t::number_unsigned: return json.get<std::uint64_t>();
            case Library::value_t::number_float: return json.get<double>();
            case Library::value_t::string: return std::move(json.get_ref<std::string&>());
            case Library::value_t::array:
                result = Json::array();
                result.elements_.reserve(json.size());
                for (Library& element : json) result.elements_.push_back(from(element));
                return result;
            case Library::value_t::object:
                result = Json::object();
                for (auto& [name, value] : json.get_ref<Library::object_t&>()) {
                    result.names_.push_back(name);
                    result.elements_.push_back(from(value));
                }
                return result;
            default: return result;
        }
    }
};

namespace {

/// What reads a value calls itself for each level: a text that nobody trusts must not exhaust the stack.
constexpr int kDeepest = 500;

bool not_too_deep(int depth, Library::parse_event_t, const Library&) {
    if (depth > kDeepest)
        throw JsonError("lists and objects lie deeper in one another than " + std::to_string(kDeepest));
    return true;
}

/// Of a text that people write: one of two members of a name would be lost unseen.
class NoTwins {
public:
    bool operator()(int depth, Library::parse_event_t event, const Library& parsed) {
        using Event = Library::parse_event_t;
        if (event == Event::object_start) names_.emplace_back();
        if (event == Event::object_end) names_.pop_back();
        if (event == Event::key && !names_.back().insert(parsed.get<std::string>()).second)
            throw JsonError("\"" + parsed.get<std::string>() + "\" stands twice in one object");
        return not_too_deep(depth, event, parsed);
    }

private:
    std::vector<std::set<std::string>> names_;
};

// "[json.exception.parse_error.101] parse error at line 3, column 5: …" without its beginning.
JsonError translated(const Library::exception& error, std::size_t byte = 0) {
    const std::string what = error.what();
    JsonError result(what.substr(std::min(what.find(']') + 2, what.size())));
    result.byte = byte;
    return result;
}

void append(std::string& text, const Json& json, std::size_t indent) {
    const bool plain =
        json.is_array() && std::ranges::none_of(json, [](const Json& each) { return each.is_structured(); });
    if (!json.is_structured() || plain || json.empty()) {
        text += json_line(json);
        return;
    }
    const std::string line = "\n" + std::string(indent + 1, ' ');
    bool first = true;
    const auto next = [&] {
        if (!first) text += ',';
        first = false;
        text += line;
    };
    text += json.is_object() ? '{' : '[';
    if (json.is_object())
        for (const auto& [name, value] : json.items()) {
            next();
            text += json_line(name) + ": ";
            append(text, value, indent + 1);
        }
    else
        for (const Json& element : json) {
            next();
            append(text, element, indent + 1);
        }
    text += "\n" + std::string(indent, ' ');
    text += json.is_object() ? '}' : ']';
}

bool is_pair(const Json& json) { return json.is_array() && json.size() == 2 && json.front().is_string(); }

}  // namespace

Json::Json(const Json&) = default;
Json::Json(Json&&) noexcept = default;
Json& Json::operator=(const Json&) = default;
Json& Json::operator=(Json&&) noexcept = default;
Json::~Json() = default;

Json::Json(std::initializer_list<Json> elements) {
    if (elements.size() > 0 && std::ranges::all_of(elements, is_pair)) {
        kind_ = Kind::object;
        for (const Json& pair : elements) (*this)[pair.front().text_] = pair.back();
    } else {
        kind_ = Kind::array;
        elements_ = elements;
    }
}

Json Json::array(std::initializer_list<Json> elements) {
    Json result;
    result.kind_ = Kind::array;
    result.elements_ = elements;
    return result;
}

Json Json::object() {
    Json result;
    result.kind_ = Kind::object;
    return result;
}

Json Json::parse(std::string_view text, bool comments) {
    try {
        Library read = comments ? Library::parse(text, NoTwins(), true, true) : Library::parse(text, not_too_deep);
        return JsonLibrary::from(read);
    } catch (const Library::parse_error& error) {
        throw translated(error, error.byte);
    } catch (const Library::exception& error) {
        throw translated(error);
    }
}

Json Json::parse_or_null(std::string_view text) {
    try {
        return parse(text);
    } catch (const JsonError&) {
        return {};
    }
}

bool Json::contains(std::string_view name) const { return find(name) != end(); }

std::vector<Json>::const_iterator Json::find(std::string_view name) const {
    const auto found = std::ranges::find(names_, name);
    return found == names_.end() ? elements_.end() : elements_.begin() + (found - names_.begin());
}

const Json& Json::at(std::string_view name) const {
    if (!is_object()) throw JsonError("cannot use at() with " + std::string(type_name()));
    const auto found = find(name);
    if (found == end()) throw JsonError("key '" + std::string(name) + "' not found");
    return *found;
}

const Json& Json::element(std::size_t index) const {
    if (!is_array()) throw JsonError("cannot use operator[] with a numeric argument with " + std::string(type_name()));
    if (index >= elements_.size()) throw JsonError("array index " + std::to_string(index) + " is out of range");
    return elements_[index];
}

Json& Json::operator[](std::string_view name) {
    if (is_null()) kind_ = Kind::object;
    if (!is_object()) throw JsonError("cannot use operator[] with a string argument with " + std::string(type_name()));
    const auto found = find(name);
    if (found != end()) return elements_[static_cast<std::size_t>(found - begin())];
    names_.emplace_back(name);
    return elements_.emplace_back();
}

void Json::push_back(Json element) {
    if (is_null()) kind_ = Kind::array;
    if (!is_array()) throw JsonError("cannot use push_back() with " + std::string(type_name()));
    elements_.push_back(std::move(element));
}

bool Json::boolean() const {
    if (!is_boolean()) throw JsonError("type must be boolean, but is " + std::string(type_name()));
    return boolean_;
}

double Json::real() const {
    if (kind_ != Kind::real) throw JsonError("type must be number, but is " + std::string(type_name()));
    return real_;
}

const std::string& Json::text() const {
    if (!is_string()) throw JsonError("type must be string, but is " + std::string(type_name()));
    return text_;
}

const std::vector<Json>& Json::list() const {
    if (!is_array()) throw JsonError("type must be array, but is " + std::string(type_name()));
    return elements_;
}

std::string_view Json::type_name() const {
    switch (kind_) {
        case Kind::null: return "null";
        case Kind::boolean: return "boolean";
        case Kind::string: return "string";
        case Kind::array: return "array";
        case Kind::object: return "object";
        default: return "number";
    }
}

bool operator==(const Json& a, const Json& b) {
    if (a.is_number() && b.is_number()) return JsonLibrary::to(a) == JsonLibrary::to(b);
    return a.kind_ == b.kind_ && (!a.is_boolean() || a.boolean_ == b.boolean_) && a.text_ == b.text_ &&
           a.names_ == b.names_ && a.elements_ == b.elements_;
}

std::ostream& operator<<(std::ostream& stream, const Json& json) { return stream << json_line(json); }

std::string Json::dump() const { return json_line(*this); }

std::string Json::dump(int indent) const {
    return JsonLibrary::to(*this).dump(indent, ' ', false, Library::error_handler_t::replace);
}

std::string json_line(const Json& json) {
    return JsonLibrary::to(json).dump(-1, ' ', false, Library::error_handler_t::replace);
}

std::string json_document(const Json& json) {
    std::string text;
    append(text, json, 0);
    return text + '\n';
}

}  // namespace lanework
