// A child python3 that waits for calls. Arrays travel as .npy files in a temporary folder, everything else as lines of
// JSON. The folder is the child's: it removes it when its input ends, which it does however this process ends.
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
#include <fstream>
#include <lanework/error.hpp>
#include <mutex>
#include <set>

#include "src/io/json.hpp"
#include "src/io/npz.hpp"
#include "src/program/ladder/reference.hpp"
#include "src/program/toolchain.hpp"

extern char** environ;  // NOLINT(readability-redundant-declaration): POSIX declares it nowhere

namespace lanework {
namespace {

namespace fs = std::filesystem;
constexpr const char* kPythonVariable = "LANEWORK_PYTHON";

/// Answers each line of its input with one line. What the reference prints goes to the standard error.
constexpr const char* kServer = R"python(
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
sys.path.insert(0, os.path.dirname(path))
np.seterr(all="ignore")
try:
    spec = importlib.util.spec_from_file_location("reference", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    # One that is written with PyTorch and without NumPy is given tensors.
    torch = None if hasattr(module, "np") or hasattr(module, "numpy") else getattr(module, "torch", None)
    folder = tempfile.mkdtemp(prefix="lanework-reference-")
    answer(numpy=True, folder=folder, functions=[n for n in ("reference", "magnitudes", "inputs", "compare")
                                                 if callable(getattr(module, n, None))])
except ModuleNotFoundError as error:
    answer(numpy=True, error=where(error), missing=error.name or "")
    sys.exit(0)
except Exception as error:
    answer(numpy=True, error=where(error))
    sys.exit(0)
def call(request):
    name = request["function"]
    function = getattr(module, name)
    known = {key: value if value != int(value) else int(value) for key, value in request["scalars"].items()}
    if "seed" in known and name == "inputs":
        known["rng"] = np.random.default_rng(known["seed"])
    for each in request["given"]:
        known[each] = np.load(os.path.join(folder, each + ".npy"))
        if torch is not None:
            known[each] = torch.from_numpy(known[each])
    words = inspect.signature(function).parameters
    if not any(p.kind == p.VAR_KEYWORD for p in words.values()):
        for word, parameter in words.items():
            if word not in known and parameter.default is parameter.empty:
                raise TypeError(f"{name}() has a parameter `{word}`; there are: {', '.join(sorted(known))}")
        known = {key: value for key, value in known.items() if key in words}
    result = function(**known)
    if name == "compare":
        return {"text": "" if result is None or result is True else "compare() says no" if result is False else str(result)}
    wanted = request["results"]
    if isinstance(result, dict):
        for each in result:
            if each not in [w["name"] for w in wanted]:
                raise TypeError(f"{name}() returns an array `{each}`; there are: {', '.join(w['name'] for w in wanted)}")
        result = [result.get(w["name"]) for w in wanted]
    elif not isinstance(result, (tuple, list)):
        result = [result]
    if len(result) != len(wanted):
        raise TypeError(f"{name}() returns {len(result)} arrays; {len(wanted)} are right: "
                        + ", ".join(w["name"] for w in wanted))
    made = []
    for array, want in zip(result, wanted):
        if array is None:
            continue
        if hasattr(array, "detach"):
            array = array.detach().cpu()
            if "bfloat16" in str(array.dtype):
                array = array.float()
            array = array.numpy()
        array = np.asarray(array)
        if list(array.shape) != want["shape"]:
            if array.size != int(np.prod(want["shape"])) or array.ndim == len(want["shape"]):
                raise ValueError(f"{name}() returns `{want['name']}` of the shape {list(array.shape)}; "
                                 f"{want['shape']} is right")
            array = array.reshape(want["shape"])
        array = np.ascontiguousarray(array, dtype=np.float64 if want["real"] else np.int64)
        np.save(os.path.join(folder, want["name"] + ".npy"), array)
        made.append(want["name"])
    return {"made": made}
def drawn(error):
    far = isinstance(error, IndexError) or "out of bounds" in str(error) or "out of range" in str(error)
    return '; whole numbers are drawn from 0 to 99 where "random" of operation.json says nothing: "integers(0, n)"' if far else ""
for line in sys.stdin:
    try:
        answer(**call(json.loads(line)))
    except Exception as error:
        answer(error=where(error) + drawn(error))
end()
)python";

/// A child whose standard input is a socket of ours, to which can be written when it has ended, and whose output a
/// pipe.
class Conversation {
public:
    explicit Conversation(const std::vector<std::string>& command) {
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

void write_npy(const fs::path& file, const WideArray& array) {
    const std::string header = npy_header(array.real ? "<f8" : "<i8", array.shape);
    std::ofstream stream(file, std::ios::binary);
    stream << header;
    stream.write(reinterpret_cast<const char*>(array.elements.data()),
                 static_cast<std::streamsize>(array.elements.size() * sizeof(std::uint64_t)));
    stream.close();
    if (!stream) throw FileError(fmt::format("{}: cannot be written", file.string()));
}

/// The elements are the file's end: the child wrote an array of this shape.
void read_npy(const fs::path& file, WideArray& array) {
    array.elements.assign(array.count(), 0);
    const auto bytes = static_cast<std::streamoff>(array.elements.size() * sizeof(std::uint64_t));
    std::ifstream stream(file, std::ios::binary);
    stream.seekg(-bytes, std::ios::end);
    stream.read(reinterpret_cast<char*>(array.elements.data()), bytes);
    if (!stream) throw FileError(fmt::format("{}: cannot be read", file.string()));
}

class PythonReference final : public Reference {
public:
    PythonReference(const fs::path& file, const std::string& python)
        : file_(file), python_({python, "-c", kServer, fs::absolute(file).string()}) {
        const Json said = heard();
        missing_ = said.value("numpy", false) ? said.value("missing", "") : "NumPy";
        if (!missing_.empty()) return;
        if (said.contains("error")) throw FileError(said["error"].get<std::string>());
        folder_ = said["folder"].get<std::string>();
        for (const Json& each : said["functions"]) functions_.insert(each.get<std::string>());
        if (!functions_.contains("reference"))
            throw FileError(fmt::format("{} defines no function reference(…)", file.string()));
    }

    /// A module that this Python does not have and the reference imports; empty where it has all of them.
    const std::string& missing() const { return missing_; }
    bool defines(std::string_view function) const override { return functions_.contains(std::string(function)); }

    void call(std::string_view function, const std::vector<WideArray>& given, const NamedValues& scalars,
              std::vector<WideArray>& results) override {
        const std::lock_guard lock(mutex_);
        const Json said = ask(function, given, scalars, results);
        for (WideArray& result : results) {
            const bool made = std::ranges::any_of(said["made"], [&](const Json& name) { return name == result.name; });
            if (made)
                read_npy(folder_ / (result.name + ".npy"), result);
            else
                result.elements.clear();
        }
    }

    std::string compare(const std::vector<WideArray>& given, const NamedValues& scalars) override {
        const std::lock_guard lock(mutex_);
        return ask("compare", given, scalars, {})["text"].get<std::string>();
    }

private:
    Json heard() const {
        const std::string line = python_.hear();
        Json said = Json::parse_or_null(line);
        return said.is_object() ? said : Json::object();
    }

    Json ask(std::string_view function, const std::vector<WideArray>& given, const NamedValues& scalars,
             const std::vector<WideArray>& results) const {
        Json request{{"function", std::string(function)}};
        request["scalars"] = Json::object();
        for (const auto& [name, value] : scalars) request["scalars"][name] = value;
        request["given"] = Json::array();
        for (const WideArray& array : given) {
            write_npy(folder_ / (array.name + ".npy"), array);
            request["given"].push_back(array.name);
        }
        request["results"] = Json::array();
        for (const WideArray& array : results)
            request["results"].push_back({{"name", array.name}, {"shape", array.shape}, {"real", array.real}});
        python_.say(request.dump() + "\n");
        Json said = heard();
        if (said.contains("error")) throw FileError(said["error"].get<std::string>());
        if (said.empty())
            throw FileError(fmt::format("{}: Python ended while {}() ran", file_.string(), std::string(function)));
        return said;
    }

    fs::path file_, folder_;
    Conversation python_;
    std::string missing_;
    std::set<std::string> functions_;
    std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Reference> python_reference(const fs::path& file) {
    const char* const named = std::getenv(kPythonVariable);
    std::vector<std::string> tried;
    std::string missing;
    for (const std::string name : {named ? named : "", "python3", "/usr/bin/python3", "python"}) {
        if (named && *named && name != named) continue;
        const fs::path python = find_program(name);
        if (python.empty() || std::ranges::find(tried, python.string()) != tried.end()) continue;
        tried.push_back(python.string());
        auto reference = std::make_unique<PythonReference>(file, python.string());
        if (reference->missing().empty()) return reference;
        // Of several, one that has NumPy says what else is missing.
        if (missing.empty() || missing == "NumPy") missing = reference->missing();
    }
    if (tried.empty() && named && *named)
        throw UnavailableError(fmt::format("{} names {}, and there is no such program", kPythonVariable, named));
    if (tried.empty())
        throw UnavailableError(fmt::format("{} needs python3, and there is none on the path", file.string()));
    throw UnavailableError(
        fmt::format("{} needs {}, which {} {} not have: install {}, or name a Python that has it in {}", file.string(),
                    missing, fmt::join(tried, " and "), tried.size() == 1 ? "does" : "do",
                    missing == "NumPy" ? "python3-numpy" : "it", kPythonVariable));
}

}  // namespace lanework
