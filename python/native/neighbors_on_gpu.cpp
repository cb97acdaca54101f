// Neighbour lists in a GPU's memory for languages that call C: counted, and then filled into arrays of the caller's.
#include <lanework/device_array.hpp>
#include <lanework/neighbors.hpp>
#include <memory>
#include <variant>

#include "python/native/errors.hpp"
#include "python/native/neighbor_request.hpp"
#include "python/native/place.hpp"
#include "src/particles/checks.hpp"
#include "src/particles/device_checks.hpp"

extern "C" {
/// Where a list goes; all in the GPU's memory. python/lanework/neighbors.py has the same fields in the same order.
struct lanework_gpu_list {
    void* room;    ///< what lanework_gpu_room says: the same for the count and the fill
    void* status;  ///< lanework::NeighborStatus, or null
    void *first, *indices, *shifts, *vectors, *distances;  ///< capacity of each that is wanted
    void* skin;                                            ///< what lanework_gpu_skin_open made, where that is asked
    int64_t capacity;
    int64_t pairs;  ///< written by what waits
};
}

namespace {
using namespace lanework;

/// Calls body(T{}) with the type of the positions.
template <class Body>
decltype(auto) with_type(const lanework_neighbor_request& request, const Body& body) {
    return request.is_double ? body(double{}) : body(float{});
}

// A table of cutoffs that are all 0 still needs a length to search in.
constexpr double kAnyLength = 0x1p-60;

/// What a list is asked for, and where its atoms are; valid until the call ends.
template <class T>
struct Asked {
    DeviceParticles<T> particles;
    NeighborOptions options;

