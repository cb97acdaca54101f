// Programs that go wrong on purpose are listed, and found by the name that the list gives.
#include <sstream>

#include "tests/cli/run.hpp"

namespace lanework {
namespace {

TEST(WrongPrograms, AreListedWithWhatWouldBeRightAndHowTheyAreFound) {
    const Said said = lanework_with("list --wrong");
    EXPECT_EQ(said.status, 0) << said.err;
    int listed = 0;
    std::istringstream lines(said.out);
    for (std::string line; std::getline(lines, line);) {
        if (!line.starts_with("wrong/")) continue;
        ++listed;
        EXPECT_TRUE(contains(line, " Right: ") && contains(line, " Found as ") && contains(line, " at line ")) << line;
    }
    EXPECT_GE(listed, 10) << said.out;
    expect_mistake("list add --wrong", 2, "it takes no operation");
}

TEST(WrongPrograms, AreCheckedAndExplainedByName) {
    for (const std::string words : {"check wrong/plain_add_race", "explain wrong/plain_add_race.cu"}) {
        const Said said = lanework_with(words);
        EXPECT_EQ(said.status, 1) << words << said.err;
        const std::string all = said.out + said.err;
        EXPECT_TRUE(contains(all, "blocks add to one number with +=")) << all;
        // A file below the folder where one works is named once, with its source.
        EXPECT_TRUE(contains(all, "plain_add_race.cu:15") || contains(all, "error race, line 15")) << all;
    }
    expect_mistake("check wrong/nothing", 2, "there is no program `wrong/nothing`; there are: barrier_between_rounds");
}

// Each program that the list calls lucky: what it prints under the schedule that is drawn for it, and in the natural
// order.
TEST(WrongPrograms, ThatComeOutRightByLuckAreShownWrong) {
    const Said list = lanework_with("list --wrong");
    int lucky = 0;
    std::istringstream lines(list.out);
    for (std::string line; std::getline(lines, line);) {
        if (!contains(line, "Comes out right by luck")) continue;
        ++lucky;
        const std::string name = line.substr(0, line.find(' '));
        const Said drawn = lanework_with("check " + name), natural = lanework_with("check " + name + " --schedule 0");
        EXPECT_TRUE(contains(drawn.err, "--schedule=") && contains(drawn.err, "under which it comes out wrong"))
            << name;
        EXPECT_TRUE(contains(natural.err, "It may come out right")) << name;
        const auto printed = [](const Said& said) { return said.out.substr(0, said.out.find('\n')); };
        EXPECT_NE(printed(drawn), printed(natural)) << name;
    }
    EXPECT_EQ(lucky, 4) << list.out;
    const Said explained = lanework_with("explain wrong/plain_add_race");
    EXPECT_FALSE(contains(explained.out, "100000 ones are 100000")) << explained.out;
    EXPECT_TRUE(contains(explained.out, "100000 ones are ")) << explained.out;
}

}  // namespace
}  // namespace lanework
