// Conditional nodes of graphs, and nodes of any type.
#include "src/simt/api_graph.hpp"
#include "src/simt/observing.hpp"

namespace lanework_simt {
namespace {

/// The graphs that a conditional node holds; they end with the last graph, and what was made of it, that has the node.
struct Bodies {
    explicit Bodies(unsigned int count) {
        while (held.size() < count) held.push_back(graphs().create());
    }
    ~Bodies() {
        for (cudaGraph_t each : held) graphs().destroy(each);
    }
    Bodies(const Bodies&) = delete;
    Bodies& operator=(const Bodies&) = delete;

    cudaError_t run(std::size_t number) const {
        if (number >= held.size()) return cudaSuccess;
        if (!graphs().exists(held[number])) return cudaErrorInvalidValue;
        const Steps steps = in_order(held[number]->steps);
        return steps.size() == held[number]->steps.size() ? run_graph(steps, nullptr) : cudaErrorInvalidValue;
    }

    std::vector<cudaGraph_t> held;
};

cudaError_t run_while(const Condition& condition, const Bodies& bodies) {
    while (condition.value != 0)
        if (const cudaError_t error = bodies.run(0); error != cudaSuccess) return error;
    return cudaSuccess;
}

cudaError_t run(cudaGraphConditionalNodeType type, const Condition& condition, const Bodies& bodies) {
    switch (type) {
        case cudaGraphCondTypeIf: return bodies.run(condition.value != 0 ? 0 : 1);
        case cudaGraphCondTypeWhile: return run_while(condition, bodies);
        default: return bodies.run(condition.value);
    }
}

/// Null where no graph that lives has it.
std::shared_ptr<Condition> condition_of(cudaGraph_t graph, cudaGraphConditionalHandle handle) {
    for (const auto& each : graph->conditions)
        if (reinterpret_cast<std::uintptr_t>(each.get()) == handle) return each;
    return nullptr;
}

/// Of the graph that a node is added to, or of one around it.
std::shared_ptr<Condition> condition_around(cudaGraph_t graph, cudaGraphConditionalHandle handle) {
    auto found = condition_of(graph, handle);
    if (!found && graphs().exists(graph->around)) found = condition_around(graph->around, handle);
    return found;
}

bool is_possible(const cudaConditionalNodeParams& what) {
    switch (what.type) {
        case cudaGraphCondTypeIf: return what.size == 1 || what.size == 2;
        case cudaGraphCondTypeWhile: return what.size == 1;
        case cudaGraphCondTypeSwitch: return what.size >= 1;
    }
    return false;
}

cudaError_t add_conditional(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                            cudaConditionalNodeParams& what) {
    if (!graphs().exists(graph) || !is_possible(what)) return cudaErrorInvalidValue;
    const auto condition = condition_around(graph, what.handle);
    if (!condition) return cudaErrorInvalidValue;
    const auto bodies = std::make_shared<Bodies>(what.size);
    const cudaError_t error =
        add_node(node, graph, after, count, cudaGraphNodeTypeConditional,
                 [type = what.type, condition, bodies] { return run(type, *condition, *bodies); });
    if (error != cudaSuccess) return error;
    for (cudaGraph_t each : bodies->held) each->around = graph;
    what.phGraph_out = bodies->held.data();
    return cudaSuccess;
}

}  // namespace

void begin_conditions(const Conditions& conditions) {
    for (const auto& each : conditions)
        if (each->assigned_at_launch) each->value = each->default_value;
}

cudaError_t api::cudaGraphConditionalHandleCreate(cudaGraphConditionalHandle* handle, cudaGraph_t graph,
                                                  unsigned int default_value, unsigned int flags) {
    return call([&] {
        if (handle == nullptr || !graphs().exists(graph) || flags > cudaGraphCondAssignDefault)
            return cudaErrorInvalidValue;
        auto condition = std::make_shared<Condition>();
        condition->value = condition->default_value = default_value;
        condition->assigned_at_launch = flags == cudaGraphCondAssignDefault;
        *handle = reinterpret_cast<std::uintptr_t>(condition.get());
        graph->conditions.push_back(std::move(condition));
        return cudaSuccess;
    });
}

void api::cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
    engine::reach_beyond_memory();
    if (handle != 0) reinterpret_cast<Condition*>(static_cast<std::uintptr_t>(handle))->value = value;
}

cudaError_t api::cudaGraphAddNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  const cudaGraphEdgeData*, size_t count, cudaGraphNodeParams* what, Place place) {
    if (what == nullptr) return record(cudaErrorInvalidValue);
    switch (what->type) {
        case cudaGraphNodeTypeKernel: return cudaGraphAddKernelNode(node, graph, after, count, &what->kernel, place);
        case cudaGraphNodeTypeMemcpy: return cudaGraphAddMemcpyNode(node, graph, after, count, &what->memcpy);
        case cudaGraphNodeTypeMemset: return cudaGraphAddMemsetNode(node, graph, after, count, &what->memset);
        case cudaGraphNodeTypeHost: return cudaGraphAddHostNode(node, graph, after, count, &what->host);
        case cudaGraphNodeTypeEmpty: return cudaGraphAddEmptyNode(node, graph, after, count);
        case cudaGraphNodeTypeGraph: return cudaGraphAddChildGraphNode(node, graph, after, count, what->graph.graph);
        case cudaGraphNodeTypeConditional:
            return call([&] { return add_conditional(node, graph, after, count, what->conditional); });
        default: return record(cudaErrorNotSupported);
    }
}

}  // namespace lanework_simt
