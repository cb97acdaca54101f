// Cooperative groups from a block upwards: the block, the cluster (one block here) and the grid.
#pragma once

#include <lanework_simt/barrier.hpp>

namespace lanework_simt::extents {
/// A thread's index in an extent, x fastest.
LANEWORK_SIMT_BUILTIN unsigned long long linear_rank(const uint3& index, const uint3& extent) {
    return (static_cast<unsigned long long>(index.z) * extent.y + index.y) * extent.x + index.x;
}
LANEWORK_SIMT_BUILTIN unsigned long long volume(const uint3& extent) {
    return static_cast<unsigned long long>(extent.x) * extent.y * extent.z;
}
}  // namespace lanework_simt::extents

namespace cooperative_groups {

/// A group whose kind is known when the program runs: what blocks, grids, tiles and lanes that are together have in
/// common.
class thread_group {
    using Place = lanework_simt::Place;

public:
    LANEWORK_SIMT_BUILTIN void sync(Place place = Place::here()) const;
    LANEWORK_SIMT_BUILTIN unsigned long long thread_rank() const;
    LANEWORK_SIMT_BUILTIN unsigned long long num_threads() const;
    LANEWORK_SIMT_BUILTIN unsigned long long size() const { return num_threads(); }

protected:
    enum class Kind : unsigned char { block, grid, lanes, wide_tile };
    /// `of` is the mask of lanes within a warp, or the threads of a wide tile.
    LANEWORK_SIMT_BUILTIN explicit thread_group(Kind kind, unsigned of = 0) : kind_(kind), of_(of) {}

private:
    friend thread_group tiled_partition(const thread_group& group, unsigned size);

    Kind kind_;
    unsigned of_;
};

/// All threads of a block.
class thread_block : public thread_group {
public:
    struct arrival_token {};

    LANEWORK_SIMT_BUILTIN thread_block() : thread_group(Kind::block) {}

    LANEWORK_SIMT_BUILTIN static void sync(lanework_simt::Place place = lanework_simt::Place::here()) {
        lanework_simt::__syncthreads(place);
    }
    LANEWORK_SIMT_BUILTIN arrival_token barrier_arrive() const { return {}; }
    LANEWORK_SIMT_BUILTIN void barrier_wait(arrival_token,
                                            lanework_simt::Place place = lanework_simt::Place::here()) const {
        lanework_simt::__syncthreads(place);
    }
    LANEWORK_SIMT_BUILTIN static unsigned thread_rank() {
        return static_cast<unsigned>(::lanework_simt::extents::linear_rank(thread_index(), dim_threads()));
    }
    LANEWORK_SIMT_BUILTIN static unsigned num_threads() {
        return static_cast<unsigned>(::lanework_simt::extents::volume(dim_threads()));
    }
    LANEWORK_SIMT_BUILTIN static unsigned size() { return num_threads(); }
    LANEWORK_SIMT_BUILTIN static dim3 group_index() { return lanework_simt::block_index(); }
    LANEWORK_SIMT_BUILTIN static dim3 thread_index() { return lanework_simt::thread_index(); }
    LANEWORK_SIMT_BUILTIN static dim3 dim_threads() { return lanework_simt::block_dim(); }
    LANEWORK_SIMT_BUILTIN static dim3 group_dim() { return dim_threads(); }
};
LANEWORK_SIMT_BUILTIN thread_block this_thread_block() { return {}; }

/// All threads of a grid. They can wait for each other in a cooperative launch alone.
class grid_group : public thread_group {
public:
    struct arrival_token {};

    LANEWORK_SIMT_BUILTIN grid_group() : thread_group(Kind::grid) {}

