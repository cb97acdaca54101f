// Fills in templates. The first kernel copies what it can: it is wrong until somebody writes it, and says so.
#include "src/program/ladder/new_ladder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <utility>

#include "src/io/file.hpp"
#include "src/program/ladder/array_type.hpp"
#include "src/program/ladder/compiled_reference.hpp"
#include "src/program/ladder/description.hpp"
#include "src/program/ladder/own_inputs.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct Named {
    std::string name, rest;
};

/// "x:float[n,m]".
Named split_name(const std::string& word, const std::string& option, const std::string& example) {
    const std::size_t colon = word.find(':');
    if (colon == word.npos || !is_name(word.substr(0, colon)))
        throw UsageError(fmt::format("{}: `{}` is no name and its value, as in {}", option, word, example));
    return {word.substr(0, colon), std::string(trimmed(std::string_view(word).substr(colon + 1)))};
}

struct Arrays {
    std::vector<Named> all;
    std::string json;
};

Arrays arrays_of(const std::vector<std::string>& words, const std::string& option) {
    Arrays arrays;
    for (const std::string& word : words) {
        const Named named = split_name(word, option, "x:float[n,m]");
        read_array_type(named.rest);
        arrays.json += fmt::format("{}\"{}\": \"{}\"", arrays.json.empty() ? "" : ", ", named.name, named.rest);
        arrays.all.push_back(named);
    }
    return arrays;
}

std::string cuda_type(const std::string& array) {
    const ArrayType type = read_array_type(array);
    return type.dtype ? std::string(cuda_name(*type.dtype)) : "T";
}

std::string product(const std::string& array) {
    std::string text;
    for (const Expression& length : read_array_type(array).lengths)
        text += (text.empty() ? "" : " * ") + (length.names().size() == 1 && length.names()[0] == length.text()
                                                   ? length.text()
                                                   : "(" + length.text() + ")");
    return text;
}

/// Names of the functions that a Python file defines at its left edge.
std::vector<std::string> python_functions(const std::string& text) {
    constexpr std::string_view kDefinition = "\ndef ";
    std::vector<std::string> names;
    const std::string lines = "\n" + text;
    for (std::size_t at = lines.find(kDefinition); at != lines.npos; at = lines.find(kDefinition, at + 1)) {
        const std::size_t begin = at + kDefinition.size();
        names.emplace_back(trimmed(std::string_view(lines).substr(begin, lines.find('(', begin) - begin)));
    }
    return names;
}

/// A reference.py of an existing file, FILE.py or FILE.py:FUNCTION.
std::string existing_reference(const std::string& word, const std::string& operation) {
    const std::size_t colon = word.rfind(".py:");
    const fs::path file = colon == word.npos ? word : word.substr(0, colon + 3);
    if (file.extension() != ".py")
        throw UsageError(fmt::format(
            "--reference: {} is no file of Python or C++: FILE.py, FILE.cpp, FILE.py:FUNCTION or FILE.cpp:FUNCTION is",
            word));
    std::string wanted = colon == word.npos ? "" : word.substr(colon + 4), text = file_text(file);
    const std::vector<std::string> names = python_functions(text);
    const auto has = [&](const std::string& name) { return std::ranges::find(names, name) != names.end(); };
    if (names.empty()) throw UsageError(fmt::format("--reference: {} defines no function", file.string()));
    if (!wanted.empty() && !has(wanted))
        throw UsageError(fmt::format("--reference: {} defines no function `{}`; it has: {}", file.string(), wanted,
                                     fmt::join(names, ", ")));
    for (const std::string& name : {std::string("reference"), operation, file.stem().string()})
        if (wanted.empty() && has(name)) wanted = name;
    if (wanted.empty() && names.size() == 1) wanted = names.front();
    if (wanted.empty())
        throw UsageError(fmt::format("--reference: which function of {0}? {0}:{1} says it; it has: {2}", file.string(),
                                     names.front(), fmt::join(names, ", ")));
    if (!text.ends_with('\n')) text += '\n';
    return wanted == "reference" ? text : text + fmt::format("\n\nreference = {}\n", wanted);
}

