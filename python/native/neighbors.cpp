// Neighbour lists for languages that call C: <lanework/neighbors.hpp> behind a few functions and two plain structs.
// What is thrown comes back as a kind and a message; the arrays stay the library's until they are given back.
#include <lanework/neighbors.hpp>
#include <memory>
#include <string>
#include <variant>

#include "python/native/errors.hpp"
#include "python/native/neighbor_request.hpp"
#include "python/native/place.hpp"
#include "python/native/spare_list.hpp"

extern "C" {
/// What came of it. Arrays that were not asked for are null, and so are those without elements.
struct lanework_neighbor_result {
    void* owner;          ///< give it to lanework_neighbors_free
    const char* message;  ///< of the error; never null
    const int64_t* offsets;
    const int32_t *first, *indices, *shifts;
    const void *vectors, *distances;  ///< of the type of the positions
    int64_t pairs;
    int32_t error;    ///< lanework_error
    int32_t rebuilt;  ///< 1: the wide list of a skin was built for it
};
}

namespace {
using namespace lanework;

using native::box_of;
using native::options_of;
using native::team_of;

/// What a result points into.
struct Owner {
    virtual ~Owner() = default;
    std::string message;
};
template <class T>
struct ListOwner : Owner {
    ~ListOwner() override { native::SpareList<T>::keep(std::move(list)); }
    NeighborList<T> list = native::SpareList<T>::take();
};

/// The atoms of a request; `box` is theirs and must outlive them.
template <class T>
Particles<T> particles_of(const lanework_neighbor_request& request, const PeriodicBox& box) {
    const auto atoms = static_cast<std::size_t>(request.atoms);
    return {
        .positions = {static_cast<const T*>(request.positions), atoms * static_cast<std::size_t>(request.dimensions)},
        .boxes = {&box, 1},
        .dimensions = request.dimensions,
        .types = {request.types, request.types ? atoms : 0}};
}

template <class T>
void give(std::unique_ptr<ListOwner<T>> owner, lanework_neighbor_result& result) {
    const NeighborList<T>& list = owner->list;
    result.offsets = list.offsets.data();
    result.first = list.first.data();
    result.indices = list.indices.data();
    result.shifts = list.shifts.empty() ? nullptr : list.shifts.data()->data();
    result.vectors = list.vectors.data();
    result.distances = list.distances.data();
    result.pairs = list.pairs();
    result.owner = owner.release();
}

template <class T>
void build(const lanework_neighbor_request& request, lanework_neighbor_result& result) {
    auto owner = std::make_unique<ListOwner<T>>();
    const PeriodicBox box = box_of(request);
    neighbors(particles_of<T>(request, box), options_of(request), owner->list, Team{team_of(request.threads)});
    give(std::move(owner), result);
}

/// Positions of either type.
using Skinned = std::variant<SkinnedNeighbors<double>, SkinnedNeighbors<float>>;

template <class T>
void list_within(SkinnedNeighbors<T>& skinned, const lanework_neighbor_request& request,
                 lanework_neighbor_result& result) {
    auto owner = std::make_unique<ListOwner<T>>();
    const PeriodicBox box = box_of(request);
    const Particles<T> particles = particles_of<T>(request, box);
    result.rebuilt = skinned.update(particles, Team{team_of(request.threads)}) ? 1 : 0;
    owner->list = skinned.within_cutoff(particles);
    give(std::move(owner), result);
}

void fail(lanework_neighbor_result& result, lanework_error error, const char* message) noexcept try {
    auto owner = std::make_unique<Owner>();
    owner->message = message;
    result.error = error;
    result.message = owner->message.c_str();
    result.owner = owner.release();
} catch (...) {  // not even a message finds room
    result.error = lanework_memory;
    result.message = "out of memory";
}

/// Runs body(). What it throws becomes the result.
template <class Body>
void into(lanework_neighbor_result& result, const Body& body) noexcept {
    result = {};
    result.message = "";
    try {
        body();
    } catch (const std::exception& error) {
        fail(result, native::kind_of(error), native::words_of(error));
    }
}
}  // namespace

extern "C" {
/// Builds a list on the processor. *result is overwritten: an earlier one must have been freed.
[[gnu::visibility("default")]] void lanework_neighbors(const lanework_neighbor_request* request,
                                                       lanework_neighbor_result* result) noexcept {
    into(*result, [&] { request->is_double ? build<double>(*request, *result) : build<float>(*request, *result); });
}

/// A list with a skin, of what the request asks for but its atoms; to be closed. Null, with the reason in the result,
/// where that cannot be.
[[gnu::visibility("default")]] void* lanework_skinned_open(const lanework_neighbor_request* request, double skin,
                                                           lanework_neighbor_result* result) noexcept {
    Skinned* made = nullptr;
    into(*result, [&] {
        const NeighborOptions options = options_of(*request);
        made = request->is_double ? new Skinned(std::in_place_type<SkinnedNeighbors<double>>, options, skin)
                                  : new Skinned(std::in_place_type<SkinnedNeighbors<float>>, options, skin);
    });
    return made;
}

/// Its list for these atoms, whose positions are of the type that it was opened with: one call at a time.
[[gnu::visibility("default")]] void lanework_skinned_list(void* skinned, const lanework_neighbor_request* request,
                                                          lanework_neighbor_result* result) noexcept {
    into(*result, [&] {
        std::visit([&](auto& list) { list_within(list, *request, *result); }, *static_cast<Skinned*>(skinned));
    });
}

[[gnu::visibility("default")]] void lanework_skinned_close(void* skinned) noexcept {
    delete static_cast<Skinned*>(skinned);
}

/// "0.1.0".
[[gnu::visibility("default")]] const char* lanework_version() noexcept { return LANEWORK_VERSION; }

[[gnu::visibility("default")]] void lanework_neighbors_free(void* owner) noexcept { delete static_cast<Owner*>(owner); }
}
