// The child's own part: it reads the file, finds what is asked for, and ends when its input does, however this process
// ends.
#include "src/program/ladder/python_child.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <lanework/error.hpp>

#include "src/program/ladder/kernel_file.hpp"
#include "src/program/toolchain.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace lanework {
namespace {

namespace fs = std::filesystem;
constexpr const char* kPythonVariable = "LANEWORK_PYTHON";

/// Answers each line of its input with one line. What the file prints goes to the standard error.
constexpr std::string_view kPrelude = R"python(
import json, os, shutil, signal, sys, tempfile
answers = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
folder = None
def end(*_):
    if folder:
        shutil.rmtree(folder, ignore_errors=True)
    os._exit(0)
signal.signal(signal.SIGINT, end)
signal.signal(signal.SIGTERM, end)
def answer(**what):
    try:
        answers.write(json.dumps(what) + "\n")
        answers.flush()
    except BrokenPipeError:
        end()
try:
    import numpy as np
except ImportError:
    answer(numpy=False)
    sys.exit(0)
sys.dont_write_bytecode = True
import importlib.util, inspect, traceback
path = sys.argv[1]
def where(error):
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        if frame.filename == path:
            return f"{os.path.basename(path)}:{frame.lineno}: {type(error).__name__}: {error}"
    if isinstance(error, SyntaxError) and error.lineno:
        return f"{os.path.basename(path)}:{error.lineno}: {error.msg}"
    return f"{os.path.basename(path)}: {type(error).__name__}: {error}"
class Unavailable(Exception):
    pass
# What the file imports from beside it; one that is called torch.py imports torch all the same.
stem = os.path.splitext(os.path.basename(path))[0]
sys.path.insert(0 if stem == "reference" else len(sys.path), os.path.dirname(path))
np.seterr(all="ignore")
class NotItself:
    def find_spec(self, name, folders=None, target=None):
        if name != stem:
            return None
        for finder in sys.meta_path:
            spec = finder.find_spec(name, folders, target) if finder is not self and hasattr(finder, "find_spec") else None
            if spec:
                if spec.origin == path:
                    break
                return spec
        raise ModuleNotFoundError(f"No module named '{name}'", name=name)
sys.meta_path.insert(0, NotItself())
try:
    spec = importlib.util.spec_from_file_location("lanework_" + stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # One that is written with PyTorch and without NumPy is given tensors.
    torch = None if hasattr(module, "np") or hasattr(module, "numpy") else getattr(module, "torch", None)
except ModuleNotFoundError as error:
    answer(numpy=True, error=where(error), missing=error.name or "")
    sys.exit(0)
except (Exception, SystemExit) as error:
    answer(numpy=True, error=where(error))
    sys.exit(0)
def numbers(scalars):
    return {key: value if value != int(value) else int(value) for key, value in scalars.items()}
def bound(name, function, known):
    """Those of the known values that its parameters name."""
    words = inspect.signature(function).parameters
    if any(p.kind == p.VAR_KEYWORD for p in words.values()):
        return known
    for word, parameter in words.items():
        if word not in known and parameter.default is parameter.empty:
            raise TypeError(f"{name}() has a parameter `{word}`; there are: {', '.join(sorted(known))}")
    return {key: value for key, value in known.items() if key in words}
def ordered(name, result, wanted):
    """What it returned, in the order of the wanted names."""
    if isinstance(result, dict):
        for each in result:
            if each not in wanted:
                raise TypeError(f"{name}() returns an array `{each}`; there are: {', '.join(wanted)}")
        result = [result.get(each) for each in wanted]
    elif not isinstance(result, (tuple, list)):
        result = [result]
    if len(result) != len(wanted):
        raise TypeError(f"{name}() returns {len(result)} arrays; {len(wanted)} are right: " + ", ".join(wanted))
    return result
def shaped(name, each, array, shape):
    """The array in this shape, where it has as many elements and another number of lengths."""
    if list(array.shape) == shape:
        return array
    if int(np.prod(array.shape)) != int(np.prod(shape)) or len(array.shape) == len(shape):
        raise ValueError(f"{name}() returns `{each}` of the shape {list(array.shape)}; {shape} is right")
    return array.reshape(shape)
def advice(error):
    return ""
)python";

constexpr std::string_view kLoop = R"python(
for line in sys.stdin:
    try:
        answer(**call(json.loads(line)))
    except Unavailable as error:
        answer(unavailable=str(error))
    except (Exception, SystemExit) as error:
        answer(error=where(error) + advice(error))
end()
)python";

/// What the script says first, or what is wrong with the file for it.
constexpr std::string_view kBegin = R"python(
try:
    begun = begin()
except Unavailable as error:
    answer(numpy=True, unavailable=str(error))
    sys.exit(0)
except Exception as error:
    answer(numpy=True, error=where(error))
    sys.exit(0)
answer(numpy=True, **begun)
)python";

