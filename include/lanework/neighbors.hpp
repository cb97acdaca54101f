// Neighbour lists: every pair of atoms nearer than a cutoff, exact, in one order, the same to the bit on every device.
//
// A pair is (i, j, S): atom i, atom j, and the integers S that say which image of j. With the box vectors a, b, c
//     D = x[j] − x[i] + S[0]·a + S[1]·b + S[2]·c,   d² = D·D,   and it is a neighbour when d² < cutoff².
// S refers to the positions as they are given: atoms may lie outside the box and are never moved. An atom is a
// neighbour of its own images, not of itself. Lengths have the unit of the positions, whichever it is.
//
// The arithmetic is part of the interface (ops/neighbors/README.md): T is the type of the positions, and every line is
// rounded by itself, nothing is fused.
//     t = T(S[0]·a + S[1]·b + S[2]·c)       in double, added from left to right
//     D = (x[j] − x[i]) + t                 in T
//     d² = (D.x·D.x + D.y·D.y) + D.z·D.z    in T;   cutoff² = T(cutoff)·T(cutoff)
// A pair at the cutoff is therefore in the list of every device or of none.
//
// Order: i ascending, then j, then S lexicographically. A full list holds (i, j, S) and (j, i, −S); a half list the one
// with i < j, and of an atom's own images the one whose first S that is not 0 is positive.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <lanework/array.hpp>
#include <lanework/device.hpp>
#include <lanework/error.hpp>
#include <lanework/memory_error.hpp>
#include <lanework/rung.hpp>
#include <lanework/target.hpp>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace lanework {

/// Where atoms live: three vectors, of any orientation and handedness, each periodic or open. Nothing is bounded by an
/// open vector, and its components are not read: it may be zero.
struct PeriodicBox {
    /// vectors[k] is the k-th box vector: x, y, z. Periodic ones must be linearly independent.
    std::array<std::array<double, 3>, 3> vectors{};
    std::array<bool, 3> periodic{};

    /// No periodic direction at all.
    static constexpr PeriodicBox open() { return {}; }
    static constexpr PeriodicBox orthorhombic(double x, double y, double z,
                                              std::array<bool, 3> periodic = {true, true, true}) {
        return {{{{x, 0, 0}, {0, y, 0}, {0, 0, z}}}, periodic};
    }
    constexpr bool operator==(const PeriodicBox&) const = default;
};

/// What a list holds beside its offsets and indices.
struct NeighborOptions {
    /// Length, > 0 and finite. With pair_cutoffs it may be 0 and is not read.
    double cutoff = 0;
    /// A cutoff for each pair of types: types × types lengths, symmetric, ≥ 0; 0 is never a neighbour. Empty: one
    /// cutoff.
    std::vector<double> pair_cutoffs = {};
    /// Each pair once instead of from both of its ends.
    bool half = false;
    bool first = false;      ///< store i: with j the coordinate (COO) form
    bool shifts = false;     ///< store S
    bool vectors = false;    ///< store D
    bool distances = false;  ///< store d = √(d²), correctly rounded
    /// Only the k nearest of each atom's neighbours (of equal distance the first in order); 0: all. Not with half.
    int nearest = 0;
    /// Bytes that the arrays of the list may take; 0: what this process, its control group or the GPU has left. A list
    /// that is larger is refused with NeighborMemoryError before any array of pairs is allocated. With `nearest` and a
    /// team of threads that is the list of all neighbours within the cutoff, of which the nearest are kept.
    /// Beside the list, building takes memory proportional to the atoms and on the processor at most 64 MiB for each
    /// thread, however many pairs there are.
    std::size_t memory_limit = 0;
};

/// A list that would need more memory than there is or than was allowed.
class NeighborMemoryError : public MemoryError {
public:
    NeighborMemoryError(std::uint64_t pairs, std::uint64_t bytes, std::uint64_t available, bool exact = true);

