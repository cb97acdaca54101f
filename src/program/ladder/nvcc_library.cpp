// nvcc reads files: what stands in for them is written to the cache.
#include "src/program/ladder/nvcc_library.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <lanework/error.hpp>

#include "src/core/compilation_error.hpp"
#include "src/io/file.hpp"
#include "src/program/child_process.hpp"
#include "src/program/digest.hpp"
#include "src/program/ladder/kernel_file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Libraries of nvcc's, by the content of what they are made of.
constexpr const char* kCudaLibraries = "cuda-rungs";
constexpr const char* kTunedSources = "tuned-sources";

/// The section of code that is linked by nvcc.
constexpr std::string_view kRelocatable = "__nv_relfatbin";

/// Whether device code of several files is linked together: of sources, or of objects that were made for it.
bool links_device_code(const BuildWords& more) {
    return std::ranges::any_of(more.sources(), [](const fs::path& each) { return is_cuda_file(each.string()); }) ||
           std::ranges::any_of(more.binaries(), [](const fs::path& each) {
               return each.extension() != ".so" && text_of(each).find(kRelocatable) != std::string::npos;
           });
}

}  // namespace

fs::path build_with_nvcc(const NvccLibrary& library, const Build& build, ProgramCache& cache) {
    const fs::path nvcc = find_program("nvcc");
    if (nvcc.empty())
        throw UnavailableError(
            fmt::format("{} is built for cuda with nvcc, and there is none on the path", library.shown));
    Digest content;
    content.add(file_identity(nvcc)).add(library.architecture).add(library.source.string());
    for (const std::string& option : library.options) content.add(option);
    for (const fs::path& each : library.read) content.add(each.string()).add(text_of(each));
    const BuildWords nothing, &more = library.more ? *library.more : nothing;
    std::vector<fs::path> sources = more.sources();
    sources.push_back(library.source);
    for (const fs::path& each : files_of(sources, more.header_folders())) content.add(each.string()).add(text_of(each));
    for (const std::string& word : more.words) content.add(word);
    for (const fs::path& each : more.binaries()) content.add(file_identity(each));
    const std::string name = library.name + ".so", key = content.text();
    if (const fs::path known = cache.find(kCudaLibraries, key, name); !known.empty()) return known;
    const fs::path made = cache.temporary() / name, said = cache.temporary() / "nvcc.txt";
    std::vector<std::string> command{nvcc.string(), "-shared", "-Xcompiler", "-fPIC", "-arch=" + library.architecture};
    // What two libraries call alike, a template's static variable say, is each one's own.
    if (build.toolchain.family == CompilerFamily::gnu) command.insert(command.end(), {"-Xcompiler", "-fno-gnu-unique"});
    command.insert(command.end(), library.options.begin(), library.options.end());
    if (links_device_code(more)) command.emplace_back("-rdc=true");
    command.push_back(library.source.string());
    command.insert(command.end(), more.words.begin(), more.words.end());
    for (const fs::path& each : more.library_folders())
        command.insert(command.end(), {"-Xlinker", "-rpath=" + each.string()});
    command.insert(command.end(), {"-o", made.string()});
    const int status = run_program({.command = command, .environment = in_english(), .output = said, .errors = said});
    if (build.tell) build.tell(text_of(said));
    if (status != 0) throw CompilationError(fmt::format("nvcc does not compile {}", library.shown));
    return cache.keep(made, kCudaLibraries, key, name);
}

fs::path copy_with_texts(const fs::path& file, const IncludeRoot& root, const SourceTexts& texts,
                         const ProgramCache& cache) {
    Digest content;
    for (const auto& [path, text] : texts) content.add(path.string()).add(text);
    const std::string key = content.text();
    for (const fs::path& each : sources_of(file, root)) {
        const auto other = texts.find(each);
        const std::string text = other == texts.end() ? text_of(each) : other->second;
        cache.write(cache.place(kTunedSources, key, root.name_of(each).string()),
                    fmt::format("#line 1 \"{}\"\n{}", each.string(), text));
    }
    return cache.place(kTunedSources, key, ".").parent_path();
}

}  // namespace lanework
