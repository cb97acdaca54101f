// Finding the programs of a toolkit.
#include "src/profile/toolkit_program.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/profile/stand_in.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

class ToolkitProgram : public StandIns {};

TEST_F(ToolkitProgram, IsThatOfPathThenOfTheNamedToolkitThenOfTheUsualPlace) {
    const fs::path usual = stand_in("root/usr/local/cuda/bin/cuobjdump", "");
    ToolkitPlaces here{.path = "", .root = folder_ / "root"};
    EXPECT_EQ(find_toolkit_program("cuobjdump", here), usual);
    here.toolkit = folder_ / "home";
    const fs::path named = stand_in("home/bin/cuobjdump", "");
    EXPECT_EQ(find_toolkit_program("cuobjdump", here), named);
    const fs::path on_path = stand_in("bin/cuobjdump", "");
    const std::string path = "/nowhere::" + (folder_ / "bin").string();
    here.path = path;
    EXPECT_EQ(find_toolkit_program("cuobjdump", here), on_path);
}

TEST_F(ToolkitProgram, MustBeAFileThatMayBeRun) {
    const ToolkitPlaces here{.path = "", .root = folder_};
    EXPECT_EQ(find_toolkit_program("nvcc", here), fs::path());
    fs::create_directories(folder_ / "usr/local/cuda/bin/nvcc");
    EXPECT_EQ(find_toolkit_program("nvcc", here), fs::path());
    std::ofstream(folder_ / "usr/local/cuda/bin/ptxas") << "text";
    EXPECT_EQ(find_toolkit_program("ptxas", here), fs::path());
}

}  // namespace
}  // namespace lanework