    /// box: memory for one. box_is_there: what the call before has written into it stays.
    Asked(const lanework_neighbor_request& request, native::GpuStream& gpu, PeriodicBox* box, bool box_is_there = false)
        : options(native::options_of(request)) {
        particles.positions = static_cast<const T*>(request.positions);
        particles.atoms = request.atoms;
        particles.dimensions = request.dimensions;
        set_cutoffs(request, gpu);
        set_box(request, gpu, box, box_is_there);
    }

private:
    void set_cutoffs(const lanework_neighbor_request& request, native::GpuStream& gpu) {
        const Cutoffs<T> cutoffs = checked_cutoffs<T>(options);
        options.cutoff = cutoffs.largest > 0 ? cutoffs.largest : kAnyLength;
        if (!cutoffs.by_type) return;
        const std::vector<T> lengths(cutoffs.lengths.begin(), cutoffs.lengths.end());
        particles.types = request.types;
        particles.pair_cutoffs = gpu.copy(std::span<const T>(lengths));
        particles.type_count = cutoffs.types;
    }
    /// What the host knows of the box is checked here, the rest on the GPU.
    void set_box(const lanework_neighbor_request& request, native::GpuStream& gpu, PeriodicBox* there, bool is_there) {
        const PeriodicBox box = native::box_of(request);
        const Particles<T> nobody{.positions = {}, .boxes = {&box, 1}, .dimensions = request.dimensions};
        check_particles(nobody, 0);
        if (!request.cell) {
            check_independent(box, 0);
            particles.box = box;
            return;
        }
        particles.boxes = there;
        if (!is_there) gpu.write_box_of_cell(request, there);
    }
};

constexpr std::size_t kAlignment = 256;
constexpr std::size_t kBytesOfBox = kAlignment;
static_assert(sizeof(PeriodicBox) <= kBytesOfBox);

std::size_t bytes_of_offsets(std::int64_t atoms) {
    return (static_cast<std::size_t>(atoms) + 1 + kAlignment / sizeof(std::int64_t)) * sizeof(std::int64_t) /
           kAlignment * kAlignment;
}

/// Bytes of the box, the offsets and the workspace.
template <class T>
std::size_t room_for(const lanework_neighbor_request& request) {
    DeviceParticles<T> particles;
    particles.atoms = request.atoms;
    particles.dimensions = request.dimensions;
    particles.positions = static_cast<const T*>(request.positions);
    return kBytesOfBox + bytes_of_offsets(request.atoms) + neighbor_workspace(particles);
}

template <class T>
DeviceNeighborList<T> list_in(const lanework_gpu_list& list) {
    DeviceNeighborList<T> out;
    out.status = static_cast<NeighborStatus*>(list.status);
    out.capacity = list.capacity;
    out.first = static_cast<std::int32_t*>(list.first);
    out.indices = static_cast<std::int32_t*>(list.indices);
    out.shifts = static_cast<CellShift*>(list.shifts);
    out.vectors = static_cast<DistanceVector<T>*>(list.vectors);
    out.distances = static_cast<T*>(list.distances);
    return out;
}

/// Calls body(what is asked for, the list with its offsets in the room, the workspace behind them, the place). Without
/// a room it is memory of the call's. What waits for something is refused in a capture. box_is_there: the box is what
/// the count has written into the room.
template <class Body>
int32_t for_list(const lanework_neighbor_request& request, const lanework_gpu_list& list, const lanework_place& place,
                 std::string_view waits_for, bool box_is_there, const Body& body) noexcept {
    return native::guarded([&] {
        native::Place where(place);
        if (!waits_for.empty()) where.gpu().require_no_capture(waits_for);
        with_type(request, [&]<class T>(T) {
            const std::size_t bytes = room_for<T>(request), before = kBytesOfBox + bytes_of_offsets(request.atoms);
            auto* const room = static_cast<std::byte*>(list.room ? list.room : where.gpu().allocate(bytes));
            const Asked<T> asked(request, where.gpu(), reinterpret_cast<PeriodicBox*>(room), box_is_there);
            DeviceNeighborList<T> out = list_in<T>(list);
            out.offsets = reinterpret_cast<std::int64_t*>(room + kBytesOfBox);
            body(asked, out, Workspace{room + before, bytes - before}, where);
        });
    });
}

/// Throws UsageError: what is wrong with these atoms, which are copied to the host to see.
template <class T>
[[noreturn]] void refuse(const Asked<T>& asked, const NeighborStatus& status, native::GpuStream& gpu) {
    const DeviceParticles<T>& p = asked.particles;
    std::vector<T> positions(static_cast<std::size_t>(p.atoms * p.dimensions));
    std::vector<std::int32_t> types(p.types ? static_cast<std::size_t>(p.atoms) : 0);
    PeriodicBox box = p.box;
    gpu.read(positions.data(), p.positions, positions.size() * sizeof(T));
    gpu.read(types.data(), p.types, types.size() * sizeof(std::int32_t));
    if (p.boxes) gpu.read(&box, p.boxes, sizeof box);
    const Particles<T> there{.positions = positions, .boxes = {&box, 1}, .dimensions = p.dimensions, .types = types};
    check_particles(there, p.pair_cutoffs ? p.type_count : 0);
    refuse_build(there, status, asked.options.cutoff);
}

/// What was counted, if a list can be built of it within the memory that it may take.
template <class T>
void accept(const Asked<T>& asked, const NeighborStatus& status, native::GpuStream& gpu, lanework_gpu_list& list) {
    if (!status.ok()) refuse(asked, status, gpu);
    const auto atoms = static_cast<std::uint64_t>(asked.particles.atoms);
    if (asked.options.memory_limit > 0) check_memory<T>(asked.options, atoms, {status.pairs});
    list.pairs = static_cast<std::int64_t>(status.pairs);
}

constexpr std::string_view kSizeIsWaitedFor = "the number of pairs; give capacity or out";
constexpr std::string_view kSkinIsWaitedFor =
    "what a list with a skin decides; give it a room, or capture neighbor_list";

/// A list with a skin on one GPU, and the memory that its counts need. The list is one that waits, or one that can be
/// captured.
template <class T>
struct SkinOnGpu {
    Device& device;
    std::variant<DeviceSkinnedNeighbors<T>, CapturableSkinnedNeighbors<T>> list;
    DeviceArray<PeriodicBox> box;
    DeviceArray<std::int64_t> offsets = {};
    DeviceArray<NeighborStatus> status;
    native::StreamOrder order = {};

    template <class List, class... Given>
    SkinOnGpu(std::in_place_type_t<List> of, Device& on, const Given&... given)
        : device(on), list(of, on, given...), box(on, 1), status(on, 1) {}