    std::uint64_t pairs() const { return pairs_; }          ///< pairs of the list that was asked for
    std::uint64_t bytes() const { return bytes_; }          ///< that its arrays would take
    std::uint64_t available() const { return available_; }  ///< that they may take
    /// False: the list has pairs() at least. From 2^22 on they are not counted to the end once they are too many.
    bool exact() const { return exact_; }

private:
    std::uint64_t pairs_, bytes_, available_;
    bool exact_;
};

/// Atoms in host memory: one system, or a batch of systems that do not see each other. A view: owns nothing.
template <class T>
struct Particles {
    /// atoms × dimensions, row-major: x y z x y z … or x y x y …
    std::span<const T> positions;
    /// One box for each system; none is open space for all.
    std::span<const PeriodicBox> boxes = {};
    /// 2 or 3. In two dimensions z is 0 and the third box vector must be open.
    int dimensions = 3;
    /// One per atom, from 0 to one less than the rows of pair_cutoffs; only read with those.
    std::span<const std::int32_t> types = {};
    /// Atoms [systems[s], systems[s+1]) are system s: first 0, last the number of atoms, ascending. Empty: one system.
    std::span<const std::int64_t> systems = {};

    std::int64_t atoms() const { return static_cast<std::int64_t>(positions.size()) / dimensions; }
};

/// Owns `size()` elements whose pages are written for the first time by the threads that fill them.
template <class T>
class NeighborArray {
public:
    NeighborArray() = default;
    /// Uninitialised. Throws std::bad_alloc.
    explicit NeighborArray(std::size_t size);
    NeighborArray(NeighborArray&& other) noexcept
        : data_(std::move(other.data_)),
          size_(std::exchange(other.size_, 0)),
          capacity_(std::exchange(other.capacity_, 0)) {}
    NeighborArray& operator=(NeighborArray&& other) noexcept {
        data_ = std::move(other.data_);
        size_ = std::exchange(other.size_, 0);
        capacity_ = std::exchange(other.capacity_, 0);
        return *this;
    }

    /// Another size, with the memory it has where that is enough. What was in it is lost.
    void resize_for_overwrite(std::size_t size) {
        if (size > capacity_) *this = {}, *this = NeighborArray(size);
        size_ = size;
    }

    std::size_t size() const { return size_; }
    /// Elements for which there is memory.
    std::size_t capacity() const { return capacity_; }
    bool empty() const { return size_ == 0; }
    T* data() { return data_.get(); }
    const T* data() const { return data_.get(); }
    T& operator[](std::size_t i) { return data_.get()[i]; }
    const T& operator[](std::size_t i) const { return data_.get()[i]; }
    T* begin() { return data(); }
    T* end() { return data() + size_; }
    const T* begin() const { return data(); }
    const T* end() const { return data() + size_; }

private:
    struct Free {
        void operator()(T* data) const;
    };
    std::unique_ptr<T, Free> data_;
    std::size_t size_ = 0, capacity_ = 0;
};

/// S of a pair: how many of each box vector lead from j to the image of it that is meant.
using CellShift = std::array<std::int32_t, 3>;
/// D of a pair.
template <class T>
using DistanceVector = std::array<T, 3>;

/// The list in compressed rows: the neighbours of atom i are entries offsets[i] … offsets[i+1] − 1 of the other arrays.
template <class T>
struct NeighborList {
    NeighborArray<std::int64_t> offsets;       ///< atoms + 1; the last is the number of pairs
    NeighborArray<std::int32_t> first;         ///< i, or empty
    NeighborArray<std::int32_t> indices;       ///< j, in the numbering of Particles::positions for batches too
    NeighborArray<CellShift> shifts;           ///< S, or empty
    NeighborArray<DistanceVector<T>> vectors;  ///< D, or empty
    NeighborArray<T> distances;                ///< d, or empty

