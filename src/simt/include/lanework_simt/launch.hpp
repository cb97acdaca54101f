// A kernel launch: what cudafe writes in place of kernel<<<grid, block, shared, stream>>>(arguments).
#pragma once

#include <lanework_simt/regions.hpp>
#include <lanework_simt/thread.hpp>
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
    /// The kernel's address; null where its name means several functions.
    const void* address = nullptr;
    /// `run` and `address` say which kernel it is; else variables of the function that launches it do.
    bool kernel_known = true;
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
    /// Such a loop is over the threads of several blocks, up to blocks_end.
    bool rows = false;
    /// All blocks are resident at once, so that they can wait for each other.
    bool cooperative = false;
    /// Shows the arguments in their order; null where they are not known.
    void (*arguments)(const void* closure, void (*see)(void* seer, const Argument&), void* seer) = nullptr;
    /// Each of these threads strides through the grid: the more of them run together, the longer the memory that one
    /// round goes through.
    bool strides = false;
    /// Threads of other OS threads make atomic operations slow, and may be worth it all the same: that is measured.
    bool atomics = false;
};

/// Runs the grid to its end, or records the error that CUDA gives for the launch. Throws nothing.
void launch_grid(const Launch& launch);

/// How a kernel that never waits for other threads runs: not as a loop, as one over the threads of a block, or over
/// those of neighbouring blocks with the same y and z. A kernel of rows asks for the x of its block and of its thread
/// only together: a loop gives it the x of the first block, and counts threads on behind that block's. A guarded kernel
/// is one of rows whose threads do something up to one of the row (takes_part). A kernel of strides does so again and
/// again, each thread a grid further: its rounds are the outer loop, and its threads the inner one. A kernel of regions
/// waits at its own barriers alone, and has loops between them: it is called once for a block.
enum class Loops { none, blocks, rows, guarded, strides, regions, atomic = 8 };
/// Added to how a kernel runs: it has atomic operations, which need no lock where one OS thread runs the grid.
constexpr Loops with_atomics(Loops order) {
    return static_cast<Loops>(static_cast<int>(order) | static_cast<int>(Loops::atomic));
}
constexpr bool has_atomics(Loops order) { return (static_cast<int>(order) & static_cast<int>(Loops::atomic)) != 0; }
constexpr Loops without_atomics(Loops order) {
    return static_cast<Loops>(static_cast<int>(order) & ~static_cast<int>(Loops::atomic));
}
/// A loop of it is over the threads of several blocks.
constexpr bool is_of_rows(Loops order) {
    const Loops plain = without_atomics(order);
    return plain == Loops::rows || plain == Loops::guarded || plain == Loops::strides;
}

/// A launch is run as plain loops when its blocks have no more threads in x than this, and its grid no more than that.
inline constexpr unsigned kMostLoopThreads = 1024, kMostLoopIndex = 0x7fffffff;

/// Whether launches on this stream are kept for a graph, and keeping one with what its closure needs, up to `forget`.
bool capturing(const void* stream);
void keep_launch(const Launch& launch, const void* kept, void (*forget)(const void* kept));
/// Refuses to keep a launch of a kernel that is known by a local variable only, which may be gone when it is done.
void refuse_to_keep(const Launch& launch);

