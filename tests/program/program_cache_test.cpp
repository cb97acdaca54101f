// What is kept of programs that were built: used again where nothing changed, within its bound, and not at all where
// nothing can be kept.
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
