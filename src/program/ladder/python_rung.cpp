// The function runs in a process of its own, which times it by its own clock: what is asked of that process, and what
// it answers, is in no time. Both processes see the arrays. On a GPU the child keeps copies there, made ahead of the
// clock.
#include "src/program/ladder/python_rung.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/memory_error.hpp>
#include <sstream>
#include <stdexcept>
#include <utility>

#include "src/core/host.hpp"
#include "src/core/own_ladders.hpp"
#include "src/io/file.hpp"
#include "src/program/ladder/expression.hpp"
#include "src/program/ladder/kernel_file.hpp"
#include "src/program/ladder/python_child.hpp"

namespace lanework {
namespace {

namespace fs = std::filesystem;

/// argv: the device, the bytes that are read to empty its caches, the operation's name, the function's where it is
/// said.
constexpr std::string_view kLibraryScript = R"python(
import gc, mmap, time
place, emptied, operation, named = sys.argv[2], int(sys.argv[3]), sys.argv[4], sys.argv[5]
on_gpu = place != "cpu"
maps, kept, used, latest = {}, {}, set(), {}
function, parameters, zeros, sink, held = None, (), None, None, 50e-6
def chosen():
    own = [n for n, f in vars(module).items() if inspect.isfunction(f) and f.__module__ == module.__name__]
    for name in [named] if named else [operation, stem]:
        if callable(getattr(module, name, None)):
            return getattr(module, name)
    if named:
        raise TypeError(f"it defines no function `{named}`; it has: {', '.join(own)}")
    if len(own) != 1:
        raise TypeError(f"which of its functions is it? `# function: NAME` in its first comment says it, or the name {operation}"
                        + (f"; it has: {', '.join(own)}" if own else ""))
    return getattr(module, own[0])
def begin():
    global function, parameters, zeros, sink
    function = chosen()
    parameters = inspect.signature(function).parameters
    if on_gpu:
        if torch is None:
            raise Unavailable(f"{os.path.basename(path)} is not written with PyTorch, whose tensors are on a GPU")
        if not torch.cuda.is_available():
            raise Unavailable(f"PyTorch {torch.__version__} finds no GPU that it can use")
        torch.cuda.set_device(place)
        zeros, sink = torch.zeros(emptied // 4, dtype=torch.int32, device=place), torch.zeros((), dtype=torch.int64, device=place)
    if torch is None:
        return {"about": f"NumPy {np.__version__}"}
    torch.set_grad_enabled(False)
    threads = torch.get_num_threads()
    return {"about": f"PyTorch {torch.__version__}" + ("" if on_gpu else f", {threads} thread{'' if threads == 1 else 's'}")}
def view(array):
    """Its elements, where both processes see them; bfloat16, which NumPy has not, by its bits."""
    if array["base"] not in maps:
        maps[array["base"]] = mmap.mmap(3, array["bytes"], offset=array["base"])
        try:
            maps[array["base"]].madvise(mmap.MADV_HUGEPAGE)
        except (AttributeError, OSError):
            pass
    dtype = "int16" if array["dtype"] == "bfloat16" else array["dtype"]
    count = int(np.prod(array["shape"]))
    if count == 0:
        return np.empty(array["shape"], dtype)
    return np.frombuffer(maps[array["base"]], dtype, count, array["offset"]).reshape(array["shape"])
def tensor(elements, dtype):
    found = torch.from_numpy(elements)
    return found.view(torch.bfloat16) if dtype == "bfloat16" else found
def given(array):
    """As the function takes it. What lies on a GPU is uploaded anew where the harness wrote to it."""
    key = (array["base"], array["offset"], array["dtype"], *array["shape"])
    if key not in kept or kept[key][0] != array["version"]:
        value = view(array)
        if torch is not None:
            value = tensor(value, array["dtype"])
        elif array["dtype"] == "bfloat16":
            raise Unavailable("NumPy has no bfloat16")
        kept[key] = (array["version"], value.to(place) if on_gpu else value, array)
    used.add(key)
    return kept[key][1]
def copied(array):
    return array.copy() if torch is None else array.clone()
def clock(body, cold):
    gc.disable()
    try:
        if on_gpu:
            return clock_of_gpu(body, cold)
        begun = time.perf_counter_ns()
        result = body()
        return (time.perf_counter_ns() - begun) * 1e-9, result
    finally:
        gc.enable()
def clock_of_gpu(body, cold):
    """The GPU waits until all is queued: what it takes Python to call does not count, as it does not for other rungs."""
    global held
    first, second = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    for attempt in range(8):
        torch.cuda.synchronize()
        begun = time.perf_counter()
        torch.cuda._sleep(int(held * 2e9))
        if cold:
            torch.sum(zeros, dim=0, out=sink)
        first.record()
        result = body()
        second.record()
        in_time, spent = not first.query(), time.perf_counter() - begun
        torch.cuda.synchronize()
        if in_time or held >= 5e-3:
            break
        held = min(max(2 * spent, 2 * held), 5e-3)
    return first.elapsed_time(second) * 1e-3, result
def type_name(array):
    return str(array.dtype).removeprefix("torch.")
def checked(each, array, want):
    name = function.__name__
    if not hasattr(array, "dtype") or (torch is None) != isinstance(array, (np.ndarray, np.generic)):
        raise TypeError(f"{name}() returns a {type(array).__name__} for `{each}`: "
                        + ("an array of NumPy is right" if torch is None else "a tensor is right"))
    if type_name(array) != want["dtype"] and {type_name(array), want["dtype"]} != {"bool", "uint8"}:
        raise TypeError(f"{name}() returns `{each}` of the type {type_name(array)}; {want['dtype']} is right")
    if torch is not None and str(array.device) != place:
        raise TypeError(f"{name}() returns `{each}` on {array.device}; {place} is right")
    array = shaped(name, each, np.asarray(array) if torch is None else array, want["shape"])
    if not (array.flags.c_contiguous if torch is None else array.is_contiguous()):
        raise ValueError(f"{name}() returns a view for `{each}`, whose elements lie elsewhere than a kernel writes them: "
                         + ("np.ascontiguousarray() copies them" if torch is None else ".contiguous() copies them"))
    return array
def run(request):
    for base in request["dropped"]:
        maps.pop(base, None)
        for key in [key for key in kept if key[0] == base]:
            del kept[key]
            used.discard(key)
        for key in [key for key in latest if key[0] == base]:
            del latest[key]
    known = numbers(request["scalars"])
    outputs = request["outputs"]
    changed = {}
    for each in request["inputs"]:
        known[each["name"]] = given(each)
        if each["in_place"]:
            changed[each["name"]] = known[each["name"]]
    for each in outputs:
        if each["name"] not in changed:  # one that the function does not take need not be there
            known[each["name"]] = given(each) if each["name"] in parameters else None
    arguments = bound(function.__name__, function, known)
    def body():
        for name, before in changed.items():
            if name in arguments:
                arguments[name] = copied(before)
        return function(**arguments)
    seconds, result = clock(body, request["cold"])
    names = [each["name"] for each in outputs]
    if result is None:  # it wrote to what it was given
        missing = [name for name in names if name not in arguments]
        if missing:
            raise TypeError(f"{function.__name__}() returns nothing and takes no `{missing[0]}` to write to")
        result = [arguments[name] for name in names]
    for each, array in zip(outputs, ordered(function.__name__, result, names)):
        if array is None:
            raise TypeError(f"{function.__name__}() gives no `{each['name']}`")
        latest[(each["base"], each["offset"])] = (checked(each["name"], array, each), each)
    return {"seconds": seconds}
def home(array, value):
    """Writes what it holds to where the harness sees it."""
    elements = view(array)
    if torch is None:
        if not np.shares_memory(elements, value):
            elements[...] = value
        return
    tensor(elements, array["dtype"]).copy_(value)
def fetch():
    # Inputs too, as the function may have changed them; outputs last, which lie in the same place or another.
    if on_gpu:
        for key in used:
            home(kept[key][2], kept[key][1])
    used.clear()
    for value, array in latest.values():
        home(array, value)
    latest.clear()
    return {"fetched": True}
def call(request):
    return fetch() if request.get("fetch") else run(request)
)python";

constexpr std::string_view kStated[] = {"function", "device"};

/// What the first comment of a file of Python says: "function: softmax", and the lesson.
struct PythonComment {
    std::string function, device, lesson;
};

PythonComment read_comment(const fs::path& file) {
    PythonComment comment;
    std::istringstream lines(text_of(file));
    for (std::string line; std::getline(lines, line);) {
        const std::string_view text = trimmed(line);
        if (text.starts_with("#!")) continue;
        if (!text.starts_with('#')) break;
        const std::string_view said = trimmed(text.substr(1));
        const auto key = std::ranges::find_if(kStated, [&](std::string_view each) {
            return said.starts_with(each) && said.size() > each.size() && said[each.size()] == ':';
        });
        if (key == std::end(kStated))
            comment.lesson += (comment.lesson.empty() ? "" : " ") + std::string(said);
        else
            (*key == "function" ? comment.function : comment.device) = trimmed(said.substr(key->size() + 1));
    }
    return comment;
}

/// Whether a line imports the module: "import torch.nn.functional as F".
bool imports(const std::string& text, std::string_view module) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);)
        for (const std::string_view word : {"import ", "from "}) {
            const std::string_view said = trimmed(line);
            if (!said.starts_with(word)) continue;
            const std::string_view name = trimmed(said.substr(word.size()));
            const bool ends = name.size() == module.size() ||
                              std::string_view(" .,").find(name[std::min(module.size(), name.size() - 1)]) != said.npos;
            if (name.starts_with(module) && ends) return true;
        }
    return false;
}

