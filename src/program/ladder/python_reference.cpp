// A reference in Python. Arrays travel as .npy files in a temporary folder, everything else as lines of JSON. The
// folder is the child's: it removes it when it ends.
#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <lanework/error.hpp>
#include <mutex>
#include <set>

#include "src/io/npz.hpp"
#include "src/program/ladder/python_child.hpp"
#include "src/program/ladder/reference.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kReferenceScript = R"python(
def begin():
    global folder
    folder = tempfile.mkdtemp(prefix="lanework-reference-")
    return dict(folder=folder, functions=[n for n in ("reference", "magnitudes", "inputs", "compare")
                                          if callable(getattr(module, n, None))])
def call(request):
    name = request["function"]
    function = getattr(module, name)
    known = numbers(request["scalars"])
    if "seed" in known and name == "inputs":
        known["rng"] = np.random.default_rng(known["seed"])
    for each in request["given"]:
        known[each] = np.load(os.path.join(folder, each + ".npy"))
        if torch is not None:
            known[each] = torch.from_numpy(known[each])
    result = function(**bound(name, function, known))
    if name == "compare":
        return {"text": "" if result is None or result is True else "compare() says no" if result is False else str(result)}
    wanted = request["results"]
    made = []
    for array, want in zip(ordered(name, result, [w["name"] for w in wanted]), wanted):
        if array is None:
            continue
        if hasattr(array, "detach"):
            array = array.detach().cpu()
            if "bfloat16" in str(array.dtype):
                array = array.float()
            array = array.numpy()
        array = shaped(name, want["name"], np.asarray(array), want["shape"])
        if np.iscomplexobj(array):
            raise TypeError(f"{name}() returns complex numbers for `{want['name']}`; real ones are right")
        array = np.ascontiguousarray(array, dtype=np.float64 if want["real"] else np.int64)
        np.save(os.path.join(folder, want["name"] + ".npy"), array)
        made.append(want["name"])
    return {"made": made}
def advice(error):
    said = str(error)
    far = type(error).__name__ != "AxisError" and (isinstance(error, IndexError) or "out of bounds" in said or "out of range" in said)
    return '; whole numbers are drawn from 0 to 99 where "random" of operation.json says nothing: "integers(0, n)"' if far else ""
)python";

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
    explicit PythonReference(const fs::path& file)
        : python_(PythonChild::start({.file = file, .script = kReferenceScript})),
          folder_(python_->begun()["folder"].get<std::string>()) {
        for (const Json& each : python_->begun()["functions"]) functions_.insert(each.get<std::string>());
        if (!functions_.contains("reference"))
            throw FileError(fmt::format("{} defines no function reference(…)", file.string()));
    }

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
        return python_->ask(request, function);
    }

    std::unique_ptr<PythonChild> python_;
    fs::path folder_;
    std::set<std::string> functions_;
    std::mutex mutex_;
};

}  // namespace

std::unique_ptr<Reference> python_reference(const fs::path& file) { return std::make_unique<PythonReference>(file); }

}  // namespace lanework