class Templates {
public:
    explicit Templates(const NewLadder& wanted)
        : name_(wanted.folder.filename().string()),
          in_(arrays_of(wanted.inputs, "--in")),
          in_place_(arrays_of(wanted.in_place, "--in-place")),
          out_(arrays_of(wanted.outputs, "--out")) {
        if (in_place_.all.empty() && out_.all.empty())
            throw UsageError("what does it compute? --out y:float[n,m] says it");
        for (const std::string& word : wanted.scalars) {
            scalars_.push_back(split_name(word, "--scalar", "scale:0.125"));
            Expression::read(scalars_.back().rest);
        }
        // A name of its own: `exp` and `half2` are CUDA's.
        function_ = (is_name(name_) ? name_ + "_" : "") + "kernel";
        const bool compiled = names_compiled_reference(wanted.reference);
        if (!wanted.reference.empty() && !compiled) reference_ = existing_reference(wanted.reference, name_);
        for (const auto* list : {&in_, &in_place_, &out_})
            for (const Named& array : list->all)
                for (const Expression& length : read_array_type(array.rest).lengths)
                    for (const std::string& axis : length.names())
                        if (std::ranges::find(axes_, axis) == axes_.end() &&
                            std::ranges::none_of(scalars_, [&](const Named& scalar) { return scalar.name == axis; }))
                            axes_.push_back(axis);
        if (axes_.empty()) throw UsageError("an array has at least one length with a name, as in x:float[n]");
        if (axes_.size() > 8) throw UsageError(fmt::format("there are {} lengths, and 8 can be", axes_.size()));
        if (compiled) take_compiled(wanted.reference);
    }

    std::string description() const {
        std::string text = "{\n  // What it computes, in one line.\n";
        text += fmt::format("  \"summary\": \"{}\",\n", name_);
        if (!in_.all.empty()) text += fmt::format("  \"in\": {{ {} }},\n", in_.json);
        if (!in_place_.all.empty()) text += fmt::format("  \"in_place\": {{ {} }},\n", in_place_.json);
        if (!out_.all.empty()) text += fmt::format("  \"out\": {{ {} }},\n", out_.json);
        if (!scalars_.empty()) {
            std::string list;
            for (const Named& each : scalars_)
                list += fmt::format("{}\"{}\": \"{}\"", list.empty() ? "" : ", ", each.name, each.rest);
            text += fmt::format("  \"scalars\": {{ {} }},\n", list);
        }
        const auto size = [&](std::int64_t first, std::int64_t step) {
            std::string joined;
            for (std::size_t axis = 0; axis < axes_.size(); ++axis)
                joined += fmt::format("{}{}", axis ? "x" : "", first + step * static_cast<std::int64_t>(axis));
            return joined;
        };
        // One axis long, the others short: a thread a row and a thread a column make several blocks, too.
        const auto long_axis = [&](std::size_t which) {
            std::string joined = axes_.size() > 1 ? ", \"" : "";
            for (std::size_t axis = 0; axis < axes_.size() && axes_.size() > 1; ++axis)
                joined += fmt::format("{}{}", axis ? "x" : "", axis == which ? 300 : 3);
            return axes_.size() > 1 ? joined + "\"" : joined;
        };
        const auto about = [&](double elements) { return usual_length(axes_.size(), elements); };
        text += fmt::format(
            "  // Sizes that every rung is verified on: {0}. Small ones, ragged ones, several blocks.\n"
            "  \"verify\": [\"{1}\", \"{2}\", \"{3}\", \"{4}\", \"{5}\"{8}{9}],\n"
            "  // And those that are explained and timed.\n"
            "  \"time\": {{ \"simt\": \"{6}\", \"cuda\": \"{7}\" }},\n",
            fmt::join(axes_, " x "), size(1, 0), size(2, 1), size(about(300) | 1, 2), size(about(1000), 0),
            size(about(4000) + 1, 3), size(about(65536), 0), size(about(1 << 24), 0), long_axis(0),
            long_axis(axes_.size() - 1));
        if (has_floats())
            text += fmt::format(
                "  // What the inputs hold besides random numbers. Take out what your operation does not define.\n"
                "  \"hard_inputs\": [\"{}\", \"{}\"],\n",
                fmt::join(kUsualInputs, "\", \""), kOffsetInput);
        return text + "  // How far a right answer may be from the reference's, and why.\n  " + tolerance() + "\n}\n";
    }

