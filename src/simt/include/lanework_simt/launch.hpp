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
    const char* kernel;
    Place place;
    dim3 grid, block;
    std::size_t shared_bytes;
    const void* stream;
    /// Runs the thread that the context names, and others after it for as long as next_thread() says so.
    void (*run)(const void* closure);
    const void* closure;
    /// All blocks are resident at once, so that they can wait for each other.
    bool cooperative = false;
    /// Shows the arguments in their order; null where they are not known.
    void (*arguments)(const void* closure, void (*see)(void* seer, const Argument&), void* seer) = nullptr;
};

/// Runs the grid to its end, or records the error that CUDA gives for the launch. Throws nothing.
void launch_grid(const Launch& launch);

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

template <class Call, class... Stored>
class Closure {
public:
    Closure(const Call& call, Stored... arguments) : call_(call), arguments_(std::move(arguments)...) {}

    static void run(const void* closure) {
        static_cast<const Closure*>(closure)->run(std::index_sequence_for<Stored...>{});
    }
    static void arguments(const void* closure, void (*see)(void* seer, const Argument&), void* seer) {
        const auto show = [&](const Stored&... stored) { (see(seer, {&stored, sizeof stored, &typeid(stored)}), ...); };
        std::apply(show, static_cast<const Closure*>(closure)->arguments_);
    }

private:
    template <std::size_t... I>
    [[gnu::always_inline]] void run(std::index_sequence<I...>) const {
        run_threads(call_, quiet_copy(std::get<I>(arguments_))...);
    }
    [[gnu::always_inline]] static void run_threads(const Call& call, Stored... arguments) {
        do {
            enter_kernel();
            call(arguments...);
        } while (next_thread());
    }

    const Call& call_;
    std::tuple<Stored...> arguments_;
};

template <class Call>
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
        launch_.run = &Bound::run;
        launch_.arguments = &Bound::arguments;
        launch_.closure = &closure;
        launch_grid(launch_);
    }

private:
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
            launch_.run = &Bound::run;
            launch_.arguments = &Bound::arguments;
            launch_.closure = &kept->closure;
            keep_launch(launch_, kept);
        } else {
            refuse_to_keep(launch_);
        }
    }

    Launch launch_;
    const Call& call_;
};

template <class Call>
class Launcher {
public:
    Launcher(const char* kernel, Call call, Place place) : kernel_(kernel), call_(std::move(call)), place_(place) {}

    ConfiguredLaunch<Call> configure(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                     const void* stream = nullptr) const {
        return {Launch{kernel_, place_, grid, block, shared_bytes, stream, nullptr, nullptr, false, nullptr}, call_};
    }

private:
    const char* kernel_;
    Call call_;
    Place place_;
};

/// `call` calls the kernel with the arguments it is given.
template <class Call>
Launcher<Call> launcher(const char* kernel, Call call, Place place = Place::here()) {
    return {kernel, std::move(call), place};
}

}  // namespace lanework_simt
