// The heads of functions are read as those of kernels are.
#include "src/program/ladder/compiled_reference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/program/ladder/array_type.hpp"
#include "src/program/ladder/description.hpp"
#include "src/program/ladder/kernel_file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kEndings[] = {".cpp", ".cc", ".cxx", ".c++", ".C"};

/// Where a file's name ends in "ema.cpp:smooth"; npos for no file of C++.
std::size_t end_of_file(const std::string& word) {
    const std::size_t colon = word.rfind(':');
    for (const std::size_t end : {word.size(), colon})
        if (end != word.npos &&
            std::ranges::find(kEndings, fs::path(word.substr(0, end)).extension().string()) != std::end(kEndings))
            return end;
    return word.npos;
}

const KernelFunction& function_of(const KernelFile& file, const std::string& wanted, const std::string& operation) {
    std::vector<std::string_view> names;
    for (const KernelFunction& each : file.functions) names.push_back(each.name);
    const std::string shown = file.path.filename().string();
    if (names.empty())
        throw UsageError(fmt::format(
            "--reference: {} defines no function that writes its results: void {}(const double* x, double* y, int n)",
            shown, is_name(operation) ? operation : "reference"));
    for (const std::string& name : {wanted, std::string("reference"), operation, file.path.stem().string()}) {
        const auto found = std::ranges::find(file.functions, name, &KernelFunction::name);
        if (!name.empty() && found != file.functions.end()) return *found;
        if (!wanted.empty())
            throw UsageError(fmt::format("--reference: {} defines no function `void {}(…)`; it has: {}", shown, wanted,
                                         fmt::join(names, ", ")));
    }
    if (names.size() == 1) return file.functions.front();
    throw UsageError(fmt::format("--reference: which function of {0}? {0}:{1} says it; it has: {2}", shown,
                                 names.front(), fmt::join(names, ", ")));
}

/// The element of "const float *", as NumPy calls it.
std::string numpy_type(const std::string& function, const KernelParameter& parameter) {
    std::string element = parameter.type.substr(0, parameter.type.find('*'));
    if (element.starts_with("const ")) element.erase(0, 6);
    while (element.ends_with(' ')) element.pop_back();
    if (element == "bool") return "bool_";
    if (names_signed_bytes(element)) return "int8";
    const auto dtype = element_type(element);
    if (!dtype || *dtype == DType::float16 || *dtype == DType::bfloat16)
        throw UsageError(fmt::format("--reference: {}(): `{}` is a {}: of numbers of C++, as in const double*",
                                     function, parameter.name, parameter.type));
    return std::string(name_of(*dtype));
}

constexpr const char* kPython =
    R"python(# What is right is computed by reference.cpp, which is compiled here: its function is given arrays and numbers by the names
# of its parameters, and writes its results.
import ctypes
import os
import subprocess
import tempfile
from math import ceil, floor, log2, sqrt  # noqa: F401, for lengths

import numpy as np

_here = os.path.dirname(os.path.abspath(__file__))
_entry = """#include "reference.cpp"
extern "C" void lanework_reference({entry_parameters}) {{
    {function}({entry_arguments});
}}
"""
with tempfile.TemporaryDirectory() as _folder:
    _made = os.path.join(_folder, "reference.so")
    _said = subprocess.run([os.environ.get("CXX") or "c++", "-O2", "-std=c++20", "-shared", "-fPIC", "-I", _here, "-x", "c++", "-", "-o", _made],
                           input=_entry, capture_output=True, text=True)
    if _said.returncode != 0:
        raise RuntimeError("reference.cpp does not compile: " + next((line for line in _said.stderr.splitlines() if "error" in line), _said.stderr))
    _reference = ctypes.CDLL(_made).lanework_reference


def reference({parameters}):
{prepared}    _reference({arguments})
    return {results}
)python";

}  // namespace

bool names_compiled_reference(const std::string& word) { return end_of_file(word) != word.npos; }

CompiledReference compiled_reference(const std::string& word, const std::string& operation,
                                     const std::vector<ReferenceArray>& arrays,
                                     const std::vector<std::string>& numbers) {
    const std::size_t end = end_of_file(word);
    const KernelFile file = read_kernel_file(word.substr(0, end));
    const std::string name = end < word.size() ? word.substr(end + 1) : std::string();
    const KernelFunction& function = function_of(file, name, operation);
    std::vector<std::string> entry_parameters, entry_arguments, parameters, arguments, results;
    std::string prepared;
    for (const KernelParameter& each : function.parameters) {
        const auto array = std::ranges::find(arrays, each.name, &ReferenceArray::name);
        entry_arguments.push_back(fmt::format("({}){}", each.type, each.name));
        if (array == arrays.end()) {
            if (std::ranges::find(numbers, each.name) == numbers.end() || each.pointer()) {
                std::vector<std::string> all = numbers;
                for (const ReferenceArray& known : arrays) all.push_back(known.name);
                throw UsageError(fmt::format("--reference: {}() has a parameter `{}`; there are: {}", function.name,
                                             each.name, fmt::join(all, ", ")));
            }
            entry_parameters.push_back("double " + each.name);
            arguments.push_back(fmt::format("ctypes.c_double({})", each.name));
            continue;
        }
        if (!each.pointer())
            throw UsageError(fmt::format("--reference: {}(): `{}` is an array, and its parameter a {}", function.name,
                                         each.name, each.type));
        const std::string type = numpy_type(function.name, each);
        entry_parameters.push_back("void* " + each.name);
        arguments.push_back(fmt::format("{}.ctypes.data_as(ctypes.c_void_p)", each.name));
        if (array->input) {
            parameters.push_back(each.name);
            prepared += fmt::format("    {0} = np.array({0}, np.{1}, order=\"C\")\n", each.name, type);
        } else {
            prepared += fmt::format("    {} = np.zeros([int(each) for each in ({},)], np.{})\n", each.name,
                                    fmt::join(array->lengths, ", "), type);
        }
    }
    for (const ReferenceArray& array : arrays) {
        if (!array.output) continue;
        if (std::ranges::find(function.parameters, array.name, &KernelParameter::name) == function.parameters.end())
            throw UsageError(
                fmt::format("--reference: {}() takes no `{}`, which it is to compute", function.name, array.name));
        results.push_back(array.name);
    }
    parameters.insert(parameters.end(), numbers.begin(), numbers.end());
    return {.file = file.path,
            .function = function.name,
            .python = fmt::format(
                fmt::runtime(kPython), fmt::arg("entry_parameters", fmt::join(entry_parameters, ", ")),
                fmt::arg("function", function.name), fmt::arg("entry_arguments", fmt::join(entry_arguments, ", ")),
                fmt::arg("parameters", fmt::join(parameters, ", ")), fmt::arg("prepared", prepared),
                fmt::arg("arguments", fmt::join(arguments, ", ")), fmt::arg("results", fmt::join(results, ", ")))};
}

}  // namespace lanework
