// Conversions between arithmetic types are made by name; everything else has to be as wide as its parameter.
#include "src/trace/record/machine_arguments.hpp"

#include <cxxabi.h>
#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <lanework_simt/launch.hpp>
#include <memory>
#include <optional>
#include <string_view>
#include <typeinfo>

#include "src/gpu/kernel_records.hpp"

namespace lanework {
namespace {

std::string name_of_type(const std::type_info& type) {
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(type.name(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 ? text.get() : type.name();
}

/// A number of any arithmetic type.
struct Number {
    bool floating = false;
    long double real = 0;
    std::uint64_t whole = 0;
    bool is_signed = false;
};

template <class T>
Number read(const std::byte* bytes) {
    T value;
    std::memcpy(&value, bytes, sizeof value);
    Number number;
    number.floating = std::is_floating_point_v<T>;
    number.is_signed = std::is_signed_v<T>;
    number.real = static_cast<long double>(value);
    if constexpr (!std::is_floating_point_v<T>) number.whole = static_cast<std::uint64_t>(value);
    return number;
}
template <class T>
void write(const Number& number, std::byte* bytes) {
    T value{};
    if constexpr (std::is_floating_point_v<T>) {
        value = static_cast<T>(number.real);
    } else {
        value = number.floating ? static_cast<T>(number.real) : static_cast<T>(number.whole);
    }
    std::memcpy(bytes, &value, sizeof value);
}

struct Arithmetic {
    std::string_view name;
    std::size_t bytes;
    Number (*read)(const std::byte*);
    void (*write)(const Number&, std::byte*);
};
template <class T>
constexpr Arithmetic arithmetic(std::string_view name) {
    return {name, sizeof(T), read<T>, write<T>};
}
constexpr Arithmetic kTypes[] = {
    arithmetic<bool>("bool"),
    arithmetic<char>("char"),
    arithmetic<signed char>("signed char"),
    arithmetic<unsigned char>("unsigned char"),
    arithmetic<short>("short"),
    arithmetic<unsigned short>("unsigned short"),
    arithmetic<int>("int"),
    arithmetic<unsigned>("unsigned int"),
    arithmetic<long>("long"),
    arithmetic<unsigned long>("unsigned long"),
    arithmetic<long long>("long long"),
    arithmetic<unsigned long long>("unsigned long long"),
    arithmetic<float>("float"),
    arithmetic<double>("double"),
};
const Arithmetic* find(std::string_view name) {
    for (const Arithmetic& type : kTypes)
        if (type.name == name) return &type;
    return nullptr;
}

void add_bases(const std::type_info& type, std::size_t offset, std::vector<KeptBase>& bases) {
    const auto add = [&](const std::type_info& base, std::size_t at) {
        bases.push_back({name_of_type(base), at});
        add_bases(base, at, bases);
    };
    if (const auto* const one = dynamic_cast<const abi::__si_class_type_info*>(&type)) {
        add(*one->__base_type, offset);
    } else if (const auto* const several = dynamic_cast<const abi::__vmi_class_type_info*>(&type)) {
        for (unsigned i = 0; i < several->__base_count; ++i) {
            const abi::__base_class_type_info& base = several->__base_info[i];
            if (!base.__is_virtual_p()) add(*base.__base_type, offset + static_cast<std::size_t>(base.__offset()));
        }
    }
}

}  // namespace

std::vector<KeptBase> bases_of(const std::type_info& type) {
    std::vector<KeptBase> bases;
    add_bases(type, 0, bases);
    return bases;
}

std::vector<KeptArgument> keep_arguments(const lanework_simt::Launch& launch) {
    std::vector<KeptArgument> kept;
    if (!launch.arguments) return kept;
    launch.arguments(
        launch.closure,
        [](void* seer, const lanework_simt::Argument& argument) {
            const auto* const first = static_cast<const std::byte*>(argument.data);
            static_cast<std::vector<KeptArgument>*>(seer)->push_back(
                {{first, first + argument.bytes}, name_of_type(*argument.type), bases_of(*argument.type)});
        },
        &kept);
    return kept;
}

std::vector<std::string> parameter_types(const std::string& symbol) {
    const std::string name = demangled(symbol.c_str());
    std::vector<std::string> types;
    // The last parenthesis closes the parameters.
    const auto close = name.rfind(')');
    if (close == name.npos) return types;
    int depth = 0;
    std::size_t open = close;
    for (;; --open) {
        depth += name[open] == ')' ? 1 : name[open] == '(' ? -1 : 0;
        if (depth == 0 || open == 0) break;
    }
    std::size_t start = open + 1;
    depth = 0;
    for (std::size_t at = start; at <= close; ++at) {
        const char c = name[at];
        if ((c == ',' && depth == 0) || at == close) {
            while (start < at && name[start] == ' ') ++start;
            if (at > start) types.push_back(name.substr(start, at - start));
            start = at + 1;
        }
        depth += c == '(' || c == '<' || c == '[' || c == '{'   ? 1
                 : c == ')' || c == '>' || c == ']' || c == '}' ? -1
                                                                : 0;
    }
    return types;
}

LaidOutParameters lay_out(const MachineKernel& kernel, const std::vector<KeptArgument>& arguments) {
    LaidOutParameters result;
    if (arguments.size() != kernel.parameters.size()) {
        result.error = fmt::format("the launch gives {} arguments and its machine code takes {}", arguments.size(),
                                   kernel.parameters.size());
        return result;
    }
    const std::vector<std::string> types = parameter_types(kernel.symbol);
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const MachineParameter& parameter = kernel.parameters[i];
        const KeptArgument& argument = arguments[i];
        if (result.bytes.size() < parameter.offset + parameter.bytes)
            result.bytes.resize(parameter.offset + parameter.bytes);
        std::byte* const into = result.bytes.data() + parameter.offset;
        const Arithmetic* const given = find(argument.type);
        const Arithmetic* const wanted = i < types.size() ? find(types[i]) : nullptr;
        // A kernel that takes a class is given one that is derived from it.
        const auto base =
            i < types.size() ? std::ranges::find(argument.bases, types[i], &KeptBase::type) : argument.bases.end();
        if (given && wanted && wanted->bytes == parameter.bytes) {
            wanted->write(given->read(argument.bytes.data()), into);
        } else if (argument.bytes.size() == parameter.bytes && base == argument.bases.end()) {
            std::memcpy(into, argument.bytes.data(), parameter.bytes);
        } else if (base != argument.bases.end() && base->offset + parameter.bytes <= argument.bytes.size()) {
            std::memcpy(into, argument.bytes.data() + base->offset, parameter.bytes);
        } else if (given && i < types.size() && types[i].ends_with('*') &&
                   given->read(argument.bytes.data()).whole == 0) {
            std::memset(into, 0, parameter.bytes);  // 0 for a pointer
        } else {
            result.error = fmt::format("argument {} has {} bytes and the parameter of the machine code {}", i + 1,
                                       argument.bytes.size(), parameter.bytes);
            return result;
        }
    }
    return result;
}

}  // namespace lanework
