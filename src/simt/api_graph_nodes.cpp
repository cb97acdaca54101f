// Graphs built node by node: each node is a step whose work holds all that it needs.
#include <algorithm>
#include <cstring>
#include <memory>

#include "src/simt/api_graph.hpp"
#include "src/simt/api_graph_memory.hpp"
#include "src/simt/devices.hpp"

namespace lanework_simt {

cudaGraphNode_t node_of(CUgraph_st& graph, std::size_t number) {
    for (CUgraphNode_st& node : graph.nodes)
        if (node.number == number) return &node;
    return &graph.nodes.emplace_back(CUgraphNode_st{&graph, number});
}

bool is_node_of(cudaGraphNode_t node, const CUgraph_st* graph) {
    return std::any_of(graph->nodes.begin(), graph->nodes.end(),
                       [&](const CUgraphNode_st& each) { return &each == node && each.graph == graph; });
}

cudaError_t add_node(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                     cudaGraphNodeType type, std::function<cudaError_t()> work, const cudaKernelNodeParams& kernel) {
    if (!node || !graphs().exists(graph) || (count != 0 && !after)) return cudaErrorInvalidValue;
    Step step{std::move(work), nullptr, {}, graph->steps.size(), type, kernel};
    for (size_t i = 0; i < count; ++i) {
        if (!is_node_of(after[i], graph)) return cudaErrorInvalidValue;
        step.after.push_back(after[i]->number);
    }
    graph->steps.push_back(std::move(step));
    *node = node_of(*graph, graph->steps.size() - 1);
    return cudaSuccess;
}

inline namespace api {
namespace {

using Work = std::function<cudaError_t()>;

/// Null for a kernel that is not known; see launchable().
Work work_of(const cudaKernelNodeParams& what, Place place) {
    const kernel_functions::Known* const how = kernel_functions::known(what.func);
    if (!how || what.extra) return nullptr;
    const kernel_functions::Arguments arguments = how->copy(what.kernelParams);
    const std::shared_ptr<const void> kept(arguments.kept, arguments.forget);
    const kernel_functions::Request request{what.gridDim, what.blockDim, what.sharedMemBytes, nullptr, false, place};
    return [kernel = what.func, request, kept, addresses = arguments.addresses] {
        return kernel_functions::launch_known(kernel, request, addresses);
    };
}

Work work_of(const cudaHostNodeParams& what) {
    return [what] {
        what.fn(what.userData);
        return cudaSuccess;
    };
}

/// Elements of 1, 2 or 4 bytes, row by row; those of one byte by the device's own fill.
cudaError_t fill(const cudaMemsetParams& what) {
    const size_t bytes = what.elementSize, rows = std::max<size_t>(what.height, 1);
    const cudaError_t error = cudaMemset2D(what.dst, rows == 1 ? what.width * bytes : what.pitch,
                                           int(what.value & 0xff), what.width * bytes, rows);
    if (error != cudaSuccess || bytes == 1) return error;
    for (size_t y = 0; y < rows; ++y)
        for (size_t x = 0; x < what.width; ++x)
            std::memcpy(static_cast<char*>(what.dst) + y * what.pitch + x * bytes, &what.value, bytes);
    return cudaSuccess;
}

bool good(const cudaMemsetParams* what) {
    return what && what->dst && (what->elementSize == 1 || what->elementSize == 2 || what->elementSize == 4);
}

Work copy_work(void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return [=] { return cudaMemcpy(to, from, bytes, kind); };
}

Step* step_of(cudaGraphNode_t node) {
    return node && graphs().exists(node->graph) ? &node->graph->steps[node->number] : nullptr;
}

template <class Condition>
cudaError_t list(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count, Condition wanted) {
    if (!graphs().exists(graph) || !count) return cudaErrorInvalidValue;
    size_t found = 0;
    for (std::size_t i = 0; i < graph->steps.size(); ++i) {
        if (graph->steps[i].destroyed || !wanted(graph->steps[i])) continue;
        if (nodes && found < *count) nodes[found] = node_of(*graph, i);
        ++found;
    }
    *count = nodes ? std::min(found, *count) : found;
    return cudaSuccess;
}

cudaError_t replace(cudaGraphExec_t executable, cudaGraphNode_t node, cudaGraphNodeType type, Work work) {
    if (!executables().exists(executable) || !step_of(node) || !work) return cudaErrorInvalidValue;
    for (Step& step : executable->steps) {
        if (step.number != node->number) continue;
        if (step.type != type) return cudaErrorInvalidValue;
        step.work = std::move(work);
        return cudaSuccess;
    }
    return cudaErrorInvalidValue;
}

cudaError_t update(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResult& result) {
    result = cudaGraphExecUpdateError;
    if (!executables().exists(executable) || !graphs().exists(graph)) return cudaErrorInvalidValue;
    Steps steps = in_order(graph->steps);
    const auto same = [](const Step& a, const Step& b) { return a.after == b.after; };
    if (!std::equal(steps.begin(), steps.end(), executable->steps.begin(), executable->steps.end(), same)) {
        result = cudaGraphExecUpdateErrorTopologyChanged;
        return cudaErrorGraphExecUpdateFailure;
    }
    executable->steps = std::move(steps);
    result = cudaGraphExecUpdateSuccess;
    return cudaSuccess;
}

}  // namespace

cudaError_t cudaGraphAddKernelNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaKernelNodeParams* what, Place place) {
    return call([&] {
        if (!what) return cudaErrorInvalidValue;
        Work work = work_of(*what, place);
        if (!work) return cudaErrorInvalidDeviceFunction;
        return add_node(node, graph, after, count, cudaGraphNodeTypeKernel, std::move(work), *what);
    });
}
cudaError_t cudaGraphAddMemcpyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemcpy3DParms* what) {
    return call([&] {
        if (!what) return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy,
                        [copied = *what] { return cudaMemcpy3D(&copied); });
    });
}
cudaError_t cudaGraphAddMemcpyNode1D(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call(
        [&] { return add_node(node, graph, after, count, cudaGraphNodeTypeMemcpy, copy_work(to, from, bytes, kind)); });
}
cudaError_t cudaGraphAddMemsetNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                   const cudaMemsetParams* what) {
    return call([&] {
        if (!good(what)) return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeMemset, [filled = *what] { return fill(filled); });
    });
}
cudaError_t cudaGraphAddHostNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after, size_t count,
                                 const cudaHostNodeParams* what) {
    return call([&] {
        if (!what || !what->fn) return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeHost, work_of(*what));
    });
}
cudaError_t cudaGraphAddEmptyNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                  size_t count) {
    return call(
        [&] { return add_node(node, graph, after, count, cudaGraphNodeTypeEmpty, [] { return cudaSuccess; }); });
}
cudaError_t cudaGraphAddMemAllocNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                     size_t count, cudaMemAllocNodeParams* what) {
    return call([&] {
        if (!what || what->bytesize == 0 || what->poolProps.allocType != cudaMemAllocationTypePinned)
            return cudaErrorInvalidValue;
        if (what->poolProps.location.type == cudaMemLocationTypeDevice && !device_exists(what->poolProps.location.id))
            return cudaErrorInvalidDevice;
        void* const memory = reserve_for_graph(what->bytesize);
        if (memory == nullptr) return cudaErrorMemoryAllocation;
        const cudaError_t error = add_node(node, graph, after, count, cudaGraphNodeTypeMemAlloc,
                                           [memory] { return use_graph_memory(memory); });
        if (error == cudaSuccess) what->dptr = memory;
        return error;
    });
}
cudaError_t cudaGraphAddMemFreeNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                    size_t count, void* memory) {
    return call([&] {
        if (!is_graph_memory(memory)) return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeMemFree,
                        [memory] { return free_graph_memory(memory); });
    });
}
cudaError_t cudaGraphAddChildGraphNode(cudaGraphNode_t* node, cudaGraph_t graph, const cudaGraphNode_t* after,
                                       size_t count, cudaGraph_t child) {
    return call([&] {
        if (!graphs().exists(child)) return cudaErrorInvalidValue;
        return add_node(node, graph, after, count, cudaGraphNodeTypeGraph,
                        [steps = in_order(child->steps)] { return run_graph(steps, nullptr); });
    });
}
cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t* from, const cudaGraphNode_t* to,
                                     size_t count) {
    return call([&] {
        if (!graphs().exists(graph) || (count != 0 && (!from || !to))) return cudaErrorInvalidValue;
        for (size_t i = 0; i < count; ++i) {
            if (!is_node_of(from[i], graph) || !is_node_of(to[i], graph)) return cudaErrorInvalidValue;
            graph->steps[to[i]->number].after.push_back(from[i]->number);
        }
        return cudaSuccess;
    });
}

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call([&] { return list(graph, nodes, count, [](const Step&) { return true; }); });
}
cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t* nodes, size_t* count) {
    return call([&] { return list(graph, nodes, count, [](const Step& step) { return step.after.empty(); }); });
}
cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, cudaGraphNodeType* type) {
    return call([&] {
        const Step* const step = step_of(node);
        if (!step || !type) return cudaErrorInvalidValue;
        *type = step->type;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphKernelNodeGetParams(cudaGraphNode_t node, cudaKernelNodeParams* what) {
    return call([&] {
        const Step* const step = step_of(node);
        if (!step || step->type != cudaGraphNodeTypeKernel || !step->kernel.func || !what) return cudaErrorInvalidValue;
        *what = step->kernel;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const cudaKernelNodeParams* what, Place place) {
    return call([&] {
        Step* const step = step_of(node);
        Work work = what ? work_of(*what, place) : nullptr;
        if (!step || step->type != cudaGraphNodeTypeKernel || !work) return cudaErrorInvalidValue;
        step->work = std::move(work);
        step->kernel = *what;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node) {
    return call([&] {
        Step* const step = step_of(node);
        if (!step) return cudaErrorInvalidValue;
        for (Step& each : node->graph->steps) std::erase(each.after, node->number);
        step->after.clear();
        step->work = [] { return cudaSuccess; };
        step->destroyed = true;
        node->graph = nullptr;
        return cudaSuccess;
    });
}
cudaError_t cudaGraphClone(cudaGraph_t* clone, cudaGraph_t graph) {
    return call([&] {
        if (!clone || !graphs().exists(graph)) return cudaErrorInvalidValue;
        *clone = graphs().create(CUgraph_st{graph->steps, {}, graph->conditions, graph->around});
        return cudaSuccess;
    });
}

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t* executable, cudaGraph_t graph, unsigned long long flags) {
    return cudaGraphInstantiate(executable, graph, flags);
}
cudaError_t cudaGraphInstantiate(cudaGraphExec_t* executable, cudaGraph_t graph, cudaGraphNode_t*, char*, size_t) {
    return cudaGraphInstantiate(executable, graph, 0);
}
cudaError_t cudaGraphUpload(cudaGraphExec_t executable, cudaStream_t stream) {
    return call([&] {
        return executables().exists(executable) && stream_exists(stream) ? cudaSuccess : cudaErrorInvalidValue;
    });
}
cudaError_t cudaGraphExecKernelNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaKernelNodeParams* what, Place place) {
    return call([&] {
        return replace(executable, node, cudaGraphNodeTypeKernel, what ? work_of(*what, place) : Work(nullptr));
    });
}
cudaError_t cudaGraphExecMemsetNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                             const cudaMemsetParams* what) {
    return call([&] {
        if (!good(what)) return cudaErrorInvalidValue;
        return replace(executable, node, cudaGraphNodeTypeMemset, [filled = *what] { return fill(filled); });
    });
}
cudaError_t cudaGraphExecHostNodeSetParams(cudaGraphExec_t executable, cudaGraphNode_t node,
                                           const cudaHostNodeParams* what) {
    return call([&] {
        if (!what || !what->fn) return cudaErrorInvalidValue;
        return replace(executable, node, cudaGraphNodeTypeHost, work_of(*what));
    });
}
cudaError_t cudaGraphExecMemcpyNodeSetParams1D(cudaGraphExec_t executable, cudaGraphNode_t node, void* to,
                                               const void* from, size_t bytes, cudaMemcpyKind kind) {
    return call([&] { return replace(executable, node, cudaGraphNodeTypeMemcpy, copy_work(to, from, bytes, kind)); });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphExecUpdateResultInfo* info) {
    return call([&] {
        if (!info) return cudaErrorInvalidValue;
        *info = {};
        return update(executable, graph, info->result);
    });
}
cudaError_t cudaGraphExecUpdate(cudaGraphExec_t executable, cudaGraph_t graph, cudaGraphNode_t* error_node,
                                cudaGraphExecUpdateResult* result) {
    return call([&] {
        if (!result) return cudaErrorInvalidValue;
        if (error_node) *error_node = nullptr;
        return update(executable, graph, *result);
    });
}

}  // namespace api
}  // namespace lanework_simt
