// Memory that graphs allocate and free.
#pragma once

#include <lanework_simt/graph.hpp>

namespace lanework_simt {

/// Memory for a graph, which nobody uses yet; null when there is not that much.
void* reserve_for_graph(std::size_t bytes);
bool is_graph_memory(const void* memory);
/// What the allocation's node does, and what a free does, in a graph or outside. cudaErrorInvalidValue when it is in
/// use already, or is not.
cudaError_t use_graph_memory(const void* memory);
cudaError_t free_graph_memory(const void* memory);

}  // namespace lanework_simt