    std::int64_t atoms() const { return static_cast<std::int64_t>(offsets.size()) - 1; }
    std::int64_t pairs() const { return static_cast<std::int64_t>(indices.size()); }
    std::int64_t count(std::int64_t i) const {
        return offsets[static_cast<std::size_t>(i) + 1] - offsets[static_cast<std::size_t>(i)];
    }
    std::span<const std::int32_t> of(std::int64_t i) const {
        return {indices.data() + offsets[static_cast<std::size_t>(i)], static_cast<std::size_t>(count(i))};
    }
};

/// Builds the list on the processor. T is float or double. Throws UsageError for a cutoff that is not positive and
/// finite, a coordinate that is not finite (with the atom), periodic vectors that are not independent (with the box),
/// or shapes that do not fit each other; for what cannot be computed: a cutoff whose square is not a normal number of
/// T, a periodic vector that is shorter than 2^-90 or longer than 2^90; for what images of the box cannot be counted
/// for: an atom 2^28 or more boxes away from its box, or so far from the origin that rounding moves it through more
/// than 2^16 of them (with the atom), and a cutoff that reaches through more than 2^32, or over 2^29 along one
/// direction (with the box). NeighborMemoryError for more pairs than memory. Along open directions atoms may be
/// anywhere.
template <class T>
NeighborList<T> neighbors(const Particles<T>& particles, const NeighborOptions& options, Team team);

/// The same into a list that exists, whose memory is used again where it is enough: a program that builds list after
/// list would spend half of its time on pages that the system has to clear. When it throws, the list is empty or as it
/// was.
template <class T>
void neighbors(const Particles<T>& particles, const NeighborOptions& options, NeighborList<T>& list, Team team);

/// Builds the list on a device of any kind from host memory to host memory; it is there when the call returns. As
/// above; also throws DeviceError.
template <class T>
NeighborList<T> neighbors(const Particles<T>& particles, const NeighborOptions& options, Device& device);

/// The atom i of each pair, of a list that was built without them. Length: pairs.
template <class T>
NeighborArray<std::int32_t> first_atoms(const NeighborList<T>& list);

/// A padded table of neighbours.
struct NeighborMatrix {
    enum class Layout : std::uint8_t {
        by_atom,  ///< [atoms][width]: neighbour k of atom i is at i·width + k
        by_slot,  ///< [width][atoms]: at k·atoms + i, where neighbouring threads write neighbouring words
    };
    std::int64_t atoms = 0;
    std::int64_t width = 0;  ///< the largest number of neighbours of an atom
    Layout layout = Layout::by_atom;
    NeighborArray<std::int32_t> counts;   ///< atoms
    NeighborArray<std::int32_t> indices;  ///< atoms · width; −1 beyond an atom's count
};
/// The list as a table, in either layout.
template <class T>
NeighborMatrix to_matrix(const NeighborList<T>& list, NeighborMatrix::Layout layout);

/// A list that stays valid while atoms move: it is built to cutoff + skin and holds every pair within the cutoff until
/// some atom has moved by half of the skin.
template <class T>
class SkinnedNeighbors {
public:
    /// options.cutoff is the cutoff that must be exact, without the skin; pair_cutoffs and nearest must be empty and 0.
    /// Throws UsageError for a skin that is negative or not finite.
    SkinnedNeighbors(const NeighborOptions& options, double skin);

    /// True before the first update, when atoms, boxes, types or systems are others, or when an atom has moved so far
    /// that a pair may be missing.
    bool needs_rebuild(const Particles<T>& particles) const;
    /// Rebuilds the wide list where that is needed, and says whether it did.
    bool update(const Particles<T>& particles, Team team);
    bool update(const Particles<T>& particles, Device& device);

    /// The list to cutoff + skin, of the positions at the last rebuild.
    const NeighborList<T>& wide() const { return wide_; }
    /// The list to the cutoff at these positions, taken from the wide one: equal to neighbors() in every bit. Throws
    /// UsageError when needs_rebuild(particles).
    NeighborList<T> within_cutoff(const Particles<T>& particles) const;

private:
    void remember(const Particles<T>& particles);

