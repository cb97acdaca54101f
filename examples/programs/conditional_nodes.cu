// Nodes of a graph that are done if a kernel says so, while it says so, or the one of several that it names: the host
// launches once, and is not asked in between.
#include <cstdio>

// Newton's step towards the square root; goes on while it moves.
__global__ void approach(double* root, double of, cudaGraphConditionalHandle go_on) {
    const double next = (*root + of / *root) / 2;
    cudaGraphSetConditional(go_on, fabs(next - *root) > 1e-12 * next);
    *root = next;
}

__global__ void choose(const int* which, cudaGraphConditionalHandle choice) { cudaGraphSetConditional(choice, *which); }
__global__ void note(int* notes, int value) { notes[atomicAdd(notes, 1) + 1] = value; }

static cudaGraphNodeParams kernel_node(const void* kernel, void** arguments) {
    cudaGraphNodeParams node = {cudaGraphNodeTypeKernel};
    node.kernel.func = const_cast<void*>(kernel);
    node.kernel.gridDim = node.kernel.blockDim = dim3(1);
    node.kernel.kernelParams = arguments;
    return node;
}

// A node of `size` graphs behind another one.
static cudaGraph_t* add_conditional(cudaGraph_t graph, cudaGraphNode_t* node, const cudaGraphNode_t* behind,
                                    cudaGraphConditionalHandle handle, cudaGraphConditionalNodeType type, int size) {
    cudaGraphNodeParams conditional = {cudaGraphNodeTypeConditional};
    conditional.conditional.handle = handle;
    conditional.conditional.type = type;
    conditional.conditional.size = size;
    cudaGraphAddNode(node, graph, behind, nullptr, behind ? 1 : 0, &conditional);
    return conditional.conditional.phGraph_out;
}

static void repeated() {
    double* root;
    cudaMallocManaged(&root, sizeof(double));
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle go_on;
    cudaGraphConditionalHandleCreate(&go_on, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t loop;
    cudaGraph_t body = add_conditional(graph, &loop, nullptr, go_on, cudaGraphCondTypeWhile, 1)[0];
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCaptureToGraph(stream, body, nullptr, nullptr, 0, cudaStreamCaptureModeGlobal);
    approach<<<1, 1, 0, stream>>>(root, 2.0, go_on);
    cudaStreamEndCapture(stream, nullptr);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    for (double first : {1.0, 1e6}) {
        *root = first;
        cudaGraphLaunch(executable, stream);
        cudaStreamSynchronize(stream);
        printf("from %g: %.12f\n", first, *root);
    }
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

// Which of `size` graphs is done for each value.
static void chosen(const char* name, cudaGraphConditionalNodeType type, int size) {
    int *which, *notes;
    cudaMallocManaged(&which, sizeof(int));
    cudaMallocManaged(&notes, 8 * sizeof(int));
    cudaGraph_t graph;
    cudaGraphCreate(&graph, 0);
    cudaGraphConditionalHandle choice;
    cudaGraphConditionalHandleCreate(&choice, graph);
    void* of_choose[] = {&which, &choice};
    cudaGraphNodeParams chooses = kernel_node(reinterpret_cast<const void*>(choose), of_choose);
    cudaGraphNode_t first, second, ignored;
    cudaGraphAddNode(&first, graph, nullptr, nullptr, 0, &chooses);
    cudaGraph_t* bodies = add_conditional(graph, &second, &first, choice, type, size);
    for (int i = 0; i < size; ++i) {
        void* of_note[] = {&notes, &i};
        cudaGraphNodeParams noted = kernel_node(reinterpret_cast<const void*>(note), of_note);
        cudaGraphAddNode(&ignored, bodies[i], nullptr, nullptr, 0, &noted);
    }
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    printf("%s of %d:", name, size);
    for (int value = 0; value < 3; ++value) {
        *which = value;
        notes[0] = 0;
        cudaGraphLaunch(executable, 0);
        cudaDeviceSynchronize();
        if (notes[0] == 0)
            printf(" %d does none,", value);
        else
            printf(" %d does number %d,", value, notes[1]);
    }
    printf(" and that is all\n");
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
}

// A node put between two captured kernels.
static void captured() {
    int* notes;
    cudaMallocManaged(&notes, 8 * sizeof(int));
    notes[0] = 0;
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal);
    note<<<1, 1, 0, stream>>>(notes, 10);
    cudaStreamCaptureStatus status;
    cudaGraph_t graph;
    const cudaGraphNode_t* behind;
    size_t count;
    cudaStreamGetCaptureInfo(stream, &status, nullptr, &graph, &behind, nullptr, &count);
    cudaGraphConditionalHandle once;
    cudaGraphConditionalHandleCreate(&once, graph, 1, cudaGraphCondAssignDefault);
    cudaGraphNode_t node, ignored;
    int twenty = 20;
    void* of_note[] = {&notes, &twenty};
    cudaGraphNodeParams noted = kernel_node(reinterpret_cast<const void*>(note), of_note);
    cudaGraph_t body = add_conditional(graph, &node, count == 1 ? behind : nullptr, once, cudaGraphCondTypeIf, 1)[0];
    cudaGraphAddNode(&ignored, body, nullptr, nullptr, 0, &noted);
    cudaStreamUpdateCaptureDependencies(stream, &node, nullptr, 1, cudaStreamSetCaptureDependencies);
    note<<<1, 1, 0, stream>>>(notes, 30);
    cudaStreamEndCapture(stream, &graph);
    cudaGraphExec_t executable;
    cudaGraphInstantiate(&executable, graph, 0);
    cudaGraphLaunch(executable, stream);
    cudaStreamSynchronize(stream);
    printf("captured: %d, then %d, then %d\n", notes[1], notes[2], notes[3]);
    cudaGraphExecDestroy(executable);
    cudaGraphDestroy(graph);
    cudaStreamDestroy(stream);
}

int main() {
    repeated();
    chosen("if", cudaGraphCondTypeIf, 1);
    chosen("if, else", cudaGraphCondTypeIf, 2);
    chosen("switch", cudaGraphCondTypeSwitch, 2);
    captured();
    printf("%s\n", cudaGetErrorString(cudaGetLastError()));
}
