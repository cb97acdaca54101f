// Reads operation.json: JSON with comments.
#include "src/program/ladder/description.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <lanework/error.hpp>
#include <utility>

#include "src/io/file.hpp"
#include "src/io/json.hpp"
#include "src/program/ladder/array_type.hpp"
#include "src/program/ladder/build_words.hpp"
#include "src/program/ladder/own_inputs.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMostAxes = 8;

class Reader {
public:
    Reader(const fs::path& folder, const Json& json) : json_(json) {
        result_.folder = fs::absolute(folder).lexically_normal();
        if (!result_.folder.has_filename()) result_.folder = result_.folder.parent_path();
        result_.name = result_.folder.filename().string();
        file_ = (folder / kDescriptionFile).lexically_normal().string();
    }

    Description read() {
        if (!json_.is_object()) fail("", "is no object { … }");
        check_members();
        result_.summary = text("summary", result_.name);
        for (const auto& [use, key] :
             {std::pair(OwnArray::Use::in, "in"), std::pair(OwnArray::Use::in_place, "in_place"),
              std::pair(OwnArray::Use::out, "out")})
            arrays(use, key);
        axes();
        scalars();
        types();
        distributions();
        problems();
        tolerances();
        work();
        hard_inputs();
        build();
        check_names();
        check_sizes();
        return std::move(result_);
    }

private:
    [[noreturn]] void fail(const std::string& member, const std::string& what) const {
        throw UsageError(fmt::format("{}: {}{}", file_, member.empty() ? "" : "\"" + member + "\" ", what));
    }

