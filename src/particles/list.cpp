// Lists as owners of memory, and in their other forms: coordinates and padded tables.
#include <sys/mman.h>

#include <algorithm>
#include <cstdlib>
#include <lanework/neighbors.hpp>
#include <new>

namespace lanework {

namespace {
constexpr std::size_t kHugePage = std::size_t{2} << 20;
constexpr std::size_t kPage = 4096;
}  // namespace

template <class T>
NeighborArray<T>::NeighborArray(std::size_t size) : size_(size), capacity_(size) {
    if (size == 0) return;
    if (size > (std::size_t{1} << 62) / sizeof(T)) throw std::bad_alloc();
    // Millions of first touches of small pages would take as long as finding the pairs.
    const std::size_t bytes = size * sizeof(T), page = bytes < kHugePage ? kPage : kHugePage;
    const std::size_t whole = (bytes + page - 1) / page * page;
    void* const data = std::aligned_alloc(page, whole);
    if (!data) throw std::bad_alloc();
#ifdef MADV_HUGEPAGE
    if (page == kHugePage) madvise(data, whole, MADV_HUGEPAGE);  // a wish: without it all works, slower
#endif
    data_.reset(static_cast<T*>(data));
}

template <class T>
void NeighborArray<T>::Free::operator()(T* data) const {
    std::free(data);
}

template class NeighborArray<std::int32_t>;
template class NeighborArray<std::int64_t>;
template class NeighborArray<CellShift>;
template class NeighborArray<float>;
template class NeighborArray<double>;
template class NeighborArray<DistanceVector<float>>;
template class NeighborArray<DistanceVector<double>>;

template <class T>
NeighborArray<std::int32_t> first_atoms(const NeighborList<T>& list) {
    NeighborArray<std::int32_t> first(static_cast<std::size_t>(list.pairs()));
    for (std::int64_t i = 0; i < list.atoms(); ++i)
        std::fill_n(first.data() + list.offsets[static_cast<std::size_t>(i)], list.count(i),
                    static_cast<std::int32_t>(i));
    return first;
}

template <class T>
NeighborMatrix to_matrix(const NeighborList<T>& list, NeighborMatrix::Layout layout) {
    NeighborMatrix matrix;
    matrix.atoms = std::max<std::int64_t>(list.atoms(), 0);
    matrix.layout = layout;
    matrix.counts = NeighborArray<std::int32_t>(static_cast<std::size_t>(matrix.atoms));
    for (std::int64_t i = 0; i < matrix.atoms; ++i) {
        matrix.counts[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(list.count(i));
        matrix.width = std::max(matrix.width, list.count(i));
    }
    const bool by_atom = layout == NeighborMatrix::Layout::by_atom;
    const std::int64_t atom_step = by_atom ? matrix.width : 1, slot_step = by_atom ? 1 : matrix.atoms;
    matrix.indices = NeighborArray<std::int32_t>(static_cast<std::size_t>(matrix.atoms * matrix.width));
    std::fill(matrix.indices.begin(), matrix.indices.end(), -1);
    for (std::int64_t i = 0; i < matrix.atoms; ++i) {
        const auto row = list.of(i);
        for (std::size_t k = 0; k < row.size(); ++k)
            matrix.indices[static_cast<std::size_t>(i * atom_step + static_cast<std::int64_t>(k) * slot_step)] = row[k];
    }
    return matrix;
}

#define LANEWORK_INSTANTIATE(T)                                                  \
    template NeighborArray<std::int32_t> first_atoms<T>(const NeighborList<T>&); \
    template NeighborMatrix to_matrix<T>(const NeighborList<T>&, NeighborMatrix::Layout);
LANEWORK_INSTANTIATE(float)
LANEWORK_INSTANTIATE(double)
#undef LANEWORK_INSTANTIATE

}  // namespace lanework
