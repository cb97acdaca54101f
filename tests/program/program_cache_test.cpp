// What is kept of programs that were built: used again where nothing changed, within its bound, and not at all where
// nothing can be kept.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include "tests/program/programs.hpp"

namespace lanework {
namespace {

TEST(Run, CompilesOnceAndAgainWhenAHeaderChanged) {
    const Folder folder;
    folder.write("value.h", "#define VALUE 1\n");
    folder.write("a.cu", "#include <cstdio>\n#include \"value.h\"\nint main() { std::printf(\"%d\\n\", VALUE); }\n");
    folder.write("counting-g++", "#!/bin/sh\n[ \"$1\" = --version ] || echo called >> calls\nexec g++ \"$@\"\n");
    const std::string run = "cd '" + folder.string() +
                            "'; chmod +x counting-g++; export CXX=./counting-g++ XDG_CACHE_HOME=$PWD/cache\n"
                            "lanework run a.cu; wc -l < calls; lanework run a.cu; wc -l < calls\n"
                            "echo '#define VALUE 2' > value.h; lanework run a.cu\n"
                            "touch value.h; wc -l < calls; lanework run a.cu; wc -l < calls\n";
    // The second compilation precompiles the device's header.
    EXPECT_EQ(shell(run).out, "1\n2\n1\n2\n2\n5\n2\n5\n");
    EXPECT_TRUE(std::filesystem::is_empty(folder / "cache/lanework/programs/unfinished"));
}

TEST(Run, CompilesAgainWhereAnotherHeaderIsFoundFirst) {
    const Folder folder;
    std::filesystem::create_directories(folder / "first");
    folder.write("second/value.h", "#define VALUE 1\n");
    folder.write("second/other/value.h", "#define OTHER 1\n");
    folder.write("a.cu",
                 "#include <cstdio>\n#include \"value.h\"\n#include <other/value.h>\n"
                 "#if __has_include(\"more.h\")\n#define MORE 2\n#else\n#define MORE 1\n#endif\n"
                 "int more();\n"
                 "int main() { std::printf(\"%d %d %d %d\\n\", VALUE, OTHER, MORE, more()); }\n");
    folder.write("b.cpp", "#include \"value.h\"\nint more() { return VALUE; }\n");
    const std::string run = "lanework run -Ifirst -isystem second a.cu b.cpp; ";
    EXPECT_EQ(
        shell("cd '" + folder.string() + "'; export XDG_CACHE_HOME=$PWD/cache\n" + run + run +
              "echo '#define VALUE 2' > first/value.h; " + run +
              "mkdir first/other; echo '#define OTHER 2' > first/other/value.h; " + run + "touch first/more.h; " + run +
              "rm first/more.h; " + run + "rm first/value.h; " + run + "echo '#define VALUE 3' > value.h; " + run)
            .out,
        "1 1 1 1\n1 1 1 1\n2 1 1 2\n2 2 1 2\n2 2 2 2\n2 2 1 2\n1 2 1 1\n3 2 1 3\n");
}

TEST(Run, PrecompilesTheDevicesHeaderForASecondProgramAndReadsItsOwnWhereThatWouldBeAnother) {
    const Folder folder;
    const std::string program =
        "#include <cstdio>\n"
        "#ifndef OWN\n#define OWN 0\n#endif\n"
        "int main() { std::printf(\"%d\\n\", OWN); }\n";
    folder.write("a.cu", program);
    folder.write("b.cu", program + "// another\n");
    std::filesystem::create_directories(folder / "first");
    const Said said =
        shell("cd '" + folder.string() +
              "'; export XDG_CACHE_HOME=$PWD/cache; unset CXX\n"
              "made() { find cache -name device.hpp.gch | wc -l; }\n"
              "lanework run -Ifirst a.cu; made; lanework run -Ifirst b.cu; made\n"
              "printf '#pragma once\\n#include_next <cstdint>\\n#define OWN 1\\n' > first/cstdint\n"
              "lanework run -Ifirst a.cu; lanework run -DOWN=2 -include stdio.h b.cu; made\n"
              "lanework cc -c -MD -Ifirst b.cu -o b.o; grep -c headers/ b.d; grep -c first/cstdint b.d\n");
    EXPECT_EQ(said.out, "0\n0\n0\n1\n1\n2\n1\n0\n1\n") << said.err;
    // The same words elsewhere mean other files.
    std::filesystem::create_directories(folder / "elsewhere/first");
    const Said other =
        shell("cd '" + folder.string() +
              "'; export XDG_CACHE_HOME=$PWD/cache; unset CXX; cd elsewhere\n"
              "for i in 1 2 3; do { cat ../a.cu; echo \"// $i\"; } > $i.cu; lanework run -Ifirst $i.cu; done\n");
    EXPECT_EQ(other.out, "0\n0\n0\n") << other.err;
}

TEST(Run, PrecompilesNoHeaderOfTheStandardLibraryThatAProgramDoesNotInclude) {
    const Folder folder;
    const std::string main = "int main() { return static_cast<int>(std::vector<int>(3).size()) + ";
    for (const char* const number : {"0", "1", "2"}) {
        folder.write(std::string("plain") + number + ".cu", std::string("int main() { return ") + number + "; }\n");
        folder.write(std::string("with") + number + ".cu", "#include <vector>\n" + main + number + "; }\n");
        folder.write(std::string("without") + number + ".cu", main + number + "; }\n");
    }
    const Said said =
        shell("cd '" + folder.string() +
              "'; export XDG_CACHE_HOME=$PWD/cache; unset CXX\n"
              "run() { lanework run $1.cu 2> said; echo $? $(find cache -name device.hpp.gch | wc -l); }\n"
              "run without0; run plain0; run plain1; run without1; run with0; run with1; run with2; run without2\n");
    EXPECT_EQ(said.out, "3 0\n0 1\n1 1\n3 1\n3 1\n4 2\n5 2\n3 2\n") << said.err;
}

TEST(Run, MakesTheDevicesHeaderInOneProcessAtATimeAndNotOfWhatChangesMeanwhile) {
    const Folder folder;
    // Says of the header that it was made of own.h, too, which changes the first time that it is made.
    folder.write(
        "changing-g++",
        "#!/bin/sh\ng++ \"$@\" || exit\n"
        "for word; do [ \"$last\" = -MF ] && rule=$word; [ \"$word\" = c++-header ] && made=1; last=$word; done\n"
        "[ -z \"$made\" ] || { [ -f own.h ] || echo > own.h; sed -i \"1s|: |: $PWD/own.h |\" $rule; }\n");
    const Said said =
        shell("cd '" + folder.string() +
              "'; chmod +x changing-g++; export CXX=./changing-g++ XDG_CACHE_HOME=$PWD/cache\n"
              "made() { find cache -name device.hpp.gch | wc -l; }\n"
              "for i in 1 2 3 4; do echo \"int main() { return $i; }\" > $i.cu; done\n"
              "lanework run 1.cu; echo $?; flock \"$(dirname $(find $PWD/cache -name seen))/making\" '" LANEWORK_BINARY
              "' run 2.cu; echo $?; made\n"
              "lanework run 3.cu; echo $?; made; lanework run 4.cu; echo $?; made\n");
    EXPECT_EQ(said.out, "1\n2\n0\n3\n0\n4\n1\n") << said.err;
}

TEST(Run, IsRightWhereClangCannotUseTheDevicesHeader) {
    if (std::ranges::count(compilers(), "clang++") == 0) GTEST_SKIP() << "clang++ is tried where everything is tested";
    const Folder folder;
    const Said said =
        shell("cd '" + folder.string() +
              "'; export XDG_CACHE_HOME=$PWD/cache CXX=clang++; mkdir -p first\n"
              "for i in 1 2 3 4 5 6; do echo \"int main() { return VALUE + $i; }\" > $i.cu; done; echo 'int main() {' "
              "> no.cu\n"
              "run() { lanework run -Ifirst -DVALUE=$2 $1.cu; echo $? $(find cache -name device.hpp.pch -size +1M | wc "
              "-l); }\n"
              // A macro of the command line is a part of the header to clang++.
              "run 1 10; run 2 10; run 3 20; run 4 20; run no 10 2> said; grep -c 'error: expected' said\n"
              "for made in $(find cache -name device.hpp.pch); do echo none > $made; done; run 5 10; run 6 10\n");
    EXPECT_EQ(said.out, "11 0\n12 1\n23 1\n24 2\n3 2\n1\n15 0\n16 1\n") << said.err;
}

TEST(Run, KeepsItsCacheWithinItsBound) {
    const Folder folder;
    const std::string run = "cd '" + folder.string() +
                            "'; export XDG_CACHE_HOME=$PWD/cache LANEWORK_CACHE_MIB=1\n"
                            "for i in 1 2 3 4 5 6; do\n"
                            "  echo \"static char room[200000] = {1}; int main() { return room[0] - 1; }\" > a$i.cu\n"
                            "  lanework run a$i.cu || echo failed\n"
                            "done; du -s -B1024 --apparent-size cache | cut -f1";
    const Said said = shell(run);
    EXPECT_GT(std::atoi(said.out.c_str()), 200) << said.out << said.err;
    EXPECT_LT(std::atoi(said.out.c_str()), 1300) << said.out << said.err;
}

TEST(Run, RemembersWhatStillFitsIntoItsCache) {
    const Folder folder;
    const Said said = shell("cd '" + folder.string() +
                            "'; export XDG_CACHE_HOME=$PWD/cache LANEWORK_CACHE_MIB=100\n"
                            "room=cache/lanework/programs/room\n"
                            "for i in 1 2 3; do echo \"int main() { return $i; }\" > a$i.cu; done\n"
                            "lanework run a1.cu; cut -d ' ' -f 1 $room; lanework run a2.cu; cat $room\n"
                            "echo 5 $((100 << 20)) > $room; lanework run a3.cu; cut -d ' ' -f 1 $room\n");
    std::istringstream words(said.out);
    long first = 0, second = 0, bound = 0, counted = 0;
    ASSERT_TRUE(words >> first >> second >> bound >> counted) << said.out << said.err;
    EXPECT_EQ(bound, 100L << 20);
    EXPECT_LT(first, bound);
    EXPECT_LT(second, first);
    EXPECT_GT(counted, 1L << 20) << "what does not fit is looked for again";
}

TEST(Run, RunsWhereNothingCanBeKept) {
    const Folder folder;
    folder.write("a.cu", "int main() { return 5; }\n");
    EXPECT_EQ(shell("cd '" + folder.string() +
                    "'; env -u HOME XDG_CACHE_HOME=/proc/none TMPDIR=$PWD '" LANEWORK_BINARY
                    "' run a.cu; echo $?; ls -d lanework-*")
                  .out,
              "5\n");
}

TEST(Run, NamesBothFoldersWhereItMayNotBuildAndBuildsInNoOther) {
    const Folder folder;
    folder.write("a.cu", "int main() { return 5; }\n");
    const Said said = shell("cd '" + folder.string() +
                            "'; env -u HOME XDG_CACHE_HOME=/proc/none TMPDIR=/proc/nowhere '" LANEWORK_BINARY
                            "' run a.cu; echo $?; ls");
    EXPECT_EQ(said.out, "6\na.cu\n");
    EXPECT_TRUE(contains(said.err, "/proc/none/lanework cannot be made, nor one in /proc/nowhere")) << said.err;
}

TEST(Run, SaysThatADiskIsFullAndNotThatAProgramIsWrong) {
    const Folder folder;
    folder.write("a.cu", "int main() { return 5; }\n");
    folder.write(
        "full-g++",
        "#!/bin/sh\ncase \" $* \" in *' -c '*) echo 'a.cu:1: error writing to a.s: No space left on device' >&2; "
        "exit 1;; esac\nexec g++ \"$@\"\n");
    const Said said = shell("cd '" + folder.string() +
                            "'; chmod +x full-g++; export CXX=./full-g++ XDG_CACHE_HOME=$PWD/cache\n"
                            "lanework run a.cu; echo $?");
    EXPECT_EQ(said.out, "6\n");
    EXPECT_TRUE(contains(said.err, "error writing to a.s")) << said.err;
    EXPECT_TRUE(contains(said.err, "the compiler has no room to write: ")) << said.err;
    EXPECT_FALSE(contains(said.err, "does not compile")) << said.err;
}

TEST(Check, WatchesAndExplainsWhereNothingCanBeKept) {
    const Folder folder;
    folder.write(
        "a.cu", program_with("__global__ void kernel(int* data) { data[0] = blockIdx.x; }", "kernel<<<2, 1>>>(data);"));
    for (const std::string command : {"check", "explain"}) {
        const Said said = shell("cd '" + folder.string() +
                                "'; env -u HOME XDG_CACHE_HOME=/proc/none TMPDIR=$PWD '" LANEWORK_BINARY "' " +
                                command + " a.cu; ls -d lanework-*");
        EXPECT_TRUE(contains(said.out + said.err, "race")) << command << "\n" << said.out << said.err;
        EXPECT_FALSE(contains(said.out, "lanework-")) << command << " left files\n" << said.out;
    }
}

}  // namespace
}  // namespace lanework
