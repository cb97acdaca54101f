// The manual's pages, written from what the commands say of themselves.
#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace lanework {

struct ManPage {
    /// "lanework-climb.1".
    std::string file;
    /// In the language of man(7).
    std::string text;
};

/// A page for the program and one for each of its commands.
std::vector<ManPage> man_pages(const CLI::App& program);

}  // namespace lanework
