// Finding tools on machines that have them.
#include "src/profile/tools.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "tests/temporary_folder.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

class Tools : public testing::Test {
protected:
    void put(const fs::path& file, bool program = true) {
        fs::create_directories((root_ / file).parent_path());
        std::ofstream(root_ / file) << "";
        if (program) fs::permissions(root_ / file, fs::perms::owner_all);
    }
    const TemporaryFolder folder_;
    const fs::path root_ = folder_.path();
};

TEST_F(Tools, AreOfPathFirst) {
    put("bin/nsys");
    put("usr/local/cuda/bin/nsys");
    const std::string bin = (root_ / "bin").string();
    EXPECT_EQ(find_tool(Tool::nsight_systems, {.path = bin, .root = root_}), root_ / "bin/nsys");
    EXPECT_EQ(find_tool(Tool::nsight_systems, {.root = root_}), root_ / "usr/local/cuda/bin/nsys");
}

TEST_F(Tools, AreTheNewestOfTheirOwnFolder) {
    put("opt/nvidia/nsight-systems/2024.1/bin/nsys");
    put("opt/nvidia/nsight-systems/2025.3/bin/nsys");
    put("opt/nvidia/nsight-systems/2026.1/bin/readme");
    EXPECT_EQ(find_tool(Tool::nsight_systems, {.root = root_}), root_ / "opt/nvidia/nsight-systems/2025.3/bin/nsys");
}

TEST_F(Tools, MustBeProgramsThatCanBeRun) {
    put("usr/local/cuda/bin/compute-sanitizer", false);
    EXPECT_EQ(find_tool(Tool::sanitizer, {.root = root_}), "");
    put("usr/local/cuda/compute-sanitizer/compute-sanitizer");
    EXPECT_NE(find_tool(Tool::sanitizer, {.root = root_}), "");
}

TEST_F(Tools, CuptiIsALibrary) {
    put("usr/local/cuda/extras/CUPTI/lib64/libcupti.so", false);
    const std::string on_path = root_.string();
    EXPECT_EQ(find_tool(Tool::cupti, {.path = on_path, .root = root_}),
              root_ / "usr/local/cuda/extras/CUPTI/lib64/libcupti.so");
}

TEST_F(Tools, EachSaysWhatToInstall) {
    for (const Tool tool : kTools) {
        EXPECT_EQ(find_tool(tool, {.root = root_}), "") << name_of(tool);
        EXPECT_NE(package_of(tool), "");
    }
}

}  // namespace
}  // namespace lanework
