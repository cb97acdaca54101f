// A child python3 that has read a file of a user's and answers questions, a line of JSON for each.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "src/io/json.hpp"

namespace lanework {

/// What a child is started with.
struct PythonTask {
    std::filesystem::path file;
    /// Python that defines `call(request)`, which returns a dict, and `begun`, which the child says first. It stands
    /// behind what every task has: `module` is the file's, `torch` PyTorch where the file is written with it and
    /// without NumPy.
    std::string_view script;
    /// sys.argv[2:].
    std::vector<std::string> words = {};
    /// A file descriptor that the child sees as 3; none.
    int shared = -1;
};

class PythonChild {
public:
    /// The first Python that has NumPy and what the file imports: LANEWORK_PYTHON, or those on the path. Throws
    /// UnavailableError where there is none, FileError for what the file itself says.
    static std::unique_ptr<PythonChild> start(const PythonTask& task);
    PythonChild(const PythonChild&) = delete;
    PythonChild& operator=(const PythonChild&) = delete;
    ~PythonChild();

    const Json& begun() const { return begun_; }
    /// The answer to a question about `function`. Throws FileError with what the file says is wrong, or where Python
    /// ended; UnavailableError where it says that it cannot be had here.
    Json ask(const Json& question, std::string_view function);

private:
    class Conversation;
    PythonChild(const PythonTask& task, const std::string& python);
    Json heard() const;

    std::filesystem::path file_;
    std::unique_ptr<Conversation> python_;
    /// A module that this Python does not have and the file imports; empty where it has all of them.
    std::string missing_;
    Json begun_;
};

}  // namespace lanework
