// Graphs as the device keeps them: steps in the order in which they were added, and nodes that name them.
#pragma once

#include <atomic>
#include <deque>
#include <lanework_simt/graph.hpp>
#include <memory>
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
    /// Its node was destroyed: it does nothing, and keeps its place.
    bool destroyed = false;
};
using Steps = std::vector<Step>;

struct api::CUgraphNode_st {
    CUgraph_st* graph;
    std::size_t number;
};
/// What a kernel says of conditional nodes; its address is the handle.
struct Condition {
    std::atomic<unsigned int> value;
    unsigned int default_value;
    bool assigned_at_launch;
};
using Conditions = std::vector<std::shared_ptr<Condition>>;

struct api::CUgraph_st {
    Steps steps;
    std::deque<CUgraphNode_st> nodes;  // as many as were asked for; a node keeps its address
    Conditions conditions;
    CUgraph_st* around = nullptr;  // of a conditional node's graph: the one that has the node
};
struct api::CUgraphExec_st {
    Steps steps;
    Conditions conditions;
};

Handles<CUgraph_st>& graphs();
Handles<CUgraphExec_st>& executables();
cudaError_t run_graph(const Steps& steps, cudaStream_t stream);
/// The node of a step, made when it is asked for first.
cudaGraphNode_t node_of(CUgraph_st& graph, std::size_t number);
bool is_node_of(cudaGraphNode_t node, const CUgraph_st* graph);
cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                     cudaGraphNodeType type, std::function<cudaError_t()> work,
                     const cudaKernelNodeParams& kernel = {});
/// Gives the values of conditional nodes that begin anew with each launch their defaults.
void begin_conditions(const Conditions& conditions);
/// The steps in an order that fulfils every dependency; none where there is no such order.
Steps in_order(const Steps& steps);

}  // namespace lanework_simt