std::vector<std::string> command_of(const PythonTask& task, const std::string& python) {
    std::string script(kPrelude);
    script.append(task.script).append(kBegin).append(kLoop);
    std::vector<std::string> words{python, "-c", script, fs::absolute(task.file).lexically_normal().string()};
    words.insert(words.end(), task.words.begin(), task.words.end());
    return words;
}

}  // namespace

/// A child whose standard input is a socket of ours, to which can be written when it has ended, and whose output a
/// pipe.
class PythonChild::Conversation {
public:
    Conversation(const std::vector<std::string>& command, int shared) {
        int to_child[2], from_child[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, to_child) != 0)
            throw UnavailableError("there are too many open files for a pipe");
        if (pipe2(from_child, O_CLOEXEC) != 0) {
            close(to_child[0]), close(to_child[1]);
            throw UnavailableError("there are too many open files for a pipe");
        }
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, to_child[0], STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, from_child[1], STDOUT_FILENO);
        if (shared >= 0) posix_spawn_file_actions_adddup2(&actions, shared, STDERR_FILENO + 1);
        std::vector<char*> words;
        for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
        words.push_back(nullptr);
        const int error = posix_spawn(&child_, words.front(), &actions, nullptr, words.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(to_child[0]), close(from_child[1]);
        to_ = to_child[1];
        from_ = fdopen(from_child[0], "r");
        if (error != 0) child_ = 0;
    }
    Conversation(const Conversation&) = delete;
    Conversation& operator=(const Conversation&) = delete;
    ~Conversation() {
        close(to_);
        std::fclose(from_);
        if (child_ > 0) waitpid(child_, nullptr, 0);
    }

    void say(const std::string& line) const {
        std::string_view rest = line;
        while (!rest.empty()) {
            const ssize_t written = send(to_, rest.data(), rest.size(), MSG_NOSIGNAL);
            if (written < 0 && errno == EINTR) continue;
            if (written <= 0) return;  // it ended: there will be no answer either
            rest.remove_prefix(static_cast<std::size_t>(written));
        }
    }
    /// A line without its end; nothing where the child ended.
    std::string hear() const {
        char* line = nullptr;
        std::size_t room = 0;
        const ssize_t length = getline(&line, &room, from_);
        std::string text(line ? line : "", length > 0 ? static_cast<std::size_t>(length) : 0);
        std::free(line);
        return text;
    }

private:
    pid_t child_ = 0;
    int to_ = -1;
    std::FILE* from_ = nullptr;
};

PythonChild::PythonChild(const PythonTask& task, const std::string& python)
    : file_(task.file),
      python_(std::make_unique<Conversation>(command_of(task, python), task.shared)),
      begun_(heard()) {
    missing_ = begun_.value("numpy", false) ? begun_.value("missing", "") : "NumPy";
}

PythonChild::~PythonChild() = default;

Json PythonChild::heard() const {
    Json said = Json::parse_or_null(python_->hear());
    return said.is_object() ? said : Json::object();
}

Json PythonChild::ask(const Json& question, std::string_view function) {
    python_->say(question.dump() + "\n");
    Json said = heard();
    if (said.contains("unavailable")) throw UnavailableError(said["unavailable"].get<std::string>());
    if (said.contains("error")) throw FileError(said["error"].get<std::string>());
    if (said.empty()) throw FileError(fmt::format("{}: Python ended while {}() ran", shown_path(file_), function));
    return said;
}

std::unique_ptr<PythonChild> PythonChild::start(const PythonTask& task) {
    const std::string file = shown_path(task.file);
    const char* const named = std::getenv(kPythonVariable);
    std::vector<std::string> tried;
    std::string missing;
    for (const std::string name : {named ? named : "", "python3", "/usr/bin/python3", "python"}) {
        if (named && *named && name != named) continue;
        const fs::path python = find_program(name);
        if (python.empty() || std::ranges::find(tried, python.string()) != tried.end()) continue;
        tried.push_back(python.string());
        std::unique_ptr<PythonChild> child(new PythonChild(task, python.string()));
        if (child->missing_.empty()) {
            const Json& said = child->begun_;
            if (said.contains("unavailable")) throw UnavailableError(said["unavailable"].get<std::string>());
            if (said.contains("error")) throw FileError(said["error"].get<std::string>());
            return child;
        }
        // Of several, one that has NumPy says what else is missing.
        if (missing.empty() || missing == "NumPy") missing = child->missing_;
    }
    if (tried.empty() && named && *named)
        throw UnavailableError(fmt::format("{} names {}, and there is no such program", kPythonVariable, named));
    if (tried.empty()) throw UnavailableError(fmt::format("{} needs python3, and there is none on the path", file));
    throw UnavailableError(
        fmt::format("{} needs {}, which {} {} not have: install {}, or name a Python that has it in {}", file, missing,
                    fmt::join(tried, " and "), tried.size() == 1 ? "does" : "do",
                    missing == "NumPy" ? "python3-numpy" : "it", kPythonVariable));
}

}  // namespace lanework
