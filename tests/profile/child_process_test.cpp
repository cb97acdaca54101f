// Files that belong to a run of another program.
#include "src/profile/child_process.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <vector>

namespace lanework {
namespace {

namespace fs = std::filesystem;

TEST(TemporaryFiles, AreGoneWithTheirOwnerOrWhenASignalEndsTheProgram) {
    fs::path gone;
    {
        const TemporaryFile file;
        gone = file.path();
        EXPECT_TRUE(fs::exists(gone));
    }
    EXPECT_FALSE(fs::exists(gone));
    for (int round = 0; round < 3; ++round) {
        std::vector<std::unique_ptr<TemporaryFile>> files;
        for (int k = 0; k < 8; ++k) files.push_back(std::make_unique<TemporaryFile>());
        remove_temporary_files();
        for (const auto& file : files) EXPECT_FALSE(fs::exists(file->path()));
    }
}

}  // namespace
}  // namespace lanework
