// The barriers of a block. All of its threads meet at one place; a thread that left the kernel, or waits at another
// place, ends the kernel with an error that names both.
#pragma once

#include <lanework_simt/thread.hpp>

namespace lanework_simt {
inline namespace api {

void __syncthreads(Place place = Place::here());
/// How many threads of the block have a predicate other than zero.
int __syncthreads_count(int predicate, Place place = Place::here());
/// Other than zero when the predicate of all threads, or of any thread, is.
int __syncthreads_and(int predicate, Place place = Place::here());
int __syncthreads_or(int predicate, Place place = Place::here());

/// A barrier of its own for each `barrier` in 0…15 (0 is __syncthreads'), for all threads of the block …
void __barrier_sync(unsigned barrier, Place place = Place::here());
/// … or for `threads` of them, which may wait at different places.
void __barrier_sync_count(unsigned barrier, unsigned threads, Place place = Place::here());

}  // namespace api

/// For the threads of a tile of several warps, by the tile's number: that of 1024 threads is 1, those of 512 are 2 and
/// 3, and so on.
void tile_sync(unsigned tile, unsigned threads, Place place = Place::here());

/// The barrier of all blocks of a cooperative launch, which all of their threads reach; whether this launch is one.
void synchronize_grid(Place place = Place::here());
bool launched_together();

}  // namespace lanework_simt