    /// What `read` makes of a text; what it throws is said of the member.
    template <class Read>
    auto understood(const std::string& member, Read read) const {
        try {
            return read();
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("{}: \"{}\": {}", file_, member, error.what()));
        }
    }

    void check_members() const {
        constexpr std::string_view known[] = {"summary",   "in",    "in_place",    "out",    "axes",
                                              "scalars",   "types", "random",      "verify", "time",
                                              "tolerance", "work",  "hard_inputs", "build"};
        for (const auto& [key, value] : json_.items())
            if (std::ranges::find(known, key) == std::end(known))
                fail(key, fmt::format("is not known; there are: {}", fmt::join(known, ", ")));
    }

    std::string text(const std::string& key, const std::string& otherwise) const {
        if (!json_.contains(key)) return otherwise;
        if (!json_[key].is_string()) fail(key, "is no text");
        return json_[key].get<std::string>();
    }

    const Json& object(const std::string& key) const {
        static const Json nothing = Json::object();
        if (!json_.contains(key)) return nothing;
        if (!json_[key].is_object()) fail(key, "is no object { \"name\": … }");
        return json_[key];
    }

    Expression expression(const std::string& member, const Json& value) const {
        if (!value.is_number() && !value.is_string()) fail(member, "is neither a number nor an expression");
        return understood(
            member, [&] { return Expression::read(value.is_string() ? value.get<std::string>() : value.dump()); });
    }

    void arrays(OwnArray::Use use, const std::string& key) {
        for (const auto& [name, type] : object(key).items()) {
            if (!is_name(name)) fail(key, fmt::format("`{}` can be no name of an array", name));
            if (!type.is_string()) fail(name, "is no type such as \"float[n,m]\"");
            const std::string written = type.get<std::string>();
            ArrayType read = understood(name, [&written] { return read_array_type(written); });
            result_.arrays.push_back({.name = name,
                                      .use = use,
                                      .dtype = read.dtype,
                                      .signed_bytes = read.signed_bytes,
                                      .truth = read.truth,
                                      .lengths = std::move(read.lengths),
                                      .random = {}});
        }
    }

    /// Every name in a length, in the order in which they appear, unless they are listed.
    void axes() {
        if (json_.contains("axes")) {
            if (!json_["axes"].is_array()) fail("axes", "is no list of names");
            for (const Json& each : json_["axes"]) {
                if (!each.is_string() || !is_name(each.get<std::string>())) fail("axes", "is no list of names");
                result_.axes.push_back(each.get<std::string>());
            }
        } else {
            const Json& scalars = object("scalars");
            for (const OwnArray& array : result_.arrays)
                for (const Expression& length : array.lengths)
                    for (const std::string& name : length.names())
                        if (!scalars.contains(name) && std::ranges::find(result_.axes, name) == result_.axes.end())
                            result_.axes.push_back(name);
        }
        if (result_.axes.empty()) fail("", "no array has a length with a name, such as \"float[n]\"");
        if (result_.axes.size() > kMostAxes)
            fail("", fmt::format("there are {} lengths ({}), and {} can be", result_.axes.size(),
                                 fmt::join(result_.axes, ", "), kMostAxes));
        if (std::ranges::none_of(result_.arrays, [](const OwnArray& array) { return array.use != OwnArray::Use::in; }))
            fail("out", "names no array: there is nothing to compute");
    }

    void scalars() {
        for (const auto& [name, value] : object("scalars").items()) {
            if (!is_name(name)) fail("scalars", fmt::format("`{}` can be no name", name));
            result_.scalars.push_back({name, expression(name, value)});
        }
    }

    void types() {
        const bool generic = std::ranges::any_of(result_.arrays, [](const OwnArray& array) { return !array.dtype; });
        if (json_.contains("types")) {
            if (!generic) fail("types", fmt::format("has no meaning: no array is of the type {}", kGenericType));
            if (!json_["types"].is_array() || json_["types"].empty()) fail("types", "is no list of types");
            for (const Json& each : json_["types"]) {
                const auto type = each.is_string() ? element_type(each.get<std::string>()) : std::nullopt;
                if (!type) fail("types", fmt::format("{} is no type of elements", each.dump()));
                result_.types.push_back(*type);
            }
            return;
        }
        if (generic) {
            result_.types = {DType::float32};
            return;
        }
        // An operation's type is that of its output.
        const auto output =
            std::ranges::find_if(result_.arrays, [](const OwnArray& array) { return array.use != OwnArray::Use::in; });
        result_.types = {*output->dtype};
    }

    void distributions() {
        for (OwnArray& array : result_.arrays) array.random = usual(array);
        for (const auto& [name, value] : object("random").items()) {
            const auto array = std::ranges::find(result_.arrays, name, &OwnArray::name);
            if (array == result_.arrays.end() || array->use == OwnArray::Use::out)
                fail("random", fmt::format("`{}` is no input", name));
            if (!value.is_string()) fail(name, "is no distribution such as \"uniform(-1, 1)\"");
            array->random = distribution(name, value.get<std::string>());
        }
    }

    static Distribution usual(const OwnArray& array) {
        const bool real = !array.dtype || is_float(*array.dtype);
        return {.kind = real ? Distribution::Kind::uniform : Distribution::Kind::integers,
                .low = Expression::read(real                 ? "-1"
                                        : array.signed_bytes ? "-100"
                                                             : "0"),
                .high = Expression::read(real          ? "1"
                                         : array.truth ? "2"
                                                       : "100")};
    }

    Distribution distribution(const std::string& name, std::string_view text) const {
        using Kind = Distribution::Kind;
        struct Known {
            std::string_view name;
            Kind kind;
            std::size_t values;
        };
        constexpr Known known[] = {{"uniform", Kind::uniform, 2},
                                   {"normal", Kind::normal, 2},
                                   {"integers", Kind::integers, 2},
                                   {"permutation", Kind::permutation, 0},
                                   {"constant", Kind::constant, 1}};
        text = trimmed(text);
        const std::size_t open = std::min(text.find('('), text.size());
        const std::string_view word = trimmed(text.substr(0, open));
        std::vector<std::string> values;
        if (open < text.size()) {
            if (!text.ends_with(')')) fail(name, fmt::format("`{}`: a `)` is missing", text));
            const std::string_view inside = trimmed(text.substr(open + 1, text.size() - open - 2));
            if (!inside.empty()) values = split_list(inside);
        }
        for (const Known& each : known) {
            if (each.name != word) continue;
            if (values.size() != each.values)
                fail(name, fmt::format("`{}`: {} takes {} values", text, word, each.values));
            return understood(name, [&] {
                Distribution result{.kind = each.kind, .low = {}, .high = {}};
                if (each.values > 0) result.low = Expression::read(values[0]);
                if (each.values > 1) result.high = Expression::read(values[1]);
                return result;
            });
        }
        fail(name, fmt::format("`{}` is no distribution; there are uniform(low, high), normal(mean, deviation), "
                               "integers(low, high), permutation and constant(value)",
                               text));
    }

    /// "100x50" or 100.
    Extents extents(const std::string& member, const Json& value) const {
        const std::string written = value.is_string() ? value.get<std::string>() : value.dump();
        Extents result = lanework::extents();
        std::size_t axis = 0;
        for (std::string_view rest = written; axis <= result_.axes.size();) {
            const std::size_t end = std::min(rest.find('x'), rest.size());
            const std::string_view part = rest.substr(0, end);
            const bool digits = !part.empty() && part.size() < 13 && part.find_first_not_of("0123456789") == part.npos;
            if (!digits || axis == result_.axes.size()) break;
            result[axis++] = std::stoll(std::string(part));
            if (end == rest.size() && axis == result_.axes.size()) return result;
            if (end == rest.size()) break;
            rest.remove_prefix(end + 1);
        }
        fail(member, fmt::format("`{}` is no size: {} lengths joined by x are ({})", written, result_.axes.size(),
                                 fmt::join(result_.axes, "x")));
    }

    std::vector<Extents> sizes(const std::string& member, const Json& value) const {
        if (!value.is_array()) return {extents(member, value)};
        std::vector<Extents> result;
        for (const Json& each : value) result.push_back(extents(member, each));
        if (result.empty()) fail(member, "is empty");
        return result;
    }

    /// All axes alike, or each a little longer than the one before, so that a kernel that mixes them up fails.
    Extents usual_size(std::int64_t base, std::int64_t step) const {
        Extents result = lanework::extents();
        for (std::size_t axis = 0; axis < result_.axes.size(); ++axis)
            result[axis] = base + static_cast<std::int64_t>(axis) * step;
        return result;
    }

    void problems() {
        const std::size_t axes = result_.axes.size();
        if (json_.contains("verify"))
            result_.verified = sizes("verify", json_["verify"]);
        else if (axes == 1)
            result_.verified = {extents("", 1),   extents("", 31),   extents("", 33),
                                extents("", 257), extents("", 1000), extents("", 4096)};
        else
            result_.verified = {usual_size(1, 0), usual_size(2, 1), usual_size(usual_length(axes, 300) | 1, 2),
                                usual_size(usual_length(axes, 1000), 0), usual_size(usual_length(axes, 1000) + 1, 3)};
        if (!json_.contains("time")) {
            result_.timed = {usual_size(usual_length(axes, 65536), 0)};
            result_.timed_on_gpu = {usual_size(usual_length(axes, 1 << 24), 0)};
            return;
        }
        const Json& time = json_["time"];
        if (time.is_object()) {
            for (const auto& [key, value] : time.items()) {
                if (key != "simt" && key != "cuda") fail("time", fmt::format("`{}` is no device: simt, cuda", key));
                (key == "simt" ? result_.timed : result_.timed_on_gpu) = sizes("time", value);
            }
            if (result_.timed.empty()) result_.timed = result_.timed_on_gpu;
            if (result_.timed_on_gpu.empty()) result_.timed_on_gpu = result_.timed;
            if (result_.timed.empty()) fail("time", "is empty");
        } else {
            result_.timed = result_.timed_on_gpu = sizes("time", time);
        }
    }

    double number(const std::string& member, const Json& value) const {
        if (!value.is_number() || value.get<double>() < 0) fail(member, "is no number that is 0 or more");
        return value.get<double>();
    }

    Tolerance tolerance(const std::string& member, const Json& json) {
        Tolerance result;
        for (const auto& [key, value] : json.items()) {
            if (key == "absolute")
                result.absolute = number(key, value);
            else if (key == "relative")
                result.relative = number(key, value);
            else if (key == "of_magnitude")
                result.of_magnitude = number(key, value);
            else if (key == "reason" && value.is_string())
                result_.tolerance_reason = value.get<std::string>();
            else
                fail(member,
                     fmt::format("has no `{}`: absolute, relative, of_magnitude, reason, or a type of these", key));
        }
        return result;
    }

    void tolerances() {
        for (const DType type : result_.types) result_.tolerances[type] = usual_tolerance(type);
        result_.tolerance_reason = "some roundings of the type";
        if (!json_.contains("tolerance")) return;
        const Json& json = json_["tolerance"];
        if (json.is_string() && json.get<std::string>() == "exact") {
            for (const DType type : result_.types) result_.tolerances[type] = {};
            result_.tolerance_reason = "equal to the bit";
            return;
        }
        if (!json.is_object()) fail("tolerance", "is neither \"exact\" nor an object");
        result_.tolerance_reason = "as operation.json states";
        Json common = Json::object();
        for (const auto& [key, value] : json.items()) {
            const auto type = element_type(key);
            if (!type) {
                common[key] = value;
                continue;
            }
            if (!result_.tolerances.contains(*type)) fail("tolerance", fmt::format("`{}` is no type of it", key));
            if (!value.is_object()) fail("tolerance", fmt::format("of {} is no object", key));
            result_.tolerances[*type] = tolerance("tolerance", value);
        }
        if (common.empty()) return;
        const Tolerance all = tolerance("tolerance", common);
        const bool figures = !all.exact();
        for (auto& [type, each] : result_.tolerances) {
            if (!figures || json.contains(std::string(name_of(type)))) continue;
            // A share of a whole number would let wrong large ones pass.
            each = is_float(type) ? all : Tolerance{.absolute = std::floor(all.absolute)};
        }
        for (const OwnArray& array : result_.arrays)
            if (array.signed_bytes && array.use != OwnArray::Use::in && !result_.tolerances[DType::uint8].exact())
                fail("tolerance",
                     fmt::format("`{}` is of int8, which is compared exactly: write compare()", array.name));
    }

    void work() {
        for (const auto& [key, value] : object("work").items()) {
            auto& place =
                key == "flops"        ? result_.flops
                : key == "bytes_read" ? result_.bytes_read
                : key == "bytes_written"
                    ? result_.bytes_written
                    : (fail("work", fmt::format("has no `{}`: flops, bytes_read, bytes_written", key)), result_.flops);
            place = expression(key, value);
        }
    }

    /// "-I include tables.cpp", or a list of such words.
    std::vector<std::string> build_words(const Json& value) const {
        std::vector<std::string> words;
        const auto wrong = [&] { fail("build", "is neither words for nvcc, \"-I include\", nor a list of them"); };
        if (value.is_array()) {
            for (const Json& each : value) {
                if (!each.is_string()) wrong();
                words.push_back(each.get<std::string>());
            }
        } else if (value.is_string()) {
            words = understood("build", [&] { return split_build_words(value.get<std::string>()); });
        } else {
            wrong();
        }
        understood("build", [&] { return read_build_words(words, result_.folder); });
        return words;
    }

    void build() {
        if (!json_.contains("build")) return;
        const Json& value = json_["build"];
        if (!value.is_object()) {
            result_.build = result_.build_on_gpu = build_words(value);
            return;
        }
        for (const auto& [key, words] : value.items()) {
            if (key != "simt" && key != "cuda") fail("build", fmt::format("`{}` is no device: simt, cuda", key));
            (key == "simt" ? result_.build : result_.build_on_gpu) = build_words(words);
        }
    }

    void hard_inputs() {
        if (!json_.contains("hard_inputs")) {
            result_.hard_inputs.assign(std::begin(kUsualInputs), std::end(kUsualInputs));
            return;
        }
        if (!json_["hard_inputs"].is_array()) fail("hard_inputs", "is no list of names");
        for (const Json& each : json_["hard_inputs"]) {
            const bool known = each.is_string() && std::ranges::any_of(kOwnInputs, [&](const Input& input) {
                                   return input.name == each.get<std::string>();
                               });
            if (!known) {
                std::vector<std::string_view> names;
                for (const Input& input : kOwnInputs) names.push_back(input.name);
                fail("hard_inputs", fmt::format("{} is none; there are: {}", each.dump(), fmt::join(names, ", ")));
            }
            result_.hard_inputs.push_back(each.get<std::string>());
        }
    }

    /// Arrays have lengths in every size, and a size is none that no machine holds.
    void check_sizes() const {
        constexpr double kMost = 0x1p47;  // bytes, as for --size
        for (const auto& [member, sizes] : {std::pair("verify", &result_.verified), std::pair("time", &result_.timed),
                                            std::pair("time", &result_.timed_on_gpu)})
            for (const Extents& extent : *sizes) {
                const Problem problem{.extent = extent, .dtype = result_.types.front()};
                const NamedValues known = result_.values(problem);
                double bytes = 0;
                for (const OwnArray& array : result_.arrays) {
                    understood(array.name, [&] { return result_.count(array, problem); });
                    auto all = static_cast<double>(size_of(result_.dtype_of(array, problem.dtype)));
                    for (const Expression& length : array.lengths) all *= length.value(known);
                    bytes += all;
                }
                if (bytes > kMost)
                    fail(member,
                         fmt::format("`{}` is {:.3g} bytes: more than 2^47", result_.size_text(problem), bytes));
            }
    }

    /// Every name is one thing, and every name in an expression is known.
    void check_names() const {
        std::vector<std::string> known = result_.axes;
        const auto add = [&](const std::string& name) {
            if (std::ranges::find(known, name) != known.end()) fail(name, "is the name of two things");
            known.push_back(name);
        };
        const auto check_word = [&](const std::string& name) {
            if (is_taken(name))
                fail(name, "is a word of C++, CUDA or Python: kernels and references need another name");
        };
        for (const std::string& axis : result_.axes) check_word(axis);
        for (const OwnScalar& scalar : result_.scalars) check_word(scalar.name);
        for (const OwnArray& array : result_.arrays) check_word(array.name);
        const auto check = [&](const std::string& member, const Expression& expression) {
            for (const std::string& name : expression.names())
                if (std::ranges::find(known, name) == known.end())
                    fail(member, fmt::format("`{}`: `{}` is not known; there are: {}", expression.text(), name,
                                             fmt::join(known, ", ")));
        };
        for (const OwnScalar& scalar : result_.scalars) {
            check(scalar.name, scalar.value);
            add(scalar.name);
        }
        for (const OwnArray& array : result_.arrays) {
            for (const Expression& length : array.lengths) check(array.name, length);
            if (array.random.low) check(array.name, *array.random.low);
            if (array.random.high) check(array.name, *array.random.high);
        }
        for (const auto& each : {result_.flops, result_.bytes_read, result_.bytes_written})
            if (each) check("work", *each);
        for (const OwnArray& array : result_.arrays) add(array.name);
    }

    const Json& json_;
    std::string file_;
    Description result_;
};

Description parse_without_reference(const fs::path& folder, const std::string& text) {
    try {
        return Reader(folder, Json::parse(text, true)).read();
    } catch (const JsonError& error) {
        throw FileError(fmt::format("{}: {}", (folder / kDescriptionFile).lexically_normal().string(), error.what()));
    }
}

}  // namespace

void check_description(const fs::path& folder, const std::string& text) { parse_without_reference(folder, text); }

Description parse_description(const fs::path& folder, const std::string& text) {
    Description description = parse_without_reference(folder, text);
    description.reference = description.folder / kReferenceFile;
    std::error_code error;
    if (!fs::is_regular_file(description.reference, error))
        throw FileError(
            fmt::format("{} has no {}, which says what is right", description.folder.string(), kReferenceFile));
    return description;
}

Description read_description(const fs::path& folder) {
    const auto text = readable_text(folder / kDescriptionFile);
    if (!text) throw FileError(fmt::format("{}: there is no {}", folder.string(), kDescriptionFile));
    return parse_description(folder, *text);
}

}  // namespace lanework
