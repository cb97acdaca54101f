// Blocks of a cluster that fetch for one another what their tiles of a product have in common.
#pragma once

#include "ops/matmul/cluster_model.hpp"

namespace lanework::inline LANEWORK_ON_DEVICE {

/// A block's place in a cluster whose blocks share.
class SharingBlock {
public:
    __device__ SharingBlock(const Sharing& of, int number)
        : of_(of), down_(number & ((1 << of.down_bits) - 1)), across_(number >> of.down_bits) {}
    __device__ int down() const { return down_; }
    __device__ int across() const { return across_; }
    __device__ const Sharing& of() const { return of_; }
    __device__ bool alone() const { return of_.bits() == 0; }
    /// The blocks that have its rows of A, and its columns of B, as bits.
    __device__ unsigned in_row() const {
        unsigned blocks = 0;
        for (int i = 0; i < 1 << of_.across_bits; ++i) blocks |= 1U << (i << of_.down_bits);
        return blocks << down_;
    }
    __device__ unsigned in_column() const { return ((1U << (1 << of_.down_bits)) - 1) << (across_ << of_.down_bits); }
    /// How many they are, itself once.
    __device__ int count() const { return (1 << of_.down_bits) + (1 << of_.across_bits) - 1; }
    /// The i-th of them.
    __device__ int block(int i) const {
        const int row = 1 << of_.across_bits;
        if (i < row) return down_ + (i << of_.down_bits);
        i -= row;
        return i + (i >= down_) + (across_ << of_.down_bits);
    }

private:
    Sharing of_;
    int down_, across_;
};

}  // namespace lanework::inline LANEWORK_ON_DEVICE
