// Binds by name, and writes the C++ that calls.
#include "src/program/ladder/binding.hpp"
#include "src/program/ladder/array_type.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <lanework/error.hpp>

namespace lanework {
namespace {

constexpr std::string_view kStreamType = "cudaStream_t", kWorkspace = "workspace", kThreads = "threads";

std::string without_words(const std::string& type, std::initializer_list<std::string_view> dropped) {
    std::string result, word;
    const auto flush = [&] {
        if (!word.empty() && std::find(dropped.begin(), dropped.end(), word) == dropped.end()) {
            if (!result.empty()) result += ' ';
            result += word;
        }
        word.clear();
    };
    for (const char c : type) {
        if (c == ' ' || c == '*' || c == '&') {
            flush();
            continue;
        }
        word += c;
    }
    flush();
    return result;
}

/// "const float *" → "float".
std::string element_of(const std::string& type) { return without_words(type, {"const", "volatile", "struct"}); }

/// "const std::int32_t *" → "int32": the element that a parameter points to, where its name is one that is known.
std::optional<DType> pointed_to(const std::string& type) { return element_type(element_of(type)); }

std::vector<Expression> lengths(const std::string& what, const std::string& text, const Description& description) {
    std::vector<Expression> result;
    const std::vector<std::string> known = value_names(description);
    for (const std::string& part : split_list(text)) {
        result.push_back(Expression::read(part));
        for (const std::string& name : result.back().names())
            if (std::ranges::find(known, name) == known.end())
                throw UsageError(fmt::format("{} `{}`: `{}` is no axis and no scalar of {}; there are: {}", what, text,
                                             name, description.name, fmt::join(known, ", ")));
    }
    if (result.size() > 3) throw UsageError(fmt::format("{} `{}` has {} lengths; 3 can be", what, text, result.size()));
    return result;
}

/// As a shell would leave it: "32, 4" is so written on a command line.
std::string without_quotes(const std::string& text) {
    const bool quoted = text.size() > 1 && (text.front() == '"' || text.front() == '\'') && text.back() == text.front();
    return quoted ? text.substr(1, text.size() - 2) : text;
}

class Binder {
public:
    Binder(const KernelFile& file, const Description& description, DeviceKind device)
        : file_(file), description_(description), device_(device) {}

    BoundFunction bind(const std::string& kernel, const LaunchShapeText& launch) {
        if (!description_.unbound.empty()) throw UsageError(description_.unbound);
        const std::string stated = kernel.empty() ? file_.state("kernel") : kernel;
        const std::string name(trimmed(std::string_view(stated).substr(0, stated.find('<'))));
        result_.function =
            device_ == DeviceKind::cpu ? file_.host_function(name, description_.name) : file_.function(name);
        result_.spelled = stated.empty() ? result_.function.name : stated;
        if (stated.find('<') == stated.npos && !result_.function.type_parameters.empty())
            result_.spelled += fmt::format("<{}>", fmt::join(result_.function.type_parameters, ", "));
        for (const KernelParameter& parameter : result_.function.parameters)
            result_.parameters.push_back(bind(parameter));
        if (result_.function.kernel) shape(launch);
        if (const std::string bytes = file_.state("workspace"); !bytes.empty())
            result_.workspace = lengths("workspace", bytes, description_).front();
        types();
        return std::move(result_);
    }

private:
    std::string where() const { return fmt::format("{}: {}()", file_.path.filename().string(), result_.function.name); }

    BoundParameter bind(const KernelParameter& parameter) const {
        const std::string bare = without_words(parameter.type, {"const"});
        if (bare == kStreamType) return {BoundParameter::Source::stream, 0, parameter.type};
        if (parameter.name.empty()) throw UsageError(fmt::format("{} has a parameter without a name", where()));
        const bool pointer = parameter.pointer();
        if (parameter.name == kWorkspace && pointer) return {BoundParameter::Source::workspace, 0, parameter.type};
        const auto array = std::ranges::find(description_.arrays, parameter.name, &OwnArray::name);
        if (array != description_.arrays.end()) {
            if (!pointer)
                throw UsageError(fmt::format("{}: its parameter `{}` is no pointer, and `{}` is an array", where(),
                                             parameter.name, parameter.name));
            return {BoundParameter::Source::array, static_cast<std::size_t>(array - description_.arrays.begin()),
                    parameter.type};
        }
        const std::vector<std::string> values = value_names(description_);
        const auto value = std::ranges::find(values, parameter.name);
        if (value == values.end() && device_ == DeviceKind::cpu && parameter.name == kThreads && !pointer)
            return {BoundParameter::Source::threads, 0, parameter.type};
        if (value == values.end() || pointer) {
            std::vector<std::string_view> arrays;
            for (const OwnArray& each : description_.arrays) arrays.push_back(each.name);
            throw UsageError(
                fmt::format("{}: nothing is called `{}`, as its parameter is; there are: {} (arrays), {} "
                            "(numbers)",
                            where(), parameter.name, fmt::join(arrays, ", "), fmt::join(values, ", ")));
        }
        return {BoundParameter::Source::value, static_cast<std::size_t>(value - values.begin()), parameter.type};
    }