    NeighborOptions options_, wide_options_;
    double skin_;
    bool built_ = false;
    NeighborList<T> wide_;
    int dimensions_ = 3;
    std::vector<T> positions_;
    std::vector<PeriodicBox> boxes_;
    std::vector<std::int64_t> systems_;
};

// Building on a GPU (or simt) with everything in its memory: for programs that hold their atoms there. The calls below
// enqueue kernels and return: they allocate nothing, copy nothing to the host and wait for nothing, so that a CUDA
// graph can capture them and be replayed with other positions, boxes and types.

/// Atoms in a device's memory. The addresses are the device's.
template <class T>
struct DeviceParticles {
    const T* positions = nullptr;  ///< atoms × dimensions, as in Particles
    std::int64_t atoms = 0;        ///< at most 2^30
    int dimensions = 3;
    const PeriodicBox* boxes = nullptr;     ///< one for each system; null: `box`
    const std::int64_t* systems = nullptr;  ///< system_count + 1 offsets; null: one system
    std::int64_t system_count = 1;
    const std::int32_t* types = nullptr;  ///< one per atom, read with pair_cutoffs
    const T* pair_cutoffs = nullptr;  ///< type_count × type_count, at most options.cutoff each; null: options.cutoff
    std::int32_t type_count = 0;
    /// Of all systems, where boxes is null: a box that the host knows costs no copy. A graph that captures it keeps it.
    PeriodicBox box = PeriodicBox::open();
};

/// What a build says about itself, in device memory: read it after the stream has been waited for.
struct NeighborStatus {
    std::uint64_t pairs;      ///< in the whole list, whether it fitted or not: the capacity that it needs
    std::uint64_t most;       ///< neighbours of the atom that has most
    std::int64_t bad_atom;    ///< the first atom with a coordinate that is not finite, or a type that pair_cutoffs lack
                              ///< a row for; −1: none
    std::int64_t bad_system;  ///< the first system whose box or images are refused as by neighbors(); −1: none

    bool ok() const { return bad_atom < 0 && bad_system < 0; }
};

/// Where a list of at most `capacity` pairs goes, in a device's memory. Null arrays are not wanted.
template <class T>
struct DeviceNeighborList {
    std::int64_t* offsets = nullptr;       ///< atoms + 1; right even when the pairs did not fit
    NeighborStatus* status = nullptr;      ///< one
    std::int64_t capacity = 0;             ///< pairs for which the arrays below have room
    std::int32_t* first = nullptr;         ///< capacity: i
    std::int32_t* indices = nullptr;       ///< capacity: j
    CellShift* shifts = nullptr;           ///< capacity: S
    DistanceVector<T>* vectors = nullptr;  ///< capacity: D
    T* distances = nullptr;                ///< capacity: d
};

/// Bytes of the workspace that enqueue_neighbor_count and enqueue_neighbor_fill need: proportional to the atoms and
/// systems, whatever the box and the number of pairs.
template <class T>
std::size_t neighbor_workspace(const DeviceParticles<T>& particles);

/// Counts the pairs: writes offsets and status. options: cutoff, half and nearest are read; which arrays are wanted is
/// said by the list. Throws UsageError for a cutoff that is not positive and finite, for `nearest` of a half list, for
/// an array without an address or a workspace that is too small, UnavailableError for a team or the cpu device,
/// DeviceError when a launch is refused. A list with a bad atom or box has no pairs.
template <class T>
void enqueue_neighbor_count(const DeviceParticles<T>& particles, const NeighborOptions& options,
                            const DeviceNeighborList<T>& list, const Workspace& workspace, Target target);

/// Fills the pairs of a list that has just been counted with the same arguments and workspace; the capacity and the
/// arrays of pairs may be set in between. When status.pairs > capacity nothing but that number is written: never a part
/// of a list.
template <class T>
void enqueue_neighbor_fill(const DeviceParticles<T>& particles, const NeighborOptions& options,
                           const DeviceNeighborList<T>& list, const Workspace& workspace, Target target);

