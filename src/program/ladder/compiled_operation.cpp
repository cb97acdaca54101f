// Its headers are found by the name that its files include them by, ops/NAME/…: files in the cache lead to them.
#include "src/program/ladder/compiled_operation.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>
#include <set>

#include "src/core/compilation_error.hpp"
#include "src/io/file.hpp"
#include "src/program/digest.hpp"
#include "src/program/ladder/expression.hpp"
#include "src/program/ladder/kernel_file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr const char* kOperations = "operations";

constexpr std::string_view kHeaders[] = {".hpp", ".cuh", ".h"};

/// A folder whose ops/NAME holds what this one's headers are, each by its own path.
fs::path headers_by_name(const fs::path& folder, const std::string& name, const ProgramCache& cache) {
    const std::string key = Digest().add(folder.string()).text();
    for (const fs::directory_entry& each : fs::recursive_directory_iterator(folder)) {
        const fs::path& file = each.path();
        if (std::ranges::find(kHeaders, file.extension().string()) == std::end(kHeaders)) continue;
        const fs::path inside = fs::path("ops") / name / file.lexically_relative(folder);
        cache.write(cache.place(kOperations, key, inside.string()), fmt::format("#include \"{}\"\n", file.string()));
    }
    return cache.place(kOperations, key, "ops").parent_path();
}

}  // namespace

std::optional<std::string> compiled_operation_name(const fs::path& folder) {
    constexpr std::string_view kMacro = "\nLANEWORK_OPERATION(";
    const std::string text = text_of(folder / kOperationFile);
    const std::size_t at = text.find(kMacro);
    if (at == text.npos) return {};
    const std::size_t begin = at + kMacro.size();
    const std::string name(trimmed(std::string_view(text).substr(begin, text.find(',', begin) - begin)));
    return is_name(name) ? std::optional(name) : std::nullopt;
}

CompiledOperation compile_operation(const fs::path& folder, const Build& build) {
    const std::string name = compiled_operation_name(folder).value();
    const fs::path whole = fs::canonical(folder), root = find_sources();
    const std::string shown = shown_path(whole / kOperationFile);
    if (root.empty() || !fs::exists(root / "src/core/fill.hpp"))
        throw UnavailableError(fmt::format("{} is compiled with headers of the library, which are not here", shown));
    static ProgramCache cache;  // rungs that are compiled later are linked with what it holds
    CompiledOperation result{.operation = nullptr, .folder = whole, .place = {}};
    const bool ours = whole == root / "ops" / name;
    result.place.root = ours ? IncludeRoot(root) : IncludeRoot(whole, fs::path("ops") / name);
    if (!ours) result.place.includes.push_back(headers_by_name(whole, name, cache));
    result.place.includes.push_back(root);

    BuildRequest request;
    std::set<fs::path> sources;
    for (const fs::directory_entry& each : fs::directory_iterator(whole))
        if (each.path().extension() == ".cpp" && each.is_regular_file()) sources.insert(each.path());
    for (const fs::path& each : sources) {
        request.inputs.push_back(each.string());
        request.languages.emplace_back("c++");
    }
    request.inputs.emplace_back("-Wl,-Bsymbolic-functions");  // the program may hold an operation of this name
    request.languages.emplace_back();
    for (const fs::path& each : result.place.includes) request.preprocess.push_back("-I" + each.string());
    request.preprocess.push_back("-I" + build.toolchain.public_headers.string());
    request.compile = {"-std=gnu++20", "-fPIC"};
    if (build.toolchain.family == CompilerFamily::gnu) request.compile.emplace_back("-fno-gnu-unique");
    request.shared = true;
    Build plain = build;
    plain.instrumentation = Instrumentation::none;
    plain.for_this_process = true;
    result.place.operation = build_program(plain, cache, request);
    void* const handle = dlopen(result.place.operation.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (!handle) refuse_library(shown, dlerror());
    result.operation = static_cast<const Operation*>(dlsym(handle, ("lanework_operation_" + name).c_str()));
    if (!result.operation) throw CompilationError(fmt::format("{} defines no operation {}", shown, name));
    return result;
}

}  // namespace lanework