/// The bytes of dynamic shared memory that a launch may ask for on the GPU that is presented: 48 KiB, or what its
/// kernel was allowed there. Of a kernel whose address is not known (null), the most that any kernel was allowed.
std::size_t allowed_dynamic_shared(const void* kernel);
void allow_dynamic_shared(const void* kernel, std::size_t bytes);
/// Every GPU is as it was before anything was allowed.
void forget_allowed_dynamic_shared();

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
    Referred(T& value) : object(__builtin_addressof(value)) {}  // NOLINT(google-explicit-constructor)
};
/// An argument for a reference parameter, which cudafe marks. What is no object with an address is stored as ever.
template <class T>
auto refer(T&& argument) {
    if constexpr (std::is_lvalue_reference_v<T>)
        return Referred<std::remove_reference_t<T>>(argument);
    else
        return std::remove_cv_t<T>(std::move(argument));
}
/// A value on its way to where it is kept: a class that may be copied and not moved is copied.
template <class T>
[[gnu::always_inline]] constexpr decltype(auto) handed_on(T& value) {
    if constexpr (std::is_move_constructible_v<T>)
        return std::move(value);
    else
        return static_cast<const T&>(value);
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

/// A kernel's address and parameters, where its name means one function.
template <class... Parameters>
struct Signature {
    void (*kernel)(Parameters...);
};
template <class... Parameters>
Signature<Parameters...> signature(int, void (*kernel)(Parameters...)) {
    return {kernel};
}
/// The signature of what a kernel's name means, where that is one function: an error in what depends on a parameter is
/// none.
#define LANEWORK_SIGNATURE(...)                                                                 \
    [&](auto lanework_any) -> decltype(::lanework_simt::signature(lanework_any, __VA_ARGS__)) { \
        return ::lanework_simt::signature(lanework_any, __VA_ARGS__);                           \
    }
/// The same where a pack stands among the arguments, in parentheses: a kernel's name that stands for a template with a
/// pack of its own means one of too few parameters until the call says of what the pack is.
template <class... Arguments>
std::integral_constant<std::size_t, sizeof...(Arguments)> count_of(Arguments&&...);
template <class Count, class... Parameters>
auto signature_of(int, Count, void (*kernel)(Parameters...))
    -> std::enable_if_t<(sizeof...(Parameters) >= Count::value), Signature<Parameters...>> {
    return {kernel};
}
#define LANEWORK_SIGNATURE_OF(arguments, ...)                                                                 \
    [&](auto lanework_any) -> decltype(::lanework_simt::signature_of(                                         \
                               lanework_any, decltype(::lanework_simt::count_of arguments){}, __VA_ARGS__)) { \
        return ::lanework_simt::signature_of(lanework_any, decltype(::lanework_simt::count_of arguments){},   \
                                             __VA_ARGS__);                                                    \
    }
/// Of an overloaded kernel, or a template whose types follow from the arguments: they are stored as they are given, and
/// converted when each thread calls it.
struct NoSignature {};
/// What `ask(0)` returns, where its expression means anything.
template <class Ask>
auto known_signature(const Ask& ask, int zero) -> decltype(ask(zero)) {
    return ask(zero);
}
template <class Ask>
NoSignature known_signature(const Ask&, long) {
    return {};
}
template <class... Parameters>
const void* address_of(Signature<Parameters...> signature) {
    return reinterpret_cast<const void*>(signature.kernel);
}
inline const void* address_of(NoSignature) { return nullptr; }

/// Whether an argument may be converted to a parameter. A number that is no variable may be the constant 0 for a
/// pointer.
template <class Argument, class Parameter>
constexpr bool may_become() {
    if constexpr (std::is_same_v<std::remove_cv_t<std::remove_reference_t<Argument>>, Parameter> &&
                  std::is_scalar_v<Parameter>)  // without asking, which takes the compiler long
        return true;
    else if constexpr (std::is_pointer_v<Parameter> && !std::is_lvalue_reference_v<Argument> &&
                       std::is_integral_v<std::remove_reference_t<Argument>>)
        return true;
    else
        return std::is_convertible_v<Argument, Parameter>;
}
template <class Argument, class Parameter>
inline constexpr bool kMayBecome = may_become<Argument, Parameter>();
/// Whether arguments may be converted to the first of these parameters; those behind may have defaults.
template <class Arguments, class Parameters>
inline constexpr bool kMayBegin = false;
template <class... Parameters>
inline constexpr bool kMayBegin<std::tuple<>, std::tuple<Parameters...>> = true;
template <class A, class... Arguments, class P, class... Parameters>
inline constexpr bool kMayBegin<std::tuple<A, Arguments...>, std::tuple<P, Parameters...>> =
    kMayBecome<A, P>&& kMayBegin<std::tuple<Arguments...>, std::tuple<Parameters...>>;

/// The arguments of a launch. A tuple of the standard library takes the compiler longer than a small kernel.
template <std::size_t I, class T>
struct StoredArgument {
    T value;
};
template <class Indices, class... Stored>
struct StoredArguments;
template <std::size_t... I, class... Stored>
struct StoredArguments<std::index_sequence<I...>, Stored...> : StoredArgument<I, Stored>... {
    void show([[maybe_unused]] void (*see)(void* seer, const Argument&), [[maybe_unused]] void* seer) const {
        (see(seer, {&this->StoredArgument<I, Stored>::value, sizeof(Stored), &typeid(Stored)}), ...);
    }
};

template <class Call, class... Stored>
class Closure {
    using Arguments = StoredArguments<std::index_sequence_for<Stored...>, Stored...>;

public:
    Closure(const Call& call, Stored... arguments) : call_(call), arguments_{{handed_on(arguments)}...} {}

    static void run(const void* closure) {
        static_cast<const Closure*>(closure)->run(std::index_sequence_for<Stored...>{});
    }
#ifndef LANEWORK_SIMT_WATCHED
    template <Loops Order>
    [[gnu::flatten]] static void run_loop(const void* closure) {
        static_cast<const Closure*>(closure)->template run_loop<Order>(std::index_sequence_for<Stored...>{});
    }
#endif
    static void arguments(const void* closure, void (*see)(void* seer, const Argument&), void* seer) {
        static_cast<const Closure*>(closure)->arguments_.show(see, seer);
    }

private:
    template <std::size_t... I>
    [[gnu::always_inline]] void run(std::index_sequence<I...>) const {
        if constexpr (kHoldsNoLocal<Call>)
            run_threads(call_, quiet_copy(arguments_.StoredArgument<I, Stored>::value)...);
        else  // of a pointer to a kernel
            run_threads(quiet_copy(call_), quiet_copy(arguments_.StoredArgument<I, Stored>::value)...);
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
        loop_block = nullptr;
        do {
            loop_thread = nullptr;
            call(opened(arguments)...);
        } while (next_thread_of_row());
    }
    /// What all threads of a launch have in common.
    struct Extents {
        uint3 threads, grid;
    };
    /// A thread by itself.
    [[gnu::noinline, gnu::flatten]] static void run_thread(const LoopThread& thread, const Call& call,
                                                           Stored&... arguments) {
        loop_thread = &thread;
        call(opened(arguments)...);
        loop_thread = nullptr;
    }
    /// Whether the thread takes part in the round.
    [[gnu::noinline, gnu::flatten]] static bool takes_part(const LoopThread& thread, const Call& call,
                                                           Stored&... arguments) {
        loop_thread = &thread;
        call(opened(arguments)...);
        loop_thread = nullptr;
        return thread.partakes;
    }
    /// How many of the first `count` threads from that one on take part: none does behind one that does not. Its
    /// arguments are copies: those of the loop stay in registers.
    [[gnu::noinline]] static unsigned partakers(LoopThread thread, unsigned count, const Call& call,
                                                Stored... arguments) {
        const auto partakes = [&](unsigned x) {
            thread.thread_index.x = x;
            return takes_part(thread, call, arguments...);
        };
        if (partakes(count - 1)) return count;
        unsigned most = count - 1, least = 0;
        while (least < most) {
            const unsigned middle = least + (most - least) / 2;
            if (partakes(middle))
                least = middle + 1;
            else
                most = middle;
        }
        return least;
    }
    /// Counts the index in the grid's row, which most kernels keep in an int and compare with a length: the compiler
    /// then has a loop with a bound, and none with a condition in it. The row's first thread comes by itself, since
    /// kernels ask for it, too (x > 0), and a loop is cut at one place only. `count`: of threads, from the block's
    /// first one on.
    template <Round State, bool Alone>
    [[gnu::always_inline]] static void run_row(uint3 block, unsigned count, unsigned y, unsigned z,
                                               const Extents& extents, const Call& call, Stored&... arguments) {
        // It is told for each row anew, where the compiler looks for it. A loop around a loop it would try to vectorise
        // instead of that.
        unsigned width = extents.threads.x;
        asm volatile("" : "+r"(block.x), "+r"(width));
        const unsigned first = block.x * width;
        const int behind = static_cast<int>(first + count);
        int begin = static_cast<int>(first);
        if (begin == 0) {
            run_thread({{0, y, z}, block, {width, extents.threads.y, extents.threads.z}, extents.grid, Alone, State},
                       call, arguments...);
            begin = 1;
        }
        asm volatile("" : "+r"(begin));
        // Launches that are larger do not come here: told so, the compiler sees that no index overflows.
        if (width > kMostLoopThreads || first > kMostLoopIndex - kMostLoopThreads || behind < 1 || begin < 1 ||
            static_cast<unsigned>(begin) - first > 1)
            __builtin_unreachable();
        for (int i = begin; i < behind; ++i) {
            // Made anew for each thread: dead behind the call, it needs no memory.
            const LoopThread thread{{static_cast<unsigned>(i) - first, y, z},
                                    block,
                                    {width, extents.threads.y, extents.threads.z},
                                    extents.grid,
                                    Alone,
                                    State};
            loop_thread = &thread;
            call(opened(arguments)...);
            loop_thread = nullptr;
        }
    }
    /// The kernel has the loops in it.
    [[gnu::always_inline]] static void run_regions(const LoopThread& block, const Call& call, Stored&... arguments) {
        loop_block = &block;
        call(opened(arguments)...);
        loop_block = nullptr;
    }
    /// Those of the row that take part in the first round, and of a kernel of strides in each one: in its next round
    /// the threads have the indices of a grid further.
    template <Loops Order, bool Alone>
    [[gnu::always_inline]] static void run_rounds(uint3 block, unsigned count, unsigned y, unsigned z,
                                                  const Extents& extents, const Call& call, Stored&... arguments) {
        for (;; block.x += extents.grid.x) {
            const unsigned some = partakers({{0, y, z}, block, extents.threads, extents.grid, Alone, Round::asked},
                                            count, call, arguments...);
            if (some == 0) return;
            run_row<Round::joined, Alone>(block, some, y, z, extents, call, arguments...);
            if (Order != Loops::strides) return;
            // No index passes the largest one: each thread goes on by itself.
            if ((std::uint64_t{block.x} + 2 * std::uint64_t{extents.grid.x}) * extents.threads.x + count >
                kMostLoopIndex)
                break;
        }
        block.x += extents.grid.x;
        for (unsigned x = 0; x < count; ++x)
            run_thread({{x, y, z}, block, extents.threads, extents.grid, Alone, Round::none}, call, arguments...);
    }
    template <Loops Order, std::size_t... I>
    [[gnu::always_inline]] void run_loop(std::index_sequence<I...>) const {
        // Kernels without atomic operations are the same in both.
        if (has_atomics(Order) && context.alone)
            run_blocks<without_atomics(Order), has_atomics(Order)>(call_,
                                                                   arguments_.StoredArgument<I, Stored>::value...);
        else
            run_blocks<without_atomics(Order), false>(call_, arguments_.StoredArgument<I, Stored>::value...);
    }
    template <Loops Order, bool Alone>
    [[gnu::always_inline]] static void run_blocks(const Call& call, Stored... arguments) {
        const Extents extents{context.block_dim, context.grid_dim};
        const uint3& threads = extents.threads;
        do {
            uint3 block = context.block_index;
            const unsigned blocks_end = context.blocks_end;
            do {
                // For who names a fault: never kept back.
                __atomic_store_n(&context.block_index.x, block.x, __ATOMIC_RELAXED);
                const unsigned end = is_of_rows(Order) ? blocks_end : block.x + 1;
                if constexpr (Order == Loops::regions) {
                    run_regions({{0, 0, 0}, block, threads, extents.grid, Alone, Round::none}, call, arguments...);
                } else {
                    const unsigned count = (end - block.x) * threads.x;
                    for (unsigned z = 0; z < threads.z; ++z)
                        for (unsigned y = 0; y < threads.y; ++y)
                            if constexpr (Order == Loops::guarded || Order == Loops::strides)
                                run_rounds<Order, Alone>(block, count, y, z, extents, call, arguments...);
                            else
                                run_row<Round::none, Alone>(block, count, y, z, extents, call, arguments...);
                }
                block.x = end;
            } while (block.x < blocks_end);
        } while (next_block());
    }
#endif

    const Call& call_;
    Arguments arguments_;
};

template <class Call, Loops Order>
class LaunchStart {
public:
    LaunchStart(Launch launch, const Call& call) : launch_(launch), call_(call) {}

protected:
    /// The arguments are evaluated once; every thread gets a copy of what is stored.
    template <class... Stored, class... Arguments>
    void start(Arguments&&... arguments) {
        using Bound = Closure<Call, Stored...>;
        if (capturing(launch_.stream)) return keep<Bound>(std::forward<Arguments>(arguments)...);
        const Bound closure(call_, std::forward<Arguments>(arguments)...);
        set_code<Bound>();
        launch_.closure = &closure;
        launch_grid(launch_);
    }

    Launch launch_;

private:
    template <class Bound>
    void set_code() {
        launch_.run = &Bound::run;
        launch_.kernel_known = kHoldsNoLocal<Call> || launch_.address != nullptr;
        if constexpr (Order != Loops::none) {
            launch_.run_loop = &Bound::template run_loop<Order>;
            launch_.rows = is_of_rows(Order);
            launch_.strides = without_atomics(Order) == Loops::strides;
            launch_.atomics = has_atomics(Order);
        }
        launch_.arguments = &Bound::arguments;
    }
    template <class Bound>
    struct Kept {
        template <class... Arguments>
        explicit Kept(const Call& kernel, Arguments&&... arguments)
            : call(kernel), closure(call, std::forward<Arguments>(arguments)...) {}
        static void forget(const void* kept) { delete static_cast<const Kept*>(kept); }
        Call call;
        Bound closure;
    };
    template <class Bound, class... Arguments>
    void keep(Arguments&&... arguments) {
        if constexpr (kHoldsNoLocal<Call>) {
            const auto* const kept = new Kept<Bound>(call_, std::forward<Arguments>(arguments)...);
            set_code<Bound>();
            launch_.closure = &kept->closure;
            keep_launch(launch_, kept, &Kept<Bound>::forget);
        } else {
            refuse_to_keep(launch_);
        }
    }

    const Call& call_;
};

/// Whether arguments can be converted before the call: a reference is of an object that the launch names.
template <class Known>
inline constexpr bool kConverts = false;
template <class... Parameters>
inline constexpr bool kConverts<Signature<Parameters...>> = !(std::is_reference_v<Parameters> || ...);

/// What takes the arguments. Here they are stored as they are given.
template <class Call, Loops Order, class Known, bool = kConverts<Known>>
class ConfiguredLaunch : public LaunchStart<Call, Order> {
public:
    using LaunchStart<Call, Order>::LaunchStart;

    template <class... Arguments>
    void operator()(Arguments&&... arguments) {
        this->template start<std::decay_t<Arguments>...>(std::forward<Arguments>(arguments)...);
    }
};

/// Takes the parameters `First`, and those with one after the other of `More`.
template <class Call, Loops Order, class First, class... More>
class ParametersFrom;
template <class Call, Loops Order, class... First>
class ParametersFrom<Call, Order, std::tuple<First...>> : public LaunchStart<Call, Order> {
public:
    using LaunchStart<Call, Order>::LaunchStart;
    void operator()(First... arguments) { this->template start<First...>(handed_on(arguments)...); }
};
template <class Call, Loops Order, class... First, class Next, class... More>
class ParametersFrom<Call, Order, std::tuple<First...>, Next, More...>
    : public ParametersFrom<Call, Order, std::tuple<First..., Next>, More...> {
    using Base = ParametersFrom<Call, Order, std::tuple<First..., Next>, More...>;

public:
    using Base::Base;
    using Base::operator();
    void operator()(First... arguments) { this->template start<First...>(handed_on(arguments)...); }
};

/// Here they become the kernel's parameters as in a call of it: NULL and 0 become pointers, lists in braces objects.
template <class Call, Loops Order, class... Parameters>
class ConfiguredLaunch<Call, Order, Signature<Parameters...>, true>
    : public ParametersFrom<Call, Order, std::tuple<>, Parameters...> {
    using Base = ParametersFrom<Call, Order, std::tuple<>, Parameters...>;

public:
    using Base::Base;
    using Base::operator();

    /// Arguments that the kernel does not take: the compiler says so of its call.
    template <class... Arguments,
              std::enable_if_t<!kMayBegin<std::tuple<Arguments&&...>, std::tuple<Parameters...>>, int> = 0>
    void operator()(Arguments&&... arguments) {
        this->template start<std::decay_t<Arguments>...>(std::forward<Arguments>(arguments)...);
    }
};

/// A launch with arguments that are no values: 0 and NULL, which a parameter may make a pointer of, and lists in
/// braces. `Given` makes the launch as it is written of those that are values; `Spelled` calls the kernel with them so.
template <class Call, Loops Order, class Known, class Given, class Spelled>
class SpelledLaunch {
public:
    SpelledLaunch(const Launch& launch, const Call& call, const Given& given, const Spelled& spelled)
        : launch_(launch), call_(call), given_(given), spelled_(spelled) {}

    template <class... Arguments>
    void operator()(Arguments&&... arguments) const {
        if constexpr (kConverts<Known>) {
            ConfiguredLaunch<Call, Order, Known> launch(launch_, call_);
            given_(launch, std::forward<Arguments>(arguments)...);
        } else {
            ConfiguredLaunch<Spelled, Order, NoSignature>(launch_, spelled_)(std::forward<Arguments>(arguments)...);
        }
    }

private:
    const Launch launch_;
    const Call& call_;
    const Given& given_;
    const Spelled& spelled_;
};

template <class Call, Loops Order, class Known>
class Launcher {
public:
    Launcher(const char* kernel, const void* address, Call call, Place place)
        : kernel_(kernel), address_(address), call_(std::move(call)), place_(place) {}

    /// `cooperative`: all blocks are resident at once.
    ConfiguredLaunch<Call, Order, Known> configure(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                                   const void* stream = nullptr, bool cooperative = false) const {
        return {launch(grid, block, shared_bytes, stream, cooperative), call_};
    }

    template <class Given, class Spelled>
    class WithLiterals {
    public:
        WithLiterals(const Launcher& launcher, Given given, Spelled spelled)
            : launcher_(launcher), given_(std::move(given)), spelled_(std::move(spelled)) {}

        SpelledLaunch<Call, Order, Known, Given, Spelled> configure(dim3 grid, dim3 block, std::size_t shared_bytes = 0,
                                                                    const void* stream = nullptr,
                                                                    bool cooperative = false) const {
            return {launcher_.launch(grid, block, shared_bytes, stream, cooperative), launcher_.call_, given_,
                    spelled_};
        }

    private:
        const Launcher& launcher_;
        Given given_;
        Spelled spelled_;
    };
    template <class Given, class Spelled>
    WithLiterals<Given, Spelled> spelled(Given given, Spelled spelled) const {
        return {*this, std::move(given), std::move(spelled)};
    }

private:
    Launch launch(dim3 grid, dim3 block, std::size_t shared_bytes, const void* stream, bool cooperative) const {
        Launch launch;
        launch.kernel = kernel_;
        launch.address = address_;
        launch.place = place_;
        launch.grid = grid;
        launch.block = block;
        launch.shared_bytes = shared_bytes;
        launch.stream = stream;
        launch.cooperative = cooperative;
        return launch;
    }

    const char* kernel_;
    const void* address_;
    Call call_;
    Place place_;
};

/// `call` calls the kernel with the arguments it is given; `ask` returns its signature, or cannot.
template <class Call, class Ask>
auto launcher(const char* kernel, Call call, const Ask& ask, Place place = Place::here()) {
    const auto known = known_signature(ask, 0);
    return Launcher<Call, Loops::none, std::remove_const_t<decltype(known)>>(kernel, address_of(known), std::move(call),
                                                                             place);
}

/// The same for a kernel that never waits for other threads. Watched code has a fiber for each thread all the same, and
/// so has code that nobody optimises: the loop would gain it nothing.
template <Loops Order, class Call, class Ask>
auto ordered_launcher(const char* kernel, Call call, const Ask& ask, Place place) {
#if defined(LANEWORK_SIMT_WATCHED) || !defined(__OPTIMIZE__)
    return launcher(kernel, std::move(call), ask, place);
#else
    const auto known = known_signature(ask, 0);
    return Launcher<Call, Order, std::remove_const_t<decltype(known)>>(kernel, address_of(known), std::move(call),
                                                                       place);
#endif
}
/// `Atomics`: the kernel has atomic operations.
#define LANEWORK_SIMT_LAUNCHER(name, order)                                                 \
    template <bool Atomics = false, class Call, class Ask>                                  \
    auto name(const char* kernel, Call call, const Ask& ask, Place place = Place::here()) { \
        constexpr Loops kOrder = Atomics ? with_atomics(Loops::order) : Loops::order;       \
        return ordered_launcher<kOrder>(kernel, std::move(call), ask, place);               \
    }
LANEWORK_SIMT_LAUNCHER(loop_launcher, blocks)
LANEWORK_SIMT_LAUNCHER(row_launcher, rows)
LANEWORK_SIMT_LAUNCHER(guarded_launcher, guarded)
LANEWORK_SIMT_LAUNCHER(stride_launcher, strides)
LANEWORK_SIMT_LAUNCHER(region_launcher, regions)
#undef LANEWORK_SIMT_LAUNCHER

}  // namespace lanework_simt
