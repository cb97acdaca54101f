// The compiler's answer comes out of its cell as JSON.
#include "src/program/ladder/judged_compilation.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <system_error>
#include <utility>

#include "src/io/file.hpp"
#include "src/io/json.hpp"
#include "src/program/compiler_messages.hpp"
#include "src/program/ladder/evasions.hpp"
#include "src/program/ladder/kernel_file.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// Of addresses that a compiler may use.
constexpr std::size_t kCompilerBytes = std::size_t{8} << 30;

/// The rung's own sources: its file, and those that it says it is built with.
std::vector<fs::path> own_sources(const OwnRung& rung) {
    std::vector<fs::path> sources = rung.own_build_words().sources();
    sources.insert(sources.begin(), rung.file());
    return sources;
}

}  // namespace

std::vector<fs::path> own_files(const OwnRung& rung) {
    return files_of(own_sources(rung), rung.own_build_words().header_folders());
}

CompiledRung compile_in_cell(const OwnRung& rung, const Build& build, const JudgeOptions& options) {
    ProgramCache cache;
    const Toolchain& toolchain = build.toolchain;
    std::error_code error;
    ConfinementWishes wishes{
        .seconds = options.seconds,
        .bytes = kCompilerBytes,
        .readable = {rung.file().parent_path(), toolchain.headers, toolchain.public_headers, toolchain.cccl,
                     toolchain.library.parent_path(), toolchain.compiler.parent_path(),
                     fs::canonical(toolchain.compiler, error).parent_path(), "/usr", "/lib", "/lib64", "/bin", "/opt",
                     "/etc/ld.so.cache", "/etc/alternatives", "/proc", "/sys/devices/system/cpu", "/dev/null"},
        .writable = {cache.folder(), cache.temporary(), "/dev/null"},
        .forbidden = nullptr};
    const BuildWords& words = rung.build_words();
    for (const fs::path& source : words.sources()) wishes.readable.push_back(source.parent_path());
    for (const auto& folders : {words.header_folders(), words.library_folders()})
        wishes.readable.insert(wishes.readable.end(), folders.begin(), folders.end());
    if (const fs::path thrust = fs::canonical(toolchain.cccl / "thrust", error); !error)  // which may be a link
        wishes.readable.push_back(thrust.parent_path());
    Build listening = build;
    std::string said;
    listening.tell = [&](std::string_view text) { said += text; };
    const ConfinedText answer = run_confined(wishes, [&] {
        setenv("TMPDIR", cache.temporary().c_str(), 1);  // the compiler's own
        try {
            for (const fs::path& source : pastes_words(own_files(rung)) ? own_sources(rung) : std::vector<fs::path>()) {
                const fs::path text = cache.temporary() / "preprocessed";
                preprocess_file(listening, cache, words.request, source, "c++", text);  // as it is written
                const std::string evasion = evading_word_of_preprocessed(rung.file(), text_of(text));
                if (!evasion.empty()) return Json{{"evasion", evasion}, {"said", said}}.dump();
            }
            std::vector<fs::path> objects;
            const fs::path library = rung.build(listening, cache, "native", &objects);
            Json names = Json::array();
            for (const fs::path& each : objects) names.push_back(each.string());
            return Json{{"library", library.string()}, {"objects", names}, {"said", said}}.dump();
        } catch (const std::exception& failure) {
            return Json{{"failure", failure.what()}, {"said", said}}.dump();
        }
    });
    const Json json = Json::parse_or_null(answer.text);
    if (answer.late || !json.is_object())
        throw FaultFound{Fault::does_not_compile, fmt::format("compiling took more than {:.3g} s or {} MiB",
                                                              options.seconds, kCompilerBytes >> 20)};
    if (json.contains("evasion")) throw FaultFound{Fault::evades_watch, json.value("evasion", "")};
    const std::string told = json.value("said", "");
    if (build.tell) build.tell(told);
    if (!json.contains("library")) {
        const std::string reason = first_error_with_place(told);
        throw FaultFound{Fault::does_not_compile, reason.empty() ? json.value("failure", "") : reason};
    }
    CompiledRung compiled{.library = json["library"].get<std::string>(), .objects = {}, .said = told};
    for (const Json& each : json["objects"]) compiled.objects.emplace_back(each.get<std::string>());
    return compiled;
}

}  // namespace lanework