    std::string reference() const {
        if (!reference_.empty()) return reference_;
        std::vector<std::string> names;
        for (const auto* list : {&in_, &in_place_})
            for (const Named& array : list->all) names.push_back(array.name);
        for (const Named& scalar : scalars_) names.push_back(scalar.name);
        std::string text = "import numpy as np\n\n\n";
        std::string lengths;
        for (const std::string& axis : axes_) lengths += ", " + axis;
        text +=
            fmt::format("def reference({}{}):\n", fmt::join(names, ", "), names.empty() ? lengths.substr(2) : lengths);
        text += fmt::format(
            "    # Arrays are float64 (or int64) of the shapes that operation.json says. Return what is right{}.\n",
            out_.all.size() + in_place_.all.size() > 1 ? ", the arrays in their order" : "");
        text += "    raise NotImplementedError(\"what is right is not written yet\")\n";
        return text;
    }

    std::string kernel() const {
        std::vector<std::string> parameters;
        for (const Named& array : in_.all)
            parameters.push_back(fmt::format("const {}* {}", cuda_type(array.rest), array.name));
        for (const auto* list : {&in_place_, &out_})
            for (const Named& array : list->all)
                parameters.push_back(fmt::format("{}* {}", cuda_type(array.rest), array.name));
        for (const std::string& axis : axes_) parameters.push_back("int " + axis);
        for (const Named& scalar : scalars_) parameters.push_back("float " + scalar.name);
        const Named& first = out_.all.empty() ? in_place_.all.front() : out_.all.front();
        const std::string count = product(first.rest);
        const bool generic =
            std::ranges::any_of(parameters, [](const std::string& each) { return each.find("T*") != each.npos; });
        return fmt::format(
            "// One thread an element.\n"
            "// grid: ceil({0}/256)\n"
            "// block: 256\n"
            "{5}__global__ void {1}({2}) {{\n"
            "    const int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
            "    if (i >= {3}) return;\n"
            "    {4}[i] = 0;  // here\n"
            "}}\n",
            count, function_, fmt::join(parameters, ", "), count, first.name, generic ? "template <class T>\n" : "");
    }

    std::string readme() const {
        return fmt::format(
            "# {0}\n\n"
            "A ladder: `operation.json` says what is computed with, `reference.py` what is right, and each `.cu` file "
            "is a\n"
            "rung, one way to compute it.\n\n"
            "    lanework verify .             is every rung right?\n"
            "    lanework explain ./naive      what does each line cost on a GPU?\n"
            "    lanework climb .              the whole ladder\n"
            "    lanework judge . naive.cu     the same of a rung that is not trusted\n\n"
            "1. Write `reference()` in `reference.py`, with NumPy, as plainly as you can.\n"
            "2. Write the kernel in `naive.cu`. Its parameters are bound by name: arrays, lengths and scalars of\n"
            "   `operation.json`, in any order. The first comment says with which `grid` and `block` it is launched.\n"
            "3. `lanework verify .` says the first element that is wrong, with which input.\n"
            "4. Copy it to a second file, say in its first comment `// climbs from: naive`, and make it faster.\n\n"
            "A rung of several kernels has a function `void launch(…, cudaStream_t stream)` that launches them, its\n"
            "parameters bound in the same way; `// workspace: 4*n` gives it bytes at a pointer called `workspace`.\n"
            "docs/your-own-ladder.md of Lanework has the rest.\n",
            name_);
    }

