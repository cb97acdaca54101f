// Files: what is translated, where it goes, what a build learns about it, and what is left after an error.
#include "tests/cudafe/translation.hpp"

namespace lanework::cudafe {
namespace {

namespace fs = std::filesystem;

constexpr const char* kTile = "#pragma once\nvoid tile() { __shared__ int a; }\n";

Outcome cudafe(const std::string& arguments) { return run(shell_quoted(LANEWORK_CUDAFE) + ' ' + arguments); }

std::string without_first_lines(const std::string& text, int lines) {
    std::size_t start = 0;
    for (; lines > 0; --lines) start = text.find('\n', start) + 1;
    return text.substr(start);
}

TEST(Program, HeadsTheOutputWithTheRuntimeAndTheLine) {
    const Folder folder;
    const fs::path input = folder.write("a \"b\".cu", "int x;");
    const Translation result = translate_program({input, folder / "out.cpp", {}});
    ASSERT_EQ(result.files.size(), 1u);
    std::string path = input.string();
    path.replace(path.find("\"b\""), 3, "\\\"b\\\"");
    EXPECT_EQ(result.files.at(folder / "out.cpp"),
              "#define __CUDACC__ 1\n#include <cuda_runtime.h>\n#line 1 \"" + path + "\"\nint x;");
}

TEST(Program, TranslatesIncludedFilesThatNeedItAndThoseThatIncludeThem) {
    const Folder folder;
    folder.write("deep/tile.cuh", kTile);
    folder.write("deep/plain.h", "#pragma once\n");
    const fs::path outer = folder.write("outer.h", "#include \"deep/tile.cuh\"\n#include \"deep/plain.h\"\n");
    const fs::path main = folder.write("main.cu", "#include \"outer.h\"\n#include \"missing.h\"\n#include <vector>\n");
    const fs::path out = folder / "build/main.cpp";
    const Translation result = translate_program({main, out, {}});

    const std::string copies = out.string() + ".includes";
    ASSERT_EQ(result.files.size(), 3u);
    EXPECT_EQ(without_first_lines(result.files.at(out), 3),
              "#include \"" + copies + outer.string() + "\"\n#include \"missing.h\"\n#include <vector>\n");
    EXPECT_EQ(result.files.at(copies + outer.string()), "#line 1 \"" + outer.string() + "\"\n#include \"" + copies +
                                                            (folder / "deep/tile.cuh").string() + "\"\n#include \"" +
                                                            (folder / "deep/plain.h").string() + "\"\n");
    EXPECT_EQ(result.read.size(), 4u);
}

TEST(Program, LooksForIncludesInTheGivenFoldersAfterTheFilesOwn) {
    const Folder folder;
    folder.write("a/one.h", kTile);
    folder.write("b/one.h", "");
    folder.write("b/two.h", "");
    folder.write("main/two.h", kTile);
    const fs::path main = folder.write("main/main.cu", "#include \"one.h\"\n#include \"two.h\"\n");
    const fs::path out = folder / "out.cpp";
    const std::string copies = out.string() + ".includes";
    EXPECT_EQ(without_first_lines(translate_program({main, out, {folder / "a", folder / "b"}}).files.at(out), 3),
              "#include \"" + copies + (folder / "a/one.h").string() + "\"\n#include \"" + copies +
                  (folder / "main/two.h").string() + "\"\n");
    EXPECT_EQ(without_first_lines(translate_program({main, out, {folder / "b", folder / "a"}}).files.at(out), 3)
                  .substr(0, 17),
              "#include \"one.h\"\n")
        << "a file that needs nothing and lies in a folder of the compiler's stays as it is";
}

TEST(Program, TranslatesLibrariesOfTheGivenFoldersButNotAToolkit) {
    const Folder folder;
    folder.write("library/tile.cuh", kTile);
    folder.write("library/odd.h", "it's prose\n");
    folder.write("toolkit/cuda_runtime_api.h", "");
    folder.write("toolkit/tile.cuh", kTile);
    const fs::path main = folder.write("main.cu", "#include <tile.cuh>\n#include <odd.h>\n");
    const fs::path out = folder / "out.cpp";
    const auto text = [&](const fs::path& searched) {
        return without_first_lines(translate_program({main, out, {searched}}).files.at(out), 3);
    };
    EXPECT_EQ(text(folder / "library"), "#include <" + out.string() + ".includes" +
                                            (folder / "library/tile.cuh").string() + ">\n#include <odd.h>\n");
    EXPECT_EQ(text(folder / "toolkit"), "#include <tile.cuh>\n#include <odd.h>\n");
}

TEST(Program, EndsWithFilesThatIncludeEachOther) {
    const Folder folder;
    folder.write("a.h", "#pragma once\n#include \"b.h\"\n#include \"main.cu\"\n");
    folder.write("b.h", "#pragma once\n#include \"a.h\"\nvoid b() { __shared__ int x; }\n");
    const fs::path main = folder.write("main.cu", "#include \"a.h\"\n");
    EXPECT_EQ(translate_program({main, folder / "out.cpp", {}}).files.size(), 3u);
}

TEST(Program, SharesTheWordsForSharedMemoryBetweenFiles) {
    const Folder folder;
    folder.write("words.h", "#define SHARED __shared__\n");
    const fs::path main = folder.write("main.cu", "#include \"words.h\"\nvoid k() { SHARED int a; }\n");
    EXPECT_NE(translate_program({main, folder / "out.cpp", {}}).files.at(folder / "out.cpp").find("int &a = "),
              std::string::npos);
}

TEST(Executable, WritesOutputsAndTheFilesTheyDependOn) {
    const Folder folder;
    folder.write("tile.cuh", kTile);
    const fs::path main = folder.write("main $.cu", "#include \"tile.cuh\"\n");
    const fs::path out = folder / "build/out.cpp", rule = folder / "build/out.d";
    EXPECT_EQ(cudafe(shell_quoted(main) + " -o " + shell_quoted(out) + " --depfile " + shell_quoted(rule)).output, "");
    EXPECT_TRUE(fs::exists(out));
    EXPECT_TRUE(fs::exists(out.string() + ".includes" + (folder / "tile.cuh").string()));
    const auto escaped = [](std::string text) {
        for (std::size_t at = 0; (at = text.find_first_of(" $", at)) != std::string::npos; at += 2)
            text.insert(at, text[at] == '$' ? "$" : "\\");
        return text;
    };
    EXPECT_EQ(read(rule), escaped(out) + ": \\\n  " + escaped(main) + " \\\n  " + escaped(folder / "tile.cuh") + "\n");
}

TEST(Executable, LeavesNothingAfterAnError) {
    const Folder folder;
    const fs::path good = folder.write("good.cu", "int x;\n"), bad = folder.write("bad.cu", "\n  k<<<1, 2>>>;\n");
    const std::string to = " -o " + shell_quoted(folder / "out/out.cpp");
    ASSERT_EQ(cudafe(shell_quoted(good) + to).status, 0);
    const Outcome outcome = cudafe(shell_quoted(bad) + to);
    EXPECT_EQ(outcome.status, 3);
    EXPECT_EQ(outcome.output, bad.string() +
                                  ":2:11: error: this launch has no arguments: expected kernel<<<grid, "
                                  "block>>>(arguments)\n");
    EXPECT_TRUE(fs::is_empty(folder / "out")) << "not even the output of the run before";
}

TEST(Executable, PointsAtTheIncludedFileThatIsMalformed) {
    const Folder folder;
    const fs::path header = folder.write("bad.cuh", "/* open\n");
    const fs::path main = folder.write("main.cu", "#include \"bad.cuh\"\n");
    EXPECT_EQ(cudafe(shell_quoted(main) + " -o " + shell_quoted(folder / "out.cpp")).output,
              header.string() + ":1:1: error: this comment does not end: expected */\n");
}

TEST(Executable, SaysWhatIsMissing) {
    const Folder folder;
    const std::string input = shell_quoted(folder.write("in.cu", ""));
    EXPECT_EQ(cudafe("").status, 2);
    EXPECT_EQ(cudafe(input).output, "lanework-cudafe: error: there is no output: name it with -o\n");
    EXPECT_EQ(cudafe(input + " -o").output, "lanework-cudafe: error: -o needs a value\n");
    EXPECT_EQ(cudafe(input + " --fast").output, "lanework-cudafe: error: there is no option --fast: see --help\n");
    EXPECT_EQ(cudafe(input + " -o " + input).status, 2);
    EXPECT_EQ(cudafe("--help").status, 0);
    const Outcome absent = cudafe(shell_quoted(folder / "no.cu") + " -o " + shell_quoted(folder / "out.cpp"));
    EXPECT_EQ(absent.status, 3);
    EXPECT_EQ(absent.output, (folder / "no.cu").string() + ": error: cannot be read: No such file or directory\n");
    EXPECT_EQ(cudafe(input + " -o /proc/nowhere/out.cpp").status, 3);
}

}  // namespace
}  // namespace lanework::cudafe
