// Objects, libraries and rules for make, where nvcc would put them.
#include "src/program/driver.hpp"

#include <fmt/format.h>

#include <fstream>
#include <lanework/error.hpp>

#include "src/core/compilation_error.hpp"
#include "src/io/file.hpp"
#include "src/program/child_process.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

struct Source {
    fs::path file;
    std::string language;
};

std::vector<Source> sources_of(const BuildRequest& request) {
    std::vector<Source> sources;
    for (std::size_t i = 0; i < request.inputs.size(); ++i)
        if (is_source(request.inputs[i], request.languages[i]))
            sources.push_back({request.inputs[i], request.languages[i]});
    return sources;
}

void write_text(const fs::path& file, const std::string& text) {
    std::ofstream stream(file, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) throw FileError(fmt::format("{}: cannot be written", file.string()));
}

/// What "file.cu" is called when it was compiled: "file.o" in the folder that -odir names.
fs::path object_name(const BuildRequest& request, const fs::path& source) {
    fs::path name = source.filename().replace_extension(".o");
    return request.output_folder.empty() ? name : fs::path(request.output_folder) / name;
}

/// The rule for make of a compiled file, as -MD and the options with it ask for it.
std::string dependency_rule(const BuildRequest& request, const fs::path& object, const CompiledFile& file) {
    const auto escaped = [](const std::string& path) {
        std::string text;
        for (const char c : path)
            text += c == ' ' || c == '#' ? std::string("\\") + c : c == '$' ? "$$" : std::string(1, c);
        return text;
    };
    std::error_code error;
    const std::string here = fs::current_path(error).string() + "/";
    std::vector<std::string> names;
    for (const fs::path& each : file.read) {
        std::string name = each.string();
        if (!request.system_dependencies && (name.starts_with("/usr/") || name.find("/lanework_simt/") != name.npos))
            continue;
        if (name.starts_with(here)) name.erase(0, here.size());
        names.push_back(escaped(name));
    }
    std::string rule = (request.dependency_target.empty() ? escaped(object.string()) : request.dependency_target) + ":";
    for (const std::string& name : names) rule += " \\\n  " + name;
    rule += "\n";
    if (request.phony_dependencies)
        for (std::size_t i = 1; i < names.size(); ++i) rule += names[i] + ":\n";
    return rule;
}

/// The rule of an object goes where -MF says, or else beside the object.
void write_rule(const BuildRequest& request, const fs::path& object, const CompiledFile& file) {
    if (!request.dependencies) return;
    const fs::path rule =
        request.dependency_file.empty() ? fs::path(object).replace_extension(".d") : fs::path(request.dependency_file);
    write_text(rule, dependency_rule(request, object, file));
}

void compile_all(const Build& build, ProgramCache& cache, const BuildRequest& request) {
    const std::vector<Source> sources = sources_of(request);
    if (sources.empty()) throw UsageError("there is no file to compile");
    if (sources.size() > 1 && !request.output.empty())
        throw UsageError(
            fmt::format("-o {} names one object, and there are {} files to compile", request.output, sources.size()));
    for (const Source& source : sources) {
        const CompiledFile file = compile_file(build, cache, request, source.file, source.language);
        const fs::path object = request.output.empty() ? object_name(request, source.file) : fs::path(request.output);
        copy_into_place(file.object, object);
        write_rule(request, object, file);
    }
}

std::string rules(const Build& build, ProgramCache& cache, const BuildRequest& request) {
    std::string text;
    for (const Source& source : sources_of(request)) {
        const CompiledFile file = compile_file(build, cache, request, source.file, source.language);
        text += dependency_rule(request, object_name({}, source.file), file);
    }
    if (request.output.empty()) return text;
    write_text(request.output, text);
    return {};
}

std::string preprocess_all(const Build& build, ProgramCache& cache, const BuildRequest& request) {
    std::string text;
    for (const Source& source : sources_of(request)) {
        const fs::path output = cache.temporary() / "preprocessed";
        preprocess_file(build, cache, request, source.file, source.language, output);
        text += text_of(output);
    }
    if (request.output.empty()) return text;
    write_text(request.output, text);
    return {};
}

/// A static library of the objects among the inputs and of those that the sources become.
void archive(const Build& build, ProgramCache& cache, const BuildRequest& request) {
    const fs::path ar = find_program("ar");
    if (ar.empty()) throw UnavailableError("static libraries are made with ar, and there is none on the path");
    const fs::path made = cache.temporary() / "archive.a";
    std::vector<std::string> command{ar.string(), "rcs", made.string()};
    for (std::size_t i = 0; i < request.inputs.size(); ++i) {
        const std::string& input = request.inputs[i];
        if (input.starts_with("-")) continue;
        if (!is_source(input, request.languages[i])) {
            command.push_back(input);
            continue;
        }
        // Members of the archive are recognised by their names.
        const fs::path member = cache.temporary() / fs::path(input).filename().replace_extension(".o");
        copy_into_place(compile_file(build, cache, request, input, request.languages[i]).object, member);
        command.push_back(member.string());
    }
    if (run_program(ChildProcess{.command = command}) != 0)
        throw CompilationError("ar makes no library of these files");
    copy_into_place(made, request.output.empty() ? "a.a" : request.output);
}

/// The object that nvcc makes of the device code of several: here they are linked as they stand, and it is empty.
void link_device_code(const Build& build, ProgramCache& cache, const BuildRequest& request) {
    const fs::path empty = cache.temporary() / "device_code.cpp";
    write_text(empty, "\n");
    BuildRequest plain;
    for (const std::string& word : request.compile)
        if (word.starts_with("-f") || word.starts_with("-m")) plain.compile.push_back(word);
    copy_into_place(compile_file(build, cache, plain, empty, "c++").object,
                    request.output.empty() ? "a_dlink.o" : request.output);
}

}  // namespace

std::string drive(const Build& build, ProgramCache& cache, const BuildRequest& request) {
    if (request.inputs.empty()) throw UsageError("there is no file to compile or link");
    if (request.device_link) return link_device_code(build, cache, request), "";
    switch (request.stage) {
        case BuildRequest::Stage::compile: compile_all(build, cache, request); return {};
        case BuildRequest::Stage::preprocess: return preprocess_all(build, cache, request);
        case BuildRequest::Stage::depend: return rules(build, cache, request);
        case BuildRequest::Stage::archive: archive(build, cache, request); return {};
        case BuildRequest::Stage::link: break;
    }
    BuildRequest whole = request;
    if (whole.output.empty()) whole.output = request.shared ? "a.so" : "a.out";
    build_program(build, cache, whole);
    return {};
}

std::string driver_version() {
    return "lanework cc: nvcc's options for programs that need no GPU\n"
           "The CUDA runtime's interface, release 13.0, V13.0\n";
}

}  // namespace lanework