    DeviceNeighborList<T> into(const lanework_gpu_list& given, std::int64_t atoms) {
        if (offsets.size() != atoms + 1) offsets = {}, offsets = {device, atoms + 1};
        DeviceNeighborList<T> out = list_in<T>(given);
        out.offsets = offsets.data();
        if (!out.status) out.status = status.data();
        return out;
    }
    DeviceSkinnedNeighbors<T>& waiting() { return std::get<DeviceSkinnedNeighbors<T>>(list); }
};
using AnySkin = std::variant<std::unique_ptr<SkinOnGpu<double>>, std::unique_ptr<SkinOnGpu<float>>>;

template <class T>
void count(SkinOnGpu<T>& skin, const lanework_neighbor_request& request, lanework_gpu_list& list,
           native::GpuStream& gpu) {
    gpu.require_no_capture(kSkinIsWaitedFor);
    const DeviceNeighborList<T> out = skin.into(list, request.atoms);
    skin.order.enter(gpu.stream());
    const Asked<T> asked(request, gpu, skin.box.data());
    const NeighborStatus status = skin.waiting().count(asked.particles, out, gpu.stream());
    accept(asked, status, gpu, list);
}

/// What was counted: the box is where the count has put it.
template <class T>
void fill(SkinOnGpu<T>& skin, const lanework_neighbor_request& request, const lanework_gpu_list& list,
          native::GpuStream& gpu) {
    const Asked<T> asked(request, gpu, skin.box.data(), true);
    skin.waiting().enqueue_fill(asked.particles, skin.into(list, request.atoms), gpu.stream());
    skin.order.leave(gpu.stream());
}

/// All of it, of a list that can be captured. What a capture enqueues is in the order in which graphs are launched, and
/// events of other streams are none of it.
template <class T>
void enqueue(SkinOnGpu<T>& skin, const lanework_neighbor_request& request, const lanework_gpu_list& list,
             native::GpuStream& gpu) {
    const bool captured = gpu.is_captured();
    const DeviceNeighborList<T> out = skin.into(list, request.atoms);
    if (!captured) skin.order.enter(gpu.stream());
    const Asked<T> asked(request, gpu, skin.box.data());
    std::get<CapturableSkinnedNeighbors<T>>(skin.list).enqueue(asked.particles, out, gpu.stream());
    enqueue_neighbor_padding(out, gpu.target());
    if (!captured) skin.order.leave(gpu.stream());
}

template <class T>
void open_skin(const lanework_neighbor_request& request, double width, int64_t room, native::GpuStream& gpu,
               void** made) {
    const NeighborOptions options = native::options_of(request);
    std::unique_ptr<SkinOnGpu<T>> own;
    if (room < 0) {
        own =
            std::make_unique<SkinOnGpu<T>>(std::in_place_type<DeviceSkinnedNeighbors<T>>, gpu.device(), options, width);
    } else {
        DeviceParticles<T> like;
        like.positions = static_cast<const T*>(request.positions);
        like.atoms = request.atoms;
        like.dimensions = request.dimensions;
        const PeriodicBox box = native::box_of(request);
        like.box = box;
        if (request.cell) like.boxes = &box;  // that there is one; it is not read
        own = std::make_unique<SkinOnGpu<T>>(std::in_place_type<CapturableSkinnedNeighbors<T>>, gpu.device(), options,
                                             width, like, room);
    }
    *made = new AnySkin(std::move(own));
}

/// Calls body(the skin of the list, the GPU's stream).
template <class Body>
int32_t with_skin(const lanework_gpu_list& list, const lanework_place& place, const Body& body) noexcept {
    return native::guarded([&] {
        native::Place where(place);
        std::visit([&](auto& own) { body(*own, where.gpu()); }, *static_cast<AnySkin*>(list.skin));
    });
}

}  // namespace