    LANEWORK_SIMT_BUILTIN static void sync(lanework_simt::Place place = lanework_simt::Place::here()) {
        lanework_simt::synchronize_grid(place);
    }
    LANEWORK_SIMT_BUILTIN arrival_token barrier_arrive() const { return {}; }
    LANEWORK_SIMT_BUILTIN void barrier_wait(arrival_token&&,
                                            lanework_simt::Place place = lanework_simt::Place::here()) const {
        lanework_simt::synchronize_grid(place);
    }
    LANEWORK_SIMT_BUILTIN static bool is_valid() { return lanework_simt::launched_together(); }
    LANEWORK_SIMT_BUILTIN static unsigned long long block_rank() {
        return ::lanework_simt::extents::linear_rank(block_index(), dim_blocks());
    }
    LANEWORK_SIMT_BUILTIN static unsigned long long num_blocks() {
        return ::lanework_simt::extents::volume(dim_blocks());
    }
    LANEWORK_SIMT_BUILTIN static unsigned long long thread_rank() {
        return block_rank() * thread_block::num_threads() + thread_block::thread_rank();
    }
    LANEWORK_SIMT_BUILTIN static unsigned long long num_threads() { return num_blocks() * thread_block::num_threads(); }
    LANEWORK_SIMT_BUILTIN static unsigned long long size() { return num_threads(); }
    LANEWORK_SIMT_BUILTIN static dim3 block_index() { return lanework_simt::block_index(); }
    LANEWORK_SIMT_BUILTIN static dim3 thread_index() { return lanework_simt::thread_index(); }
    LANEWORK_SIMT_BUILTIN static dim3 dim_blocks() { return lanework_simt::grid_dim(); }
    LANEWORK_SIMT_BUILTIN static dim3 group_dim() { return dim_blocks(); }
    LANEWORK_SIMT_BUILTIN static dim3 dim_threads() { return lanework_simt::block_dim(); }
};
LANEWORK_SIMT_BUILTIN grid_group this_grid() { return {}; }

/// The blocks of a cluster: one, as in every launch that asks for no more.
class cluster_group : public thread_group {
public:
    LANEWORK_SIMT_BUILTIN cluster_group() : thread_group(Kind::block) {}
    LANEWORK_SIMT_BUILTIN static void sync(lanework_simt::Place place = lanework_simt::Place::here()) {
        lanework_simt::__syncthreads(place);
    }
    LANEWORK_SIMT_BUILTIN static unsigned thread_rank() { return thread_block::thread_rank(); }
    LANEWORK_SIMT_BUILTIN static unsigned num_threads() { return thread_block::num_threads(); }
    LANEWORK_SIMT_BUILTIN static unsigned size() { return num_threads(); }
    LANEWORK_SIMT_BUILTIN static unsigned block_rank() { return 0; }
    LANEWORK_SIMT_BUILTIN static unsigned num_blocks() { return 1; }
    LANEWORK_SIMT_BUILTIN static dim3 block_index() { return dim3(0, 0, 0); }
    LANEWORK_SIMT_BUILTIN static dim3 thread_index() { return lanework_simt::thread_index(); }
    LANEWORK_SIMT_BUILTIN static dim3 dim_blocks() { return dim3(1, 1, 1); }
    LANEWORK_SIMT_BUILTIN static dim3 dim_threads() { return lanework_simt::block_dim(); }
    /// Where block `rank` of the cluster has what this block has at an address of shared memory.
    template <class T>
    LANEWORK_SIMT_BUILTIN static T* map_shared_rank(T* address, int) {
        return address;
    }
    LANEWORK_SIMT_BUILTIN static unsigned query_shared_rank(const void*) { return 0; }
};
LANEWORK_SIMT_BUILTIN cluster_group this_cluster() { return {}; }

// The same as functions of any group.
template <class Group>
LANEWORK_SIMT_BUILTIN void sync(const Group& group, lanework_simt::Place place = lanework_simt::Place::here()) {
    group.sync(place);
}
template <class Group>
LANEWORK_SIMT_BUILTIN auto thread_rank(const Group& group) {
    return group.thread_rank();
}
template <class Group>
LANEWORK_SIMT_BUILTIN auto group_size(const Group& group) {
    return group.size();
}

}  // namespace cooperative_groups