/// Counts, fills and pads at once: enqueue_neighbor_count, enqueue_neighbor_fill and enqueue_neighbor_padding with one
/// launch less.
template <class T>
void enqueue_neighbors(const DeviceParticles<T>& particles, const NeighborOptions& options,
                       const DeviceNeighborList<T>& list, const Workspace& workspace, Target target);

/// Fills what lies behind the last pair of a list that has been filled, all of one that did not fit: first and indices
/// become −1, the other arrays zeros.
template <class T>
void enqueue_neighbor_padding(const DeviceNeighborList<T>& list, Target target);

/// SkinnedNeighbors of atoms in a device's memory, where its lists stay. It allocates memory when it needs more than
/// before; one thread at a time uses it.
template <class T>
class DeviceSkinnedNeighbors {
public:
    /// As SkinnedNeighbors, on a GPU or simt, which must outlive it.
    DeviceSkinnedNeighbors(Device& device, const NeighborOptions& options, double skin);
    ~DeviceSkinnedNeighbors();
    DeviceSkinnedNeighbors(const DeviceSkinnedNeighbors&) = delete;
    DeviceSkinnedNeighbors& operator=(const DeviceSkinnedNeighbors&) = delete;

    /// Counts the list within the cutoff at these positions, into offsets and status of `list`, and waits for the
    /// stream: whether the wide list must be built again is decided by the device, and read. Where it is built, that
    /// waits for its size and for the count once more. Returns the status; one that is not ok is of a list that cannot
    /// be built, as enqueue_neighbor_count says it. Throws NeighborMemoryError for a wide list beyond
    /// options.memory_limit or the device's memory.
    NeighborStatus count(const DeviceParticles<T>& particles, const DeviceNeighborList<T>& list, Stream stream);
    /// Enqueues the filling of the list that has just been counted; waits for nothing.
    void enqueue_fill(const DeviceParticles<T>& particles, const DeviceNeighborList<T>& list, Stream stream);
    /// How often the wide list was built.
    std::int64_t builds() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

/// The same with all of its memory taken when it is made: whether the wide list is built again is decided by kernels,
/// and those that would build it return at once where it is not. Nothing is waited for, so that a CUDA graph can
/// capture its calls, and be replayed with other positions and boxes. Calls are in order: on one stream, or on several
/// that wait for each other.
template <class T>
class CapturableSkinnedNeighbors {
public:
    /// For as many particles as these, in as many dimensions, in boxes or in open space as they are; room: the pairs of
    /// the wide list, to cutoff + skin. Throws as DeviceSkinnedNeighbors, UsageError for a room below 0 or for
    /// particles with types or of several systems, NeighborMemoryError for a room beyond options.memory_limit.
    CapturableSkinnedNeighbors(Device& device, const NeighborOptions& options, double skin,
                               const DeviceParticles<T>& particles, std::int64_t room);
    ~CapturableSkinnedNeighbors();
    CapturableSkinnedNeighbors(const CapturableSkinnedNeighbors&) = delete;
    CapturableSkinnedNeighbors& operator=(const CapturableSkinnedNeighbors&) = delete;

    /// Enqueues the list within the cutoff at these positions, with offsets and status, filled: what
    /// enqueue_neighbor_count and enqueue_neighbor_fill give, in every bit. A wide list that has no room is none, and
    /// no list is made of it: status.pairs is then the room that it needs. Throws UsageError for other particles than
    /// it is for, and for a list.capacity above the room, which would not tell one from the other.
    void enqueue(const DeviceParticles<T>& particles, const DeviceNeighborList<T>& list, Stream stream);
    /// How often the wide list was built, by calls that have ended: it is read from the device.
    std::int64_t builds() const;

private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace lanework
