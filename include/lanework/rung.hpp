// A rung: one way to compute an operation on one kind of device. This is the only header that a rung's file
// needs beside its operation's; it is read by nvcc and by every rung, so it stays light.
#pragma once

#include <array>
#include <cstddef>
#include <lanework/on_device.hpp>
#include <lanework/problem.hpp>
#include <optional>
#include <span>
#include <string_view>
#include <tuple>
#include <utility>

namespace lanework {

enum class DeviceKind : std::uint8_t { cuda, simt, cpu };

inline constexpr DeviceKind kDeviceKinds[] = {DeviceKind::cuda, DeviceKind::simt, DeviceKind::cpu};

/// The name used by --device and in results files.
constexpr std::string_view name_of(DeviceKind kind) {
    return kind == DeviceKind::cuda ? "cuda" : kind == DeviceKind::simt ? "simt" : "cpu";
}

/// Where an array lives. A device that shares the host's memory has one kind only.
enum class Memory : std::uint8_t {
    device,    ///< the device's own
    pageable,  ///< the host's, as malloc gives it
    pinned,    ///< the host's, page-locked and mapped: the device reaches it by itself
    managed,   ///< pages that move to whoever touches them; before a launch they are the host's
};

/// What a rung makes once for many launches with the same arguments, since making it takes time: streams, events,
/// graphs. It is made outside every timed region and outlives the launches.
struct Prepared {
    Prepared() = default;
    Prepared(const Prepared&) = delete;
    Prepared& operator=(const Prepared&) = delete;
    virtual ~Prepared() = default;
};

/// Owns what a rung prepared; empty after a move. Not std::unique_ptr: <memory> takes nvcc a second for every file.
class PreparedOwner {
public:
    constexpr PreparedOwner() = default;
    explicit PreparedOwner(Prepared* prepared) : prepared_(prepared) {}
    PreparedOwner(PreparedOwner&& other) noexcept : prepared_(std::exchange(other.prepared_, nullptr)) {}
    PreparedOwner& operator=(PreparedOwner&& other) noexcept {
        std::swap(prepared_, other.prepared_);
        return *this;
    }
    PreparedOwner(const PreparedOwner&) = delete;
    PreparedOwner& operator=(const PreparedOwner&) = delete;
    ~PreparedOwner() { delete prepared_; }

    Prepared* get() const { return prepared_; }

private:
    Prepared* prepared_ = nullptr;
};

/// What the harness hands to a launch: the operation's buffers in the order of Operation::buffers, as addresses in the
/// memory where each lives, the workspace that the rung asked for (device memory, null if none) and what it prepared
/// (null if nothing).
struct Buffers {
    std::span<void* const> data;
    void* workspace = nullptr;
    Prepared* prepared = nullptr;

