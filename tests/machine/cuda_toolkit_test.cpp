// Finding the programs and the headers of a toolkit.
#include "src/machine/cuda_toolkit.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <string>
#include <utility>
#include <vector>

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

/// NVIDIA's headers as far as they are looked at.
class Cccl : public StandIns {
protected:
    void put(const fs::path& folder, int version) const {
        for (const char* part : {"thrust", "cub", "cuda", "nv"}) fs::create_directories(folder_ / folder / part);
        std::ofstream(folder_ / folder / "cub/version.cuh")
            << "// CUB_VERSION\n#define CUB_VERSION " << version << " // macro\n#define CUB_MAJOR CUB_VERSION\n";
    }
    std::vector<std::pair<fs::path, int>> found(const ToolkitPlaces& here) const {
        std::vector<std::pair<fs::path, int>> all;
        for (const CcclFolder& each : find_cccl_folders(here))
            all.emplace_back(fs::relative(each.folder, fs::canonical(folder_)), each.version);
        return all;
    }
};

TEST_F(Cccl, IsThatOfAToolkitThenOfPythonsPackagesThenOfTheSystem) {
    put("root/usr/include", 200500);
    put("home/.local/lib/python3.11/site-packages/nvidia/cuda_cccl/include", 200802);
    put("env/lib/python3.13/site-packages/nvidia/cu13/include/cccl", 300001);
    put("root/usr/local/cuda/include/cccl", 300500);
    put("toolkit/include", 200801);
    fs::create_directories(folder_ / "env/bin");
    const std::string path = (folder_ / "env/bin").string();
    using Found = std::vector<std::pair<fs::path, int>>;
    EXPECT_EQ(found({.path = path, .toolkit = folder_ / "toolkit", .root = folder_ / "root", .home = folder_ / "home"}),
              (Found{{"toolkit/include", 200801},
                     {"root/usr/local/cuda/include/cccl", 300500},
                     {"env/lib/python3.13/site-packages/nvidia/cu13/include/cccl", 300001},
                     {"home/.local/lib/python3.11/site-packages/nvidia/cuda_cccl/include", 200802},
                     {"root/usr/include", 200500}}));
}

TEST_F(Cccl, OfOneFolderThatIsNamedTwiceIsFoundOnce) {
    put("root/usr/local/cuda-13.0/include/cccl", 300001);
    fs::create_directory_symlink("cuda-13.0", folder_ / "root/usr/local/cuda");
    EXPECT_EQ(found({.toolkit = folder_ / "root/usr/local/cuda-13.0", .root = folder_ / "root"}).size(), 1U);
}

TEST_F(Cccl, StandsAloneWhereAFolderHasNothingElse) {
    put("alone", 300001);
    put("toolkit/include", 200802);
    std::ofstream(folder_ / "toolkit/include/cuda_runtime.h") << "";
    EXPECT_TRUE(look_for_cccl(folder_ / "alone").alone);
    EXPECT_FALSE(look_for_cccl(folder_ / "toolkit/include").alone);
    fs::remove_all(folder_ / "alone/nv");
    EXPECT_EQ(look_for_cccl(folder_ / "alone").version, 0) << "a part of it is missing";
    EXPECT_EQ(look_for_cccl(folder_ / "nowhere").version, 0);
}

}  // namespace
}  // namespace lanework