/// As NumPy calls the elements.
std::string element_name(const OwnArray& array, DType dtype) {
    return array.signed_bytes ? "int8" : array.truth ? "bool" : std::string(name_of(dtype));
}

}  // namespace

/// The memory that both processes see, and the clock of the other one.
class PythonDevice final : public Device {
public:
    PythonDevice(const PythonRung& rung, DeviceInfo info)
        : rung_(rung), info_(std::move(info)), file_(memfd_create("lanework", MFD_CLOEXEC)) {}
    PythonDevice(const PythonDevice&) = delete;
    PythonDevice& operator=(const PythonDevice&) = delete;
    ~PythonDevice() override {
        if (file_ >= 0) close(file_);
    }

    const DeviceInfo& info() const override { return info_; }

    DeviceMemory allocate(std::size_t bytes) override {
        const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
        const std::size_t whole = (std::max<std::size_t>(bytes, 1) + page - 1) / page * page;
        const bool grown = file_ >= 0 && ftruncate(file_, static_cast<off_t>(end_ + whole)) == 0;
        void* const data =
            grown ? mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_SHARED, file_, static_cast<off_t>(end_))
                  : MAP_FAILED;
        if (data == MAP_FAILED)
            throw MemoryError(fmt::format("{}: cannot allocate {} bytes to share", info_.id, bytes));
#ifdef MADV_HUGEPAGE
        madvise(data, whole, MADV_HUGEPAGE);  // a wish
#endif
        ranges_[static_cast<const std::byte*>(data)] = {.base = end_, .bytes = whole, .version = ++versions_};
        end_ += whole;
        return {*this, data, bytes};
    }
    void upload(void* device, const void* host, std::size_t bytes) override {
        if (bytes == 0) return;
        fetch();
        range_of(device).version = ++versions_;
        std::memcpy(device, host, bytes);
    }
    void download(void* host, const void* device, std::size_t bytes) override {
        if (bytes == 0) return;
        fetch();
        std::memcpy(host, device, bytes);
    }
    void fill(void* device, std::byte value, std::size_t bytes) override {
        fetch();
        range_of(device).version = ++versions_;
        std::memset(device, static_cast<int>(value), bytes);
    }
    std::unique_ptr<Queue> open_queue() override { throw std::logic_error("a function of Python has no queues"); }
    void* stream() override { return this; }
    void check_launch() override {}
    void synchronize() override {}

    std::vector<double> time(int count, const std::function<void()>& before,
                             const std::function<void()>& body) override {
        std::vector<double> seconds;
        for (int run = 0; run < count; ++run) {
            if (before) before();
            clock_ = 0;
            body();
            seconds.push_back(clock_);
        }
        return seconds;
    }
    void evict(std::span<const std::pair<const void*, std::size_t>> ranges) override {
        cold_ = true;
        if (info_.kind == DeviceKind::cpu) evict_from_cpu_caches(ranges);
    }
    void recover() override {
        child_.reset();
        ran_ = false;
    }

    /// Where an array lies, as the child is told.
    Json place_of(const void* address) {
        Range& range = range_of(address);
        const auto* const begin = std::prev(ranges_.upper_bound(static_cast<const std::byte*>(address)))->first;
        return {{"base", range.base},
                {"bytes", range.bytes},
                {"offset", static_cast<const std::byte*>(address) - begin},
                {"version", range.version}};
    }
    /// Runs the function; its time is added to the clock.
    void run(Json request) {
        request["cold"] = std::exchange(cold_, false);
        request["dropped"] = std::exchange(dropped_, Json::array());
        clock_ += ask(request)["seconds"].get<double>();
        ran_ = true;
    }