    /// reference.cpp; empty where there is none.
    const std::string& compiled_source() const { return compiled_source_; }

private:
    void take_compiled(const std::string& word) {
        std::vector<ReferenceArray> arrays;
        const auto take = [&](const Arrays& some, bool input, bool output) {
            for (const Named& each : some.all) {
                arrays.push_back({.name = each.name, .lengths = {}, .input = input, .output = output});
                for (const Expression& length : read_array_type(each.rest).lengths)
                    arrays.back().lengths.push_back(length.text());
            }
        };
        take(in_, true, false);
        take(in_place_, true, true);
        take(out_, false, true);
        std::vector<std::string> numbers = axes_;
        for (const Named& scalar : scalars_) numbers.push_back(scalar.name);
        const CompiledReference made = compiled_reference(word, name_, arrays, numbers);
        reference_ = made.python;
        compiled_source_ = file_text(made.file);
    }

    bool has_floats() const {
        for (const auto* list : {&in_, &in_place_})
            for (const Named& array : list->all) {
                const auto dtype = read_array_type(array.rest).dtype;
                if (!dtype || is_float(*dtype)) return true;
            }
        return false;
    }

    /// Of the type that it is computed in: the first result's.
    std::string tolerance() const {
        const Named& first = in_place_.all.empty() ? out_.all.front() : in_place_.all.front();
        const auto dtype = read_array_type(first.rest).dtype;
        if (!dtype)
            return "\"tolerance\": { \"float32\": { \"relative\": 1e-5, \"absolute\": 1e-6 }, \"reason\": \"some "
                   "roundings\" }";
        const Tolerance usual = usual_tolerance(*dtype);
        if (usual.exact()) return "\"tolerance\": \"exact\"";
        return fmt::format(
            "\"tolerance\": {{ \"relative\": {}, \"absolute\": {}, \"reason\": \"some roundings of {}\" }}",
            usual.relative, usual.absolute, name_of(*dtype));
    }

    std::string name_, function_, reference_, compiled_source_;
    Arrays in_, in_place_, out_;
    std::vector<Named> scalars_;
    std::vector<std::string> axes_;
};

}  // namespace

std::vector<fs::path> write_new_ladder(const NewLadder& wanted) {
    NewLadder ladder = wanted;
    ladder.folder = fs::absolute(wanted.folder).lexically_normal();
    if (!ladder.folder.has_filename()) ladder.folder = ladder.folder.parent_path();
    const Templates templates(ladder);
    std::error_code error;
    if (fs::exists(ladder.folder, error) && !fs::is_empty(ladder.folder, error))
        throw FileError(fmt::format("{} is there already, and is not empty", wanted.folder.string()));
    // What is wrong with the words is said before there is a folder.
    const std::string description = templates.description();
    check_description(ladder.folder, description);
    std::error_code unmade;
    fs::create_directories(ladder.folder, unmade);
    if (unmade) throw FileError(fmt::format("{} cannot be made: {}", ladder.folder.string(), unmade.message()));
    std::vector<fs::path> files;
    std::vector<std::pair<std::string, std::string>> texts{{kDescriptionFile, description},
                                                           {kReferenceFile, templates.reference()},
                                                           {"naive.cu", templates.kernel()},
                                                           {"README.md", templates.readme()}};
    if (!templates.compiled_source().empty()) texts.emplace_back("reference.cpp", templates.compiled_source());
    for (const auto& [name, text] : texts) {
        write_file(ladder.folder / name, text);
        files.push_back(wanted.folder / name);
    }
    return files;
}

}  // namespace lanework
