// A kernel launch: what cudafe writes in place of kernel<<<grid, block, shared, stream>>>(arguments).
#pragma once

#include <lanework_simt/thread.hpp>
#include <memory>
#include <tuple>
#include <type_traits>
#include <typeinfo>
#include <utility>

namespace lanework_simt {

/// An argument of a launch as it was given, before it is converted to the kernel's parameter.
struct Argument {
    const void* data;
    std::size_t bytes;
    const std::type_info* type;
};

/// A launch without its types, as the engine takes it.
struct Launch {
    const char* kernel = "";
    Place place;
    dim3 grid, block;
    std::size_t shared_bytes = 0;
    const void* stream = nullptr;
    /// Runs the thread that the context names, and others after it for as long as next_thread() says so.
    void (*run)(const void* closure) = nullptr;
    const void* closure = nullptr;
    /// The same for all threads of the block that the context names, as plain loops, and for other blocks after it for
    /// as long as next_block() says so; null for a kernel that may wait for other threads.
    void (*run_loop)(const void* closure) = nullptr;
    /// All blocks are resident at once, so that they can wait for each other.
    bool cooperative = false;
    /// Shows the arguments in their order; null where they are not known.
    void (*arguments)(const void* closure, void (*see)(void* seer, const Argument&), void* seer) = nullptr;
};

/// Runs the grid to its end, or records the error that CUDA gives for the launch. Throws nothing.
void launch_grid(const Launch& launch);

/// A launch is run as plain loops when its blocks have no more threads in x than this, and its grid no more than that.
inline constexpr unsigned kMostLoopThreads = 1024, kMostLoopIndex = 0x7fffffff;

/// Whether launches on this stream are kept for a graph, and keeping one with what its closure needs.
bool capturing(const void* stream);
void keep_launch(const Launch& launch, std::shared_ptr<const void> closure);
/// Refuses to keep a launch of a kernel that is known by a local variable only, which may be gone when it is done.
void refuse_to_keep(const Launch& launch);

/// The dynamic shared memory in bytes that a launch may ask for, and what every launch may ask for without opting in.
inline constexpr std::size_t kDefaultSharedBytes = 48 * 1024, kMaxSharedBytes = 227 * 1024;
/// The limit that launches are held to: that of the GPU, unless set_max_dynamic_shared lowered it.
std::size_t max_dynamic_shared();
void set_max_dynamic_shared(std::size_t bytes);

/// Tells launches which streams exist; every stream is taken to exist until this is set.
void set_stream_check(bool (*exists)(const void* stream));

/// Whether a call refers to no local variable, so that it can be made when those are gone.
template <class Call>
inline constexpr bool kHoldsNoLocal = std::is_empty_v<Call>;

/// What a kernel's reference parameter is given: the object itself, by its address as on a GPU. Kernels must be able to
/// use its memory: it is managed, mapped or the device's.
template <class T>
struct Referred {
    T* object;
    Referred(T& value) : object(std::addressof(value)) {}  // NOLINT(google-explicit-constructor)
};
/// An argument for a reference parameter, which cudafe marks. What is no object with an address is stored as ever.
template <class T>
auto refer(T&& argument) {
    if constexpr (std::is_lvalue_reference_v<T>)
        return Referred<std::remove_reference_t<T>>(argument);
    else
        return std::remove_cv_t<T>(std::move(argument));
}
template <class T>
[[gnu::always_inline]] inline T& opened(T& stored) {
    return stored;
}
template <class T>
[[gnu::always_inline]] inline T& opened(Referred<T>& stored) {
    return *stored.object;
}
template <class T>
[[gnu::always_inline]] inline T& opened(const Referred<T>& stored) {
    return *stored.object;
}

template <class Call, class... Stored>
class Closure {
public:
    Closure(const Call& call, Stored... arguments) : call_(call), arguments_(std::move(arguments)...) {}