protected:
    void release(void* device) noexcept override {
        const auto found = ranges_.find(static_cast<const std::byte*>(device));
        if (found == ranges_.end()) return;
        munmap(device, found->second.bytes);
        fallocate(file_, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, static_cast<off_t>(found->second.base),
                  static_cast<off_t>(found->second.bytes));
        dropped_.push_back(found->second.base);
        ranges_.erase(found);
    }

private:
    struct Range {
        std::size_t base = 0, bytes = 0;
        std::uint64_t version = 0;
    };

    Range& range_of(const void* address) {
        const auto after = ranges_.upper_bound(static_cast<const std::byte*>(address));
        if (after == ranges_.begin()) throw std::logic_error("an array that a function of Python cannot see");
        return std::prev(after)->second;
    }

    /// Brings home what runs left in the child's own memory.
    void fetch() {
        if (std::exchange(ran_, false)) ask({{"fetch", true}});
    }

    Json ask(const Json& request) {
        try {
            if (!child_) {
                child_ = PythonChild::start({.file = rung_.file_,
                                             .script = kLibraryScript,
                                             .words = {info_.id, std::to_string(2 * info_.last_level_cache_bytes),
                                                       rung_.operation_.description().name, rung_.function_},
                                             .shared = file_});
                rung_.add_to_lesson(child_->begun().value("about", ""));
            }
            return child_->ask(request, rung_.name_);
        } catch (const FileError& error) {
            throw DeviceError(error.what());
        }
    }

    const PythonRung& rung_;
    DeviceInfo info_;
    int file_;
    std::size_t end_ = 0;
    std::uint64_t versions_ = 0;
    std::map<const std::byte*, Range> ranges_;
    Json dropped_ = Json::array();
    std::unique_ptr<PythonChild> child_;
    bool cold_ = false, ran_ = false;
    double clock_ = 0;
};