    void shape(const LaunchShapeText& launch) {
        const auto stated = [&](const std::string& given, const char* key) {
            return without_quotes(given.empty() ? file_.state(key) : given);
        };
        const std::string grid = stated(launch.grid, "grid"), block = stated(launch.block, "block");
        if (grid.empty() || block.empty())
            throw UsageError(fmt::format("{}: with which {}? A first comment `// {}: …` says it, or --{}", where(),
                                         grid.empty() ? "grid" : "block", grid.empty() ? "grid" : "block",
                                         grid.empty() ? "grid" : "block"));
        try {
            result_.grid = lengths("grid", grid, description_);
            result_.block = lengths("block", block, description_);
            if (const std::string shared = stated(launch.shared, "shared"); !shared.empty())
                result_.shared = lengths("shared", shared, description_).front();
        } catch (const UsageError& error) {
            throw UsageError(fmt::format("{}: {}", where(), error.what()));
        }
    }

    /// A template is written for every type of the operation, anything else for those that its parameters name.
    void types() {
        std::vector<std::string> mismatches;
        for (const DType dtype : description_.types) {
            std::string mismatch;
            const bool sixteen_bits = dtype == DType::float16 || dtype == DType::bfloat16;
            if (device_ == DeviceKind::cpu && sixteen_bits && !result_.function.type_parameters.empty())
                mismatch = fmt::format("C++ has no {} to write it for", name_of(dtype));
            for (std::size_t i = 0; i < result_.parameters.size(); ++i) {
                const BoundParameter& parameter = result_.parameters[i];
                if (parameter.source != BoundParameter::Source::array) continue;
                const OwnArray& array = description_.arrays[parameter.which];
                const DType right = description_.dtype_of(array, dtype);
                const auto written = pointed_to(parameter.type);
                const bool signed_bytes = names_signed_bytes(element_of(parameter.type));
                const bool same_sign = signed_bytes == array.signed_bytes || (!written && !signed_bytes);
                if (same_sign && (!written || *written == right)) continue;
                mismatch = fmt::format("`{}` is an array of {}, and its parameter a {}", array.name,
                                       array.signed_bytes ? "int8" : name_of(right), parameter.type);
            }
            if (mismatch.empty())
                result_.types.push_back(dtype);
            else
                mismatches.push_back(mismatch);
        }
        if (result_.types.empty()) throw UsageError(fmt::format("{}: {}", where(), mismatches.front()));
    }

    const KernelFile& file_;
    const Description& description_;
    const DeviceKind device_;
    BoundFunction result_;
};

std::string argument(const BoundParameter& parameter, std::size_t arrays) {
    switch (parameter.source) {
        case BoundParameter::Source::array: return fmt::format("({})arrays[{}]", parameter.type, parameter.which);
        case BoundParameter::Source::workspace: return fmt::format("({})arrays[{}]", parameter.type, arrays);
        case BoundParameter::Source::value: return fmt::format("({})values[{}]", parameter.type, parameter.which);
        case BoundParameter::Source::threads: return fmt::format("({})shape[0]", parameter.type);
        case BoundParameter::Source::stream: break;
    }
    return "(cudaStream_t)stream";
}

}  // namespace

std::vector<std::string> value_names(const Description& description) {
    std::vector<std::string> names = description.axes;
    for (const OwnScalar& scalar : description.scalars) names.push_back(scalar.name);
    return names;
}

BoundFunction bind_by_name(const KernelFile& file, const Description& description, const std::string& kernel,
                           const LaunchShapeText& launch, DeviceKind device) {
    return Binder(file, description, device).bind(kernel, launch);
}

std::string launcher_name(DType dtype) { return fmt::format("lanework_launch_{}", name_of(dtype)); }

std::string launcher_source(const KernelFile& file, const BoundFunction& bound, const Description& description,
                            DeviceKind device) {
    const std::string_view end =
        device == DeviceKind::cuda ? "    return (int)cudaGetLastError();\n}\n" : "    return 0;\n}\n";
    std::string text = fmt::format("// Calls what {} defines, with arguments bound by name.\n#include \"{}\"\n",
                                   file.path.filename().string(), file.path.string());
    for (const DType dtype : {DType::float16, DType::bfloat16})
        if (device != DeviceKind::cpu && std::ranges::find(bound.types, dtype) != bound.types.end())
            text += dtype == DType::float16 ? "#include <cuda_fp16.h>\n" : "#include <cuda_bf16.h>\n";
    std::vector<std::string> arguments;
    for (const BoundParameter& parameter : bound.parameters)
        arguments.push_back(argument(parameter, description.arrays.size()));
    for (const DType dtype : bound.types) {
        text += fmt::format(
            "extern \"C\" int {}(void* const* arrays, const double* values, const unsigned* shape,\n"
            "                     unsigned long long shared, void* stream) {{\n"
            "    (void)arrays, (void)values, (void)shape, (void)shared, (void)stream;\n",
            launcher_name(dtype));
        for (const std::string& type : bound.function.type_parameters)
            text += fmt::format("    using {} = {};\n", type, cuda_name(dtype));
        if (bound.function.kernel && bound.shared)
            text += fmt::format(
                "    if (shared > 49152)\n"
                "        if (const cudaError_t error = cudaFuncSetAttribute({}, "
                "cudaFuncAttributeMaxDynamicSharedMemorySize, "
                "(int)shared))\n"
                "            return (int)error;\n",
                bound.spelled);
        if (bound.function.kernel)
            // The launch stands where the kernel does: that is the file that its user knows.
            text += fmt::format(
                "#line {} \"{}\"\n"
                "    {}<<<dim3(shape[0], shape[1], shape[2]), dim3(shape[3], shape[4], shape[5]), shared, "
                "(cudaStream_t)stream>>>({});\n",
                bound.function.line, file.path.string(), bound.spelled, fmt::join(arguments, ", "));
        else
            text += fmt::format("    {}({});\n", bound.spelled, fmt::join(arguments, ", "));
        text += end;
    }
    return text;
}

}  // namespace lanework