    static void run(const void* closure) {
        static_cast<const Closure*>(closure)->run(std::index_sequence_for<Stored...>{});
    }
#ifndef LANEWORK_SIMT_WATCHED
    [[gnu::flatten]] static void run_loop(const void* closure) {
        static_cast<const Closure*>(closure)->run_loop(std::index_sequence_for<Stored...>{});
    }
#endif
    static void arguments(const void* closure, void (*see)(void* seer, const Argument&), void* seer) {
        const auto show = [&](const Stored&... stored) { (see(seer, {&stored, sizeof stored, &typeid(stored)}), ...); };
        std::apply(show, static_cast<const Closure*>(closure)->arguments_);
    }

private:
    template <std::size_t... I>
    [[gnu::always_inline]] void run(std::index_sequence<I...>) const {
        if constexpr (kHoldsNoLocal<Call>)
            run_threads(call_, quiet_copy(std::get<I>(arguments_))...);
        else  // of a pointer to a kernel
            run_threads(quiet_copy(call_), quiet_copy(std::get<I>(arguments_))...);
    }
#ifdef LANEWORK_SIMT_WATCHED
    [[gnu::always_inline]] static void run_threads(const Call call, Stored... arguments) {
        do {
            enter_kernel();
            call(opened(arguments)...);
        } while (next_thread());
    }
#else
    [[gnu::always_inline]] static void run_threads(const Call& call, Stored... arguments) {
        do {
            loop_thread = nullptr;
            call(opened(arguments)...);
        } while (next_thread_of_row());
    }
    template <std::size_t... I>
    [[gnu::always_inline]] void run_loop(std::index_sequence<I...>) const {
        run_blocks(call_, std::get<I>(arguments_)...);
    }
    [[gnu::always_inline]] static void run_blocks(const Call& call, Stored... arguments) {
        const uint3 threads = context.block_dim, grid = context.grid_dim;
        do {
            uint3 block = context.block_index;
            for (unsigned z = 0; z < threads.z; ++z)
                for (unsigned y = 0; y < threads.y; ++y) {
                    // Launches that are larger do not come here: told so, the compiler sees that an index which is kept
                    // in an int does not overflow. It is told for each row anew, where it looks for it. A loop around a
                    // loop it would try to vectorise instead of that.
                    unsigned width = threads.x;
                    asm volatile("" : "+r"(block.x), "+r"(width));
                    if (width > kMostLoopThreads || block.x * width > kMostLoopIndex - kMostLoopThreads) return;
                    for (unsigned x = 0; x < width; ++x) {
                        // Made anew for each thread: dead behind the call, it needs no memory.
                        const LoopThread thread{{x, y, z}, block, {width, threads.y, threads.z}, grid};
                        loop_thread = &thread;
                        call(opened(arguments)...);
                        loop_thread = nullptr;
                    }
                }
        } while (next_block());
    }
#endif

    const Call& call_;
    std::tuple<Stored...> arguments_;
};

template <class Call, bool Loop>
class ConfiguredLaunch {
public:
    ConfiguredLaunch(Launch launch, const Call& call) : launch_(launch), call_(call) {}

    /// Says whether all blocks have to be resident at once.
    ConfiguredLaunch& cooperative(bool together) {
        launch_.cooperative = together;
        return *this;
    }

    /// The arguments are evaluated here, once; every thread gets a copy.
    template <class... Arguments>
    void operator()(Arguments&&... arguments) {
        using Bound = Closure<Call, std::decay_t<Arguments>...>;
        if (capturing(launch_.stream)) return keep<Bound>(std::forward<Arguments>(arguments)...);
        const Bound closure(call_, std::forward<Arguments>(arguments)...);
        set_code<Bound>();
        launch_.closure = &closure;
        launch_grid(launch_);
    }

private:
    template <class Bound>
    void set_code() {
        launch_.run = &Bound::run;
        if constexpr (Loop) launch_.run_loop = &Bound::run_loop;
        launch_.arguments = &Bound::arguments;
    }
    template <class Bound>
    struct Kept {
        template <class... Arguments>
        explicit Kept(const Call& kernel, Arguments&&... arguments)
            : call(kernel), closure(call, std::forward<Arguments>(arguments)...) {}
        Call call;
        Bound closure;
    };
    template <class Bound, class... Arguments>
    void keep(Arguments&&... arguments) {
        if constexpr (kHoldsNoLocal<Call>) {
            const auto kept = std::make_shared<Kept<Bound>>(call_, std::forward<Arguments>(arguments)...);
            set_code<Bound>();
            launch_.closure = &kept->closure;
            keep_launch(launch_, kept);
        } else {
            refuse_to_keep(launch_);
        }
    }

    Launch launch_;
    const Call& call_;
};

template <class Call, bool Loop>
class Launcher {
public:
    Launcher(const char* kernel, Call call, Place place) : kernel_(kernel), call_(std::move(call)), place_(place) {}

    ConfiguredLaunch<Call, Loop> configure(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                           const void* stream = nullptr) const {
        Launch launch;
        launch.kernel = kernel_;
        launch.place = place_;
        launch.grid = grid;
        launch.block = block;
        launch.shared_bytes = shared_bytes;
        launch.stream = stream;
        return {launch, call_};
    }

private:
    const char* kernel_;
    Call call_;
    Place place_;
};

/// `call` calls the kernel with the arguments it is given.
template <class Call>
Launcher<Call, false> launcher(const char* kernel, Call call, Place place = Place::here()) {
    return {kernel, std::move(call), place};
}

/// The same for a kernel that never waits for other threads. Watched code has a fiber for each thread all the same, and
/// so has code that nobody optimises: the loop would gain it nothing.
#if defined(LANEWORK_SIMT_WATCHED) || !defined(__OPTIMIZE__)
inline constexpr bool kLoops = false;
#else
inline constexpr bool kLoops = true;
#endif
template <class Call>
Launcher<Call, kLoops> loop_launcher(const char* kernel, Call call, Place place = Place::here()) {
    return {kernel, std::move(call), place};
}

}  // namespace lanework_simt