std::vector<DeviceKind> devices_of_python(const fs::path& file) {
    const std::string stated = read_comment(file).device, text = text_of(file);
    if (stated.empty()) {
        if (imports(text, "torch") && !imports(text, "numpy")) return {DeviceKind::cuda, DeviceKind::cpu};
        return {DeviceKind::cpu};
    }
    for (const DeviceKind kind : {DeviceKind::cuda, DeviceKind::cpu})
        if (stated == name_of(kind)) return {kind};
    throw UsageError(
        fmt::format("{}: device: `{}` is none that a function of Python runs on: cuda, cpu", file.string(), stated));
}

PythonRung& PythonRung::make(const OwnOperation& operation, const fs::path& file, DeviceKind device) {
    return *new PythonRung(operation, file, device);
}

PythonRung::PythonRung(const OwnOperation& operation, const fs::path& file, DeviceKind device)
    : operation_(operation),
      file_(fs::absolute(file).lexically_normal()),
      name_(file_.stem().string()),
      shown_file_(shown_path(file_)) {
    const PythonComment comment = read_comment(file_);
    function_ = comment.function;
    lesson_ = comment.lesson;
    for (const DType dtype : operation.description().types)
        types_.push_back(
            {.dtype = dtype,
             .supported = [](const void*) { return true; },
             .launch =
                 [](const void* own, const Problem& problem, const Buffers& buffers, void* stream) {
                     static_cast<const PythonRung*>(own)->launch(problem, buffers, *static_cast<PythonDevice*>(stream));
                 },
             .workspace = [](const void*, const Problem&, const Buffers&) -> std::size_t { return 0; },
             .prepare = [](const void*, const Problem&, const Buffers&, void*) { return PreparedOwner(); },
             .launch_args = [](const void*, const void*,
                               void*) { throw std::logic_error("a function of Python has no argument struct"); },
             .fits = [](const void*, const Problem&, const Buffers&) { return true; },
             .fits_args = [](const void*, const void*) { return false; }});
    rung_ = {.operation = operation.operation().name,
             .name = name_,
             .device = device,
             .library = true,
             .climbs_from = {},
             .lesson = lesson_,
             .file = shown_file_,
             .refuses = nullptr,
             .about = nullptr,
             .types = types_,
             .entry = this};
    adopt_device(rung_, [](const void* own, Device& given) -> Device& {
        return static_cast<const PythonRung*>(own)->device_beside(given);
    });
}

Device& PythonRung::device_beside(Device& given) const {
    std::unique_ptr<PythonDevice>& device = devices_[given.info().id];
    if (&given == device.get()) return given;
    if (!device) device = std::make_unique<PythonDevice>(*this, given.info());
    return *device;
}

void PythonRung::add_to_lesson(const std::string& about) const {
    if (about.empty() || lesson_.ends_with(about)) return;
    while (lesson_.ends_with('.')) lesson_.pop_back();
    lesson_ += (lesson_.empty() ? "" : ": ") + about;
    rung_.lesson = lesson_;
}

void PythonRung::launch(const Problem& problem, const Buffers& buffers, PythonDevice& device) const {
    const Description& description = operation_.description();
    Json request{{"scalars", Json::object()}, {"inputs", Json::array()}, {"outputs", Json::array()}};
    const NamedValues values = description.values(problem);
    for (const auto& [name, value] : values) request["scalars"][name] = value;
    const std::vector<OwnBuffer>& all = operation_.buffers();
    for (std::size_t i = 0; i < all.size(); ++i) {
        const OwnArray& array = *all[i].array;
        Json place = device.place_of(buffers.data[i]);
        place["name"] = array.name;
        place["dtype"] = element_name(array, description.dtype_of(array, problem.dtype));
        place["shape"] = operation_.shape(i, problem);
        place["in_place"] = array.use == OwnArray::Use::in_place;
        request[all[i].role == Role::input ? "inputs" : "outputs"].push_back(std::move(place));
    }
    device.run(std::move(request));
}

}  // namespace lanework