extern "C" {
/// The bytes of the room that a list of these atoms needs.
[[gnu::visibility("default")]] int32_t lanework_gpu_room(const lanework_neighbor_request* request,
                                                         uint64_t* bytes) noexcept {
    return native::guarded([&] { with_type(*request, [&]<class T>(T) { *bytes = room_for<T>(*request); }); });
}

/// Counts the pairs, and waits for their number.
[[gnu::visibility("default")]] int32_t lanework_gpu_count(const lanework_neighbor_request* request,
                                                          lanework_gpu_list* list,
                                                          const lanework_place* place) noexcept {
    return for_list(*request, *list, *place, kSizeIsWaitedFor, false,
                    [&](const auto& asked, const auto& out, const Workspace& workspace, native::Place& where) {
                        enqueue_neighbor_count(asked.particles, asked.options, out, workspace, where.target());
                        NeighborStatus status{};
                        where.gpu().read(&status, out.status, sizeof status);
                        accept(asked, status, where.gpu(), *list);
                    });
}

/// Enqueues the filling of what was counted, in the same room.
[[gnu::visibility("default")]] int32_t lanework_gpu_fill(const lanework_neighbor_request* request,
                                                         const lanework_gpu_list* list,
                                                         const lanework_place* place) noexcept {
    return for_list(*request, *list, *place, {}, true,
                    [&](const auto& asked, const auto& out, const Workspace& workspace, native::Place& where) {
                        enqueue_neighbor_fill(asked.particles, asked.options, out, workspace, where.target());
                    });
}

/// Enqueues all of it, and fills what is behind the last pair; the room may be null, and is then memory of the call's.
[[gnu::visibility("default")]] int32_t lanework_gpu_neighbors(const lanework_neighbor_request* request,
                                                              const lanework_gpu_list* list,
                                                              const lanework_place* place) noexcept {
    return for_list(*request, *list, *place, {}, false,
                    [&](const auto& asked, const auto& out, const Workspace& workspace, native::Place& where) {
                        enqueue_neighbors(asked.particles, asked.options, out, workspace, where.target());
                    });
}

/// A list with a skin on the place's GPU; to be closed. room: the pairs of the wide list of one that can be captured,
/// for as many atoms as there are now; −1: of one that waits.
[[gnu::visibility("default")]] int32_t lanework_gpu_skin_open(const lanework_neighbor_request* request, double skin,
                                                              int64_t room, const lanework_place* place,
                                                              void** made) noexcept {
    return native::guarded([&] {
        native::Place where(*place);
        with_type(*request, [&]<class T>(T) { open_skin<T>(*request, skin, room, where.gpu(), made); });
    });
}

/// Counts its list at these positions, and waits.
[[gnu::visibility("default")]] int32_t lanework_gpu_skin_count(const lanework_neighbor_request* request,
                                                               lanework_gpu_list* list,
                                                               const lanework_place* place) noexcept {
    return with_skin(*list, *place, [&](auto& skin, native::GpuStream& gpu) { count(skin, *request, *list, gpu); });
}

/// Enqueues the filling of what was counted.
[[gnu::visibility("default")]] int32_t lanework_gpu_skin_fill(const lanework_neighbor_request* request,
                                                              const lanework_gpu_list* list,
                                                              const lanework_place* place) noexcept {
    return with_skin(*list, *place, [&](auto& skin, native::GpuStream& gpu) { fill(skin, *request, *list, gpu); });
}

/// Counts its list and waits, enqueues the filling, and what lies behind the last pair.
[[gnu::visibility("default")]] int32_t lanework_gpu_skin_neighbors(const lanework_neighbor_request* request,
                                                                   lanework_gpu_list* list,
                                                                   const lanework_place* place) noexcept {
    return with_skin(*list, *place, [&](auto& skin, native::GpuStream& gpu) {
        count(skin, *request, *list, gpu);
        fill(skin, *request, *list, gpu);
        enqueue_neighbor_padding(skin.into(*list, request->atoms), gpu.target());
    });
}

/// Enqueues all of it, of a list that can be captured, and waits for nothing.
[[gnu::visibility("default")]] int32_t lanework_gpu_skin_enqueue(const lanework_neighbor_request* request,
                                                                 lanework_gpu_list* list,
                                                                 const lanework_place* place) noexcept {
    return with_skin(*list, *place, [&](auto& skin, native::GpuStream& gpu) { enqueue(skin, *request, *list, gpu); });
}

/// How often its wide list was built, by calls that have ended.
[[gnu::visibility("default")]] int32_t lanework_gpu_skin_builds(const void* skin, int64_t* builds) noexcept {
    return native::guarded([&] {
        const auto of = [&](const auto& own) {
            *builds = std::visit([](const auto& list) { return list.builds(); }, own->list);
        };
        std::visit(of, *static_cast<const AnySkin*>(skin));
    });
}

[[gnu::visibility("default")]] void lanework_gpu_skin_close(void* skin) noexcept { delete static_cast<AnySkin*>(skin); }
}
