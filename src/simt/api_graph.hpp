// Graphs as the device keeps them: steps in the order in which they were added, and nodes that name them.
#pragma once

#include <deque>
#include <lanework_simt/graph.hpp>
#include <vector>

#include "src/simt/api_capture.hpp"

namespace lanework_simt {

/// What was submitted in one call, or is a node's.
struct Step {
    std::function<cudaError_t()> work;
    const void* stream;
    /// Steps that it comes after, by their place among the steps.
    std::vector<std::size_t> after;
    /// Its number in the graph that it comes from.
    std::size_t number = 0;
    cudaGraphNodeType type = cudaGraphNodeTypeKernel;
    cudaKernelNodeParams kernel{};
};
using Steps = std::vector<Step>;

struct api::CUgraphNode_st {
    CUgraph_st* graph;
    std::size_t number;
};
struct api::CUgraph_st {
    Steps steps;
    std::deque<CUgraphNode_st> nodes;  // as many as were asked for; a node keeps its address
};
struct api::CUgraphExec_st {
    Steps steps;
};

Handles<CUgraph_st>& graphs();
Handles<CUgraphExec_st>& executables();
cudaError_t run_graph(const Steps& steps, cudaStream_t stream);
/// The steps in an order that fulfils every dependency; none where there is no such order.
Steps in_order(const Steps& steps);

}  // namespace lanework_simt
