// Completion scripts: in step with the commands, and accepted by the shells.
#include <gtest/gtest.h>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

// What bash offers for the last of these words.
std::string offered(const std::string& words, int position) {
    return shell("source <(lanework completion bash)\nCOMP_WORDS=(" + words +
                 ")\nCOMP_CWORD=" + std::to_string(position) + "\n_lanework\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
        .out;
}

TEST(Completion, IsInStepWithTheFilesThatPackagesInstall) {
    for (const auto& [name, file] :
         {std::pair{"bash", "lanework.bash"}, {"zsh", "_lanework"}, {"fish", "lanework.fish"}})
        EXPECT_EQ(lanework_with(std::string("completion ") + name).out,
                  contents(std::string(LANEWORK_SOURCE_DIR "/completions/") + file))
            << "run `lanework completion " << name << " > completions/" << file << "`";
}

TEST(Completion, OffersCommandsOptionsAndValues) {
    EXPECT_EQ(offered("lanework cl", 1), "climb\n");
    EXPECT_EQ(offered("lanework climb --dev", 2), "--device\n");
    EXPECT_EQ(offered("lanework climb --device s", 3), "simt\n");
    EXPECT_EQ(offered("lanework climb --color al", 3), "always\n");
    EXPECT_EQ(offered("lanework completion z", 2), "zsh\n");
}

TEST(Completion, OffersWhatTheProgramCanCompute) {
    EXPECT_TRUE(contains(offered("lanework climb transpose/se", 2), "transpose/serial\n"));
    EXPECT_EQ(offered("lanework list transp", 2), "transpose\n");
}

TEST(Completion, IsWrittenInTheLanguageOfEachShell) {
    for (const char* name : {"bash", "zsh", "fish"}) {
        if (shell(std::string("command -v ") + name).status != 0) continue;
        const Said run = shell(std::string("lanework completion ") + name + " | " + name + " -n");
        EXPECT_EQ(run.status, 0) << name << ": " << run.err;
        EXPECT_EQ(run.err, "") << name;
    }
}

TEST(Completion, RefusesAnotherShell) { expect_mistake("completion tcsh", 2, "`tcsh` is not one of bash|zsh|fish"); }

}  // namespace
}  // namespace lanework
