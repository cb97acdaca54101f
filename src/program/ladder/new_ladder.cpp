// Fills in templates. The first kernel copies what it can: it is wrong until somebody writes it, and says so.
#include "src/program/ladder/new_ladder.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <lanework/error.hpp>
#include <utility>

#include "src/program/ladder/description.hpp"

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

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw FileError(fmt::format("{}: cannot be written", file.string()));
}

std::string shape(const std::string& array) {
    std::string text;
    for (const Expression& length : read_array_type(array).lengths) text += length.text() + ", ";
    return "(" + text + ")";
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
        function_ = is_name(name_) ? name_ : "kernel";
        for (const auto* list : {&in_, &in_place_, &out_})
            for (const Named& array : list->all)
                for (const Expression& length : read_array_type(array.rest).lengths)
                    for (const std::string& axis : length.names())
                        if (std::ranges::find(axes_, axis) == axes_.end() &&
                            std::ranges::none_of(scalars_, [&](const Named& scalar) { return scalar.name == axis; }))
                            axes_.push_back(axis);
        if (axes_.empty()) throw UsageError("an array has at least one length with a name, as in x:float[n]");
        if (axes_.size() > 8) throw UsageError(fmt::format("there are {} lengths, and 8 can be", axes_.size()));
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
        const auto size = [&](std::vector<int> lengths) {
            std::string joined;
            for (std::size_t axis = 0; axis < axes_.size(); ++axis)
                joined += fmt::format("{}{}", axis ? "x" : "", lengths[axis % lengths.size()]);
            return joined;
        };
        text += fmt::format(
            "  // Sizes that every rung is verified on: {0}. Small ones, ragged ones.\n"
            "  \"verify\": [\"{1}\", \"{2}\", \"{3}\", \"{4}\"],\n"
            "  // And those that are explained and timed.\n"
            "  \"time\": {{ \"simt\": \"{5}\", \"cuda\": \"{6}\" }},\n"
            "  // What the inputs hold besides random numbers. Take out what your operation does not define.\n"
            "  \"hard_inputs\": [\"constant\", \"alternating\", \"signed_zeros\", \"subnormal\", \"ascending\"],\n"
            "  // How far a right answer may be from the reference's, and why.\n"
            "  \"tolerance\": {{ \"relative\": 1e-5, \"absolute\": 1e-6, \"reason\": \"some roundings\" }}\n}}\n",
            fmt::join(axes_, " x "), size({1}), size({3, 7}), size({33, 31}), size({64, 130}),
            axes_.size() == 1 ? "65536" : size({128}), axes_.size() == 1 ? "16777216" : size({2048}));
        return text;
    }

    std::string reference() const {
        std::vector<std::string> names, results;
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
        for (const auto* list : {&in_place_, &out_})
            for (const Named& array : list->all)
                results.push_back(array.name == "" ? "" : fmt::format("np.zeros({})", shape(array.rest)));
        text += fmt::format("    return {}\n", fmt::join(results, ", "));
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

private:
    std::string name_, function_;
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
    fs::create_directories(ladder.folder);
    std::vector<fs::path> files;
    for (const auto& [name, text] : {std::pair(std::string(kDescriptionFile), templates.description()),
                                     std::pair(std::string("reference.py"), templates.reference()),
                                     std::pair(std::string("naive.cu"), templates.kernel()),
                                     std::pair(std::string("README.md"), templates.readme())}) {
        write_text(ladder.folder / name, text);
        files.push_back(wanted.folder / name);
    }
    return files;
}

}  // namespace lanework
