// The table is generated from examples/wrong (src/CMakeLists.txt).
#include "src/cli/wrong_programs.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <lanework/error.hpp>

#include "src/draw/style.hpp"
#include "src/io/file.hpp"
#include "src/program/program_cache.hpp"
#include "wrong_programs.inc"

namespace lanework {
namespace {

constexpr std::string_view kFolder = "wrong/", kFinding = "finding: ", kSchedule = ", wrong under --schedule ";

/// The lines of the comment that opens the program.
std::vector<std::string_view> comment_of(std::string_view source) {
    std::vector<std::string_view> lines;
    while (source.starts_with("// ")) {
        const std::size_t end = std::min(source.find('\n'), source.size());
        lines.push_back(source.substr(3, end - 3));
        source.remove_prefix(std::min(end + 1, source.size()));
    }
    return lines;
}

const WrongProgram& find_wrong_program(std::string_view name) {
    std::vector<std::string_view> names;
    for (const WrongProgram& each : wrong_programs()) {
        if (each.name == name) return each;
        names.push_back(each.name);
    }
    throw UsageError(fmt::format("there is no program `wrong/{}`; there are: {}", name, fmt::join(names, ", ")));
}

}  // namespace

std::span<const WrongProgram> wrong_programs() { return kWrongPrograms; }

std::string WrongProgram::lesson() const {
    std::string text;
    for (const std::string_view line : comment_of(source))
        if (!line.starts_with(kFinding)) text += fmt::format("{}{}", text.empty() ? "" : " ", line);
    return text.starts_with("Wrong: ") ? text.substr(7) : text;
}

std::string WrongProgram::finding() const {
    for (const std::string_view line : comment_of(source))
        if (line.starts_with(kFinding))
            return std::string(line.substr(kFinding.size(), line.find(kSchedule) - kFinding.size()));
    return {};
}

std::uint64_t WrongProgram::schedule() const {
    std::uint64_t seed = 0;
    for (const std::string_view line : comment_of(source))
        if (const auto at = line.find(kSchedule); line.starts_with(kFinding) && at != line.npos)
            std::from_chars(line.data() + at + kSchedule.size(), line.data() + line.size(), seed);
    return seed;
}

std::string list_wrong_programs(std::size_t columns) {
    std::size_t widest = 0;
    for (const WrongProgram& each : wrong_programs()) widest = std::max(widest, kFolder.size() + each.name.size());
    const std::size_t room = columns == 0 ? 0 : std::max<std::size_t>(columns, widest + 30) - widest - 2;
    std::string text;
    for (const WrongProgram& each : wrong_programs()) {
        std::string name = fmt::format("{}{}", kFolder, each.name);
        const std::string luck =
            each.schedule() == 0 ? ""
                                 : fmt::format(" Comes out right by luck; --schedule {} shows it.", each.schedule());
        for (const std::string& line :
             wrap(fmt::format("{} Found as {}.{}", each.lesson(), each.finding(), luck), room)) {
            text += fmt::format("{}  {}\n", pad_right(name, widest), line);
            name.clear();
        }
    }
    return text +
           "\n`lanework explain wrong/NAME` and `lanework check wrong/NAME` run one and show where it goes wrong.\n";
}

namespace {

/// Whether the words say which schedule is followed.
bool say_schedule(std::span<const std::string> words) {
    return std::ranges::any_of(
        words, [](const std::string& word) { return word == "--schedule" || word.starts_with("--schedule="); });
}

}  // namespace

std::vector<const WrongProgram*> put_wrong_programs(std::vector<std::string>& words) {
    constexpr std::string_view kCommands[] = {"run", "check", "explain", "report", "cc"};
    std::vector<const WrongProgram*> found;
    if (words.empty() || std::ranges::find(kCommands, words.front()) == std::end(kCommands)) return found;
    const auto end = std::ranges::find(words, "--");
    for (auto word = words.begin(); word != end; ++word) {
        if (!word->starts_with(kFolder) || std::filesystem::exists(*word)) continue;
        std::string_view name = std::string_view(*word).substr(kFolder.size());
        if (name.ends_with(".cu")) name.remove_suffix(3);
        const WrongProgram& program = find_wrong_program(name);
        static const ProgramCache cache;  // of which one without a place of its own goes with the process
        const std::filesystem::path path = cache.folder() / "wrong" / fmt::format("{}.cu", name);
        cache.write(path, program.source);
        *word = path.string();
        found.push_back(&program);
    }
    const bool may_be_drawn = words.front() == "check" || words.front() == "explain";
    if (found.size() == 1 && found.front()->schedule() > 0 && may_be_drawn &&
        !say_schedule({words.begin(), std::ranges::find(words, "--")}))
        words.insert(words.begin() + 1, fmt::format("--schedule={}", found.front()->schedule()));
    return found;
}

}  // namespace lanework