    /// The first arrays, as many as types are given, to be named where they are taken:
    /// const auto [in, out] = buffers.arrays<const float, float>();
    template <class... T>
    constexpr std::tuple<T*...> arrays() const {
        return arrays<T...>(std::index_sequence_for<T...>{});
    }

private:
    template <class... T, std::size_t... array>
    constexpr std::tuple<T*...> arrays(std::index_sequence<array...>) const {
        return {static_cast<T*>(data[array])...};
    }
};

/// The threads that a cpu rung may use: its counterpart of a CUDA stream, and like it never a default.
struct Team {
    int threads = 1;
};

/// The argument structs of an operation, one per element type. Each has `using Element` and a static
/// `from(const Problem&, const Buffers&)` that builds it.
template <class... Args>
struct Signature {};

/// One function per element type of an operation, null where a type is not supported. It is built from the
/// functions themselves: {launch<std::int32_t>, launch<float>}.
template <class... Functions>
class PerType {
public:
    constexpr PerType() = default;
    template <class... Given>
    constexpr PerType(Given*... given) {  // NOLINT(google-explicit-constructor): a list of functions
        ((std::get<Given*>(functions_) = given), ...);
    }
    template <class Function>
    constexpr Function get() const {
        return std::get<Function>(functions_);
    }

private:
    std::tuple<Functions...> functions_{};
};

/// What a rung's file states about it.
template <class Stream, class Sig>
struct RungEntry;
template <class Stream, class... Args>
struct RungEntry<Stream, Signature<Args...>> {
    /// The rung that this one improves on; empty for the first of a ladder and for library rungs.
    std::string_view climbs_from = {};
    /// What it teaches, in one sentence.
    std::string_view lesson = {};
    /// Launches the work on the stream (for cpu: runs it with the team) and returns without waiting.
    PerType<void (*)(const Args&, Stream)...> launch = {};
    /// Bytes of scratch memory that the launch needs in Buffers::workspace, if any.
    PerType<std::size_t (*)(const Args&)...> workspace = {};
    /// Makes what the launches with these arguments need beside memory, if anything; launches are on the same stream.
    PerType<PreparedOwner (*)(const Args&, Stream)...> prepare = {};
    /// Where the host's arrays live for this rung, if not where the operation says.
    std::optional<Memory> host_memory = {};
    /// Why this problem cannot be computed here, in one sentence; empty when it can.
    std::string_view (*refuses)(const Problem&) = nullptr;
    /// Of a rung for special arguments (an exact half, rows at whole vectors): whether these are. It is launched with
    /// no others, and the chooser (Operation::choice) asks it first. Null where it computes all.
    PerType<bool (*)(const Args&)...> fits = {};
    /// What those arguments are, to follow "computes only": "one image that becomes exactly half as high and wide".
    std::string_view only = {};
    /// Of a library rung: which library it found, its version and the code it chose; empty when there is none.
    std::string_view (*about)() = nullptr;
    /// Of a library rung whose arithmetic is another than the operation's, or of a rung that is there to show an error:
    /// how far its results may be from the reference's, where the operation allows less (as a share of the magnitudes
    /// where its tolerance is one). It is named with the rung wherever that is described.
    double deviation = 0;
};

/// A rung as the rest of the program sees it: constant data.
struct Rung {
    struct Typed {
        DType dtype;
        bool (*supported)(const void* entry);
        void (*launch)(const void* entry, const Problem&, const Buffers&, void* stream);
        std::size_t (*workspace)(const void* entry, const Problem&, const Buffers&);
        PreparedOwner (*prepare)(const void* entry, const Problem&, const Buffers&, void* stream);
        /// The launch with arguments of the caller's, where no problem describes them (a pitch, a region): `args` is
        /// the operation's argument struct for this type. Nothing is checked: `refuses` speaks of problems, and what
        /// `fits` says of these is the caller's to ask.
        void (*launch_args)(const void* entry, const void* args, void* stream);
        bool (*fits)(const void* entry, const Problem&, const Buffers&);
        bool (*fits_args)(const void* entry, const void* args);
    };
    std::string_view operation;
    std::string_view name;
    DeviceKind device;
    /// A library's implementation, wrapped: the peer to beat.
    bool library;
    std::string_view climbs_from;
    std::string_view lesson;
    /// The source file, relative to the root of the project.
    std::string_view file;
    std::string_view (*refuses)(const Problem&);
    std::string_view (*about)();
    std::span<const Typed> types;
    const void* entry;
    std::optional<Memory> host_memory = {};
    double deviation = 0;
    std::string_view only = {};

