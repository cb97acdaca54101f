// Numbers at the ends of their type on the command line and in files: an answer, or one line with its exit status.
#include <gtest/gtest.h>

#include <fstream>
#include <lanework/device.hpp>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

std::vector<std::string> devices_without_gpu() {
    std::vector<std::string> names = {"cpu"};
    if (availability(DeviceKind::simt).count > 0) names.emplace_back("simt");
    return names;
}

std::string file_with(const Folder& folder, const std::string& text) {
    std::ofstream(folder / "m.xyz") << text;
    return "neighbors '" + (folder / "m.xyz").string() + "' ";
}

TEST(MagnitudesOnTheCommandLine, AnAtomAtTheEndOfTheNumbersHasNoNeighbours) {
    const Folder folder;
    const std::string command = file_with(folder, "1\n\nCu 0 0 1e308\n");
    for (const std::string& device : devices_without_gpu()) {
        const Said run = lanework_with(command + "--cutoff 0.5 --device " + device + " --json");
        EXPECT_EQ(run.status, 0) << run.err;
        EXPECT_TRUE(contains(run.out, "\"pairs\": 0")) << run.out;
    }
}

TEST(MagnitudesOnTheCommandLine, ACutoffWhoseSquareVanishesIsRefused) {
    const Folder folder;
    const std::string command = file_with(folder, "2\n\nCu 0 0 0\nCu 0 0 1\n");
    for (const std::string& device : devices_without_gpu())
        for (const char* cutoff : {"4e-309", "1e-200", "1e300"})
            expect_mistake(command + "--cutoff " + cutoff + " --device " + device, 2, "; it must be from 1.5e-154 to");
}

TEST(MagnitudesOnTheCommandLine, AnAtomFarAlongAnOpenDirectionOfAWireIsRefusedAtOnce) {
    const Folder folder;
    const std::string command = file_with(folder, "2\n\nCu 0 0 0\nCu 0 1e30 0\n");
    for (const std::string& device : devices_without_gpu())
        expect_mistake(command + "--cutoff 2 --box 5,5,5 --pbc z --device " + device, 2,
                       "atom 1 is at (0, 1e+30, 0), where rounding alone reaches through more than 2^16 images");
}

TEST(MagnitudesOnTheCommandLine, ImagesOfAnyOtherNumberOfChannelsAreRefused) {
    for (const std::string operation : {"blur", "sobel"})
        expect_mistake("verify " + operation + " --device cpu --size 5x5x5", 2, operation + ": 5 channels; 1, 3 and 4");
    for (const std::string operation : {"resize", "letterbox", "tensor", "warp"})
        expect_mistake("verify " + operation + " --device cpu --size 5x5x5x5x5", 2,
                       operation + ": 5 channels; 1, 3 and 4 are right");
    expect_mistake("info resize --device cpu --size 0x4294967297x1x1", 2, "resize: a side of 4294967297 pixels");
}

TEST(MagnitudesOnTheCommandLine, CandidatesWithoutAClassAreRefused) {
    for (const std::string& device : devices_without_gpu())
        for (const char* size : {"5x0", "5x0x2", "0x0"})
            expect_mistake("verify decode --device " + device + " --size " + size, 2,
                           "a candidate has one class at least");
}

}  // namespace
}  // namespace lanework