    /// The functions for an element type, or null when the rung has none.
    constexpr const Typed* typed(DType dtype) const {
        for (const Typed& candidate : types)
            if (candidate.dtype == dtype && candidate.supported(entry)) return &candidate;
        return nullptr;
    }
};

namespace detail {

/// Streams travel through the harness as void*: a cudaStream_t as itself, a Team by address.
template <class Stream>
struct StreamCast {
    static Stream from(void* stream) { return static_cast<Stream>(stream); }
};
template <>
struct StreamCast<Team> {
    static Team from(void* stream) { return *static_cast<const Team*>(stream); }
};

template <class Stream, class Entry, class A>
struct Erased {
    static auto launcher(const void* entry) {
        return static_cast<const Entry*>(entry)->launch.template get<void (*)(const A&, Stream)>();
    }
    static bool supported(const void* entry) { return launcher(entry) != nullptr; }
    static void launch(const void* entry, const Problem& problem, const Buffers& buffers, void* stream) {
        launcher(entry)(A::from(problem, buffers), StreamCast<Stream>::from(stream));
    }
    static bool fits_args(const void* entry, const void* args) {
        const auto fits = static_cast<const Entry*>(entry)->fits.template get<bool (*)(const A&)>();
        return !fits || fits(*static_cast<const A*>(args));
    }
    static bool fits(const void* entry, const Problem& problem, const Buffers& buffers) {
        const A args = A::from(problem, buffers);
        return fits_args(entry, &args);
    }
    static void launch_args(const void* entry, const void* args, void* stream) {
        launcher(entry)(*static_cast<const A*>(args), StreamCast<Stream>::from(stream));
    }
    static std::size_t workspace(const void* entry, const Problem& problem, const Buffers& buffers) {
        const auto bytes = static_cast<const Entry*>(entry)->workspace.template get<std::size_t (*)(const A&)>();
        return bytes ? bytes(A::from(problem, buffers)) : 0;
    }
    static PreparedOwner prepare(const void* entry, const Problem& problem, const Buffers& buffers, void* stream) {
        using Maker = PreparedOwner (*)(const A&, Stream);
        const auto make = static_cast<const Entry*>(entry)->prepare.template get<Maker>();
        return make ? make(A::from(problem, buffers), StreamCast<Stream>::from(stream)) : PreparedOwner();
    }
};

template <class Stream, class Entry, class Sig>
struct TypedTable;
template <class Stream, class Entry, class... Args>
struct TypedTable<Stream, Entry, Signature<Args...>> {
    static constexpr std::array<Rung::Typed, sizeof...(Args)> value{
        Rung::Typed{dtype_of<typename Args::Element>, &Erased<Stream, Entry, Args>::supported,
                    &Erased<Stream, Entry, Args>::launch, &Erased<Stream, Entry, Args>::workspace,
                    &Erased<Stream, Entry, Args>::prepare, &Erased<Stream, Entry, Args>::launch_args,
                    &Erased<Stream, Entry, Args>::fits, &Erased<Stream, Entry, Args>::fits_args}...};
};

/// True for files in an operation's library/ folder.
constexpr bool in_library_folder(std::string_view file) { return file.find("/library/") != std::string_view::npos; }

/// The part of a path that starts at the project's ops/ or tests/ folder.
constexpr std::string_view project_path(std::string_view file) {
    for (const std::string_view top : {std::string_view("/ops/"), std::string_view("/tests/")})
        if (const auto at = file.rfind(top); at != std::string_view::npos) return file.substr(at + 1);
    return file;
}

template <class Stream, class Sig>
constexpr Rung erase(const RungEntry<Stream, Sig>& entry, std::string_view operation, std::string_view name,
                     DeviceKind device, std::string_view file) {
    return Rung{operation,
                name,
                device,
                in_library_folder(file),
                entry.climbs_from,
                entry.lesson,
                project_path(file),
                entry.refuses,
                entry.about,
                TypedTable<Stream, RungEntry<Stream, Sig>, Sig>::value,
                &entry,
                entry.host_memory,
                entry.deviation,
                entry.only};
}

}  // namespace detail
}  // namespace lanework

// The build says which device a file is compiled for: LANEWORK_DEVICE is cuda, simt or cpu.
#define LANEWORK_JOIN_TOKENS(a, b, c, d) a##b##_##c##_##d
#define LANEWORK_JOIN(a, b, c, d) LANEWORK_JOIN_TOKENS(a, b, c, d)
#define LANEWORK_STREAM_cuda cudaStream_t
#define LANEWORK_STREAM_simt cudaStream_t
#define LANEWORK_STREAM_cpu ::lanework::Team
#define LANEWORK_STREAM_OF_TOKENS(device) LANEWORK_STREAM_##device
#define LANEWORK_STREAM_OF(device) LANEWORK_STREAM_OF_TOKENS(device)

/// Ends a rung's file: LANEWORK_RUNG(operation, name, {.climbs_from = …, .lesson = …, .launch = …}); the name is
/// the file's. The build collects every such entry into constant data.
#define LANEWORK_RUNG(op, name, ...)                                                                           \
    namespace {                                                                                                \
    constexpr ::lanework::RungEntry<LANEWORK_STREAM_OF(LANEWORK_DEVICE), op##_signature> lanework_entry_##name \
        __VA_ARGS__;                                                                                           \
    }                                                                                                          \
    extern const ::lanework::Rung LANEWORK_JOIN(lanework_rung_, LANEWORK_DEVICE, op, name);                    \
    constinit const ::lanework::Rung LANEWORK_JOIN(lanework_rung_, LANEWORK_DEVICE, op, name) =                \
        ::lanework::detail::erase(lanework_entry_##name, #op, #name, ::lanework::DeviceKind::LANEWORK_DEVICE,  \
                                  __FILE__)
