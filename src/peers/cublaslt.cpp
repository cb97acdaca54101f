// cuBLASLt by dlopen, with the types of its own header.
#include "src/peers/cublaslt.hpp"

#include <cublasLt.h>

#include <algorithm>
#include <bit>
#include <lanework/error.hpp>
#include <limits>
#include <map>
#include <mutex>
#include <string>
#include <tuple>

#include "src/core/shared_library.hpp"
#include "src/cuda/check.hpp"

namespace lanework {
namespace {

constexpr const char* kNames[] = {"libcublasLt.so.13", "libcublasLt.so.12"};
constexpr int kAlgorithms = 8;  // of the heuristic's list, the most promising first
constexpr int kTrials = 3;      // of each; the shortest counts

/// The library's functions, under the types of its header.
struct CublasLt {
    // Never closed: its handles live until the program ends, and the driver may be gone by then.
    const SharedLibrary& library = *new SharedLibrary(kNames);
#define LANEWORK_FUNCTION(name) \
    decltype(&cublasLt##name) name = library.function<decltype(&cublasLt##name)>("cublasLt" #name)
    LANEWORK_FUNCTION(Create);
    LANEWORK_FUNCTION(GetVersion);
    LANEWORK_FUNCTION(GetStatusString);
    LANEWORK_FUNCTION(MatmulDescCreate);
    LANEWORK_FUNCTION(MatmulDescSetAttribute);
    LANEWORK_FUNCTION(MatrixLayoutCreate);
    LANEWORK_FUNCTION(MatrixLayoutSetAttribute);
    LANEWORK_FUNCTION(MatmulPreferenceCreate);
    LANEWORK_FUNCTION(MatmulPreferenceSetAttribute);
    LANEWORK_FUNCTION(MatmulAlgoGetHeuristic);
    LANEWORK_FUNCTION(Matmul);
#undef LANEWORK_FUNCTION

    bool complete() const {
        return Create && GetVersion && GetStatusString && MatmulDescCreate && MatmulDescSetAttribute &&
               MatrixLayoutCreate && MatrixLayoutSetAttribute && MatmulPreferenceCreate &&
               MatmulPreferenceSetAttribute && MatmulAlgoGetHeuristic && Matmul;
    }
    void check(cublasStatus_t status, const char* call) const {
        if (status != CUBLAS_STATUS_SUCCESS)
            throw DeviceError(std::string(call) + " failed: " + GetStatusString(status) + " (" +
                              std::to_string(status) + ")");
    }
};

const CublasLt& cublaslt() {
    static const CublasLt instance;
    return instance;
}

/// What is described once for a shape: the operands, in cuBLAS's order, and the algorithm. Kept until the program ends.
struct Plan {
    cublasLtMatmulDesc_t product = nullptr;
    cublasLtMatrixLayout_t b = nullptr, a = nullptr, c = nullptr;
    cublasLtMatmulAlgo_t algorithm{};
};

using Product = CublasLtProduct;

/// How cuBLAS computes a type: of the operands, of C, of its sums.
struct Arithmetic {
    cudaDataType_t operands, result;
    cublasComputeType_t compute = CUBLAS_COMPUTE_32F;
    cudaDataType_t scale = CUDA_R_32F;
};
Arithmetic arithmetic_of(DType type) {
    switch (type) {
        case DType::float16: return {CUDA_R_16F, CUDA_R_16F};
        case DType::bfloat16: return {CUDA_R_16BF, CUDA_R_16BF};
        case DType::tfloat32: return {CUDA_R_32F, CUDA_R_32F, CUBLAS_COMPUTE_32F_FAST_TF32};
        case DType::int8: return {CUDA_R_8I, CUDA_R_32I, CUBLAS_COMPUTE_32I, CUDA_R_32I};
        case DType::float8_e4m3: return {CUDA_R_8F_E4M3, CUDA_R_16BF};
        default: return {CUDA_R_32F, CUDA_R_32F};
    }
}

/// Says something about a product.
template <class Value>
void describe(const Plan& plan, cublasLtMatmulDescAttributes_t what, const Value& value) {
    cublaslt().check(cublaslt().MatmulDescSetAttribute(plan.product, what, &value, sizeof value),
                     "cublasLtMatmulDescSetAttribute");
}

void multiply(cublasLtHandle_t handle, const Plan& plan, const cublasLtMatmulAlgo_t& algorithm, const Product& x,
              cudaStream_t stream) {
    static constexpr float kFloats[] = {0, 1};
    static constexpr std::int32_t kIntegers[] = {0, 1};
    const bool whole = arithmetic_of(x.type).scale == CUDA_R_32I;
    const auto number = [&](int value) -> const void* {
        if (whole) return &kIntegers[value];
        return &kFloats[value];
    };
    if (x.bias) describe(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, x.bias);
    cublaslt().check(cublaslt().Matmul(handle, plan.product, x.alpha ? x.alpha : number(1), x.b, plan.b, x.a, plan.a,
                                       x.beta ? x.beta : number(0), x.c_in ? x.c_in : x.c, plan.c, x.c, plan.c,
                                       &algorithm, x.workspace, kCublasLtWorkspace, stream),
                     "cublasLtMatmul");
}

/// The bytes that divide an address, of which the library knows up to 256.
std::uint32_t alignment_of(const void* pointer) {
    const auto address = reinterpret_cast<std::uintptr_t>(pointer);
    return 1U << std::min(8, std::countr_zero(address));
}

class Events {
public:
    Events() {
        LANEWORK_CHECK(cudaEventCreate(&start_));
        LANEWORK_CHECK(cudaEventCreate(&end_));
    }
    Events(const Events&) = delete;
    Events& operator=(const Events&) = delete;
    ~Events() {
        cudaEventDestroy(start_);
        cudaEventDestroy(end_);
    }
    template <class Work>
    float milliseconds(cudaStream_t stream, const Work& work) {
        LANEWORK_CHECK(cudaEventRecord(start_, stream));
        work();
        LANEWORK_CHECK(cudaEventRecord(end_, stream));
        LANEWORK_CHECK(cudaEventSynchronize(end_));
        float taken = 0;
        LANEWORK_CHECK(cudaEventElapsedTime(&taken, start_, end_));
        return taken;
    }

private:
    cudaEvent_t start_ = nullptr, end_ = nullptr;
};

cublasLtEpilogue_t epilogue_of(const Product& x) {
    if (x.bias) return x.gelu ? CUBLASLT_EPILOGUE_GELU_BIAS : CUBLASLT_EPILOGUE_BIAS;
    return x.gelu ? CUBLASLT_EPILOGUE_GELU : CUBLASLT_EPILOGUE_DEFAULT;
}

/// cuBLAS thinks in columns: a row-major matrix is to it the transpose. Cᵀ = Bᵀ·Aᵀ, so the operands change places. B
/// that is given by columns is to it B, and is transposed.
Plan plan_for(cublasLtHandle_t handle, const Product& x, cudaStream_t stream) {
    const CublasLt& lt = cublaslt();
    const auto m = static_cast<std::uint64_t>(x.m), n = static_cast<std::uint64_t>(x.n),
               k = static_cast<std::uint64_t>(x.k);
    const Arithmetic how = arithmetic_of(x.type);
    Plan plan;
    lt.check(lt.MatmulDescCreate(&plan.product, how.compute, how.scale), "cublasLtMatmulDescCreate");
    if (x.b_by_columns) describe(plan, CUBLASLT_MATMUL_DESC_TRANSA, CUBLAS_OP_T);
    if (x.type == DType::float8_e4m3) describe(plan, CUBLASLT_MATMUL_DESC_FAST_ACCUM, std::int8_t{1});
    describe(plan, CUBLASLT_MATMUL_DESC_EPILOGUE, epilogue_of(x));
    if (x.bias) describe(plan, CUBLASLT_MATMUL_DESC_BIAS_POINTER, x.bias);
    if (x.b_by_columns)
        lt.check(lt.MatrixLayoutCreate(&plan.b, how.operands, n, k, x.n), "cublasLtMatrixLayoutCreate");
    else
        lt.check(lt.MatrixLayoutCreate(&plan.b, how.operands, k, n, x.k), "cublasLtMatrixLayoutCreate");
    lt.check(lt.MatrixLayoutCreate(&plan.a, how.operands, n, m, x.n), "cublasLtMatrixLayoutCreate");
    lt.check(lt.MatrixLayoutCreate(&plan.c, how.result, k, m, x.k), "cublasLtMatrixLayoutCreate");
    const auto repeat = [&](cublasLtMatrixLayout_t matrix, std::int64_t to_next) {
        const auto count = static_cast<std::int32_t>(x.products);
        lt.check(lt.MatrixLayoutSetAttribute(matrix, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT, &count, sizeof count),
                 "cublasLtMatrixLayoutSetAttribute");
        lt.check(
            lt.MatrixLayoutSetAttribute(matrix, CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET, &to_next, sizeof to_next),
            "cublasLtMatrixLayoutSetAttribute");
    };
    repeat(plan.a, x.m * x.n);
    repeat(plan.b, x.n * x.k);
    repeat(plan.c, x.m * x.k);
    cublasLtMatmulPreference_t preference = nullptr;
    lt.check(lt.MatmulPreferenceCreate(&preference), "cublasLtMatmulPreferenceCreate");
    const auto prefer = [&](cublasLtMatmulPreferenceAttributes_t what, const auto& value) {
        lt.check(lt.MatmulPreferenceSetAttribute(preference, what, &value, sizeof value),
                 "cublasLtMatmulPreferenceSetAttribute");
    };
    prefer(CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES, kCublasLtWorkspace);
    // Not parts that are rounded to C's type before they are added up: of 16-bit elements their sums are wrong.
    prefer(CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK,
           std::uint32_t{CUBLASLT_REDUCTION_SCHEME_INPLACE | CUBLASLT_REDUCTION_SCHEME_COMPUTE_TYPE});
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES, alignment_of(x.b));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES, alignment_of(x.a));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES, alignment_of(x.c));
    prefer(CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES, alignment_of(x.c));
    cublasLtMatmulHeuristicResult_t found[kAlgorithms];
    int count = 0;
    lt.check(lt.MatmulAlgoGetHeuristic(handle, plan.product, plan.b, plan.a, plan.c, plan.c, preference, kAlgorithms,
                                       found, &count),
             "cublasLtMatmulAlgoGetHeuristic");
    Events events;
    float least = std::numeric_limits<float>::infinity();
    for (int i = 0; i < count; ++i) {
        multiply(handle, plan, found[i].algo, x, stream);  // loads its code
        for (int trial = 0; trial < kTrials; ++trial) {
            const float taken = events.milliseconds(stream, [&] { multiply(handle, plan, found[i].algo, x, stream); });
            if (taken < least) {
                least = taken;
                plan.algorithm = found[i].algo;
            }
        }
    }
    if (count == 0) throw UnavailableError("cublasLtMatmulAlgoGetHeuristic found no algorithm for this product");
    return plan;
}

}  // namespace

std::string_view cublaslt_refusal() {
    const CublasLt& lt = cublaslt();
    if (!lt.library) return "cuBLASLt was not found: neither libcublasLt.so.13 nor libcublasLt.so.12 can be opened";
    if (!lt.complete()) return "the cuBLASLt that was found lacks a function that is called here";
    return {};
}

std::string_view cublaslt_about() {
    static const std::string about = cublaslt_refusal().empty()
                                         ? "cuBLASLt " + std::to_string(cublaslt().GetVersion()) +
                                               ", the fastest of its heuristic's first 8 algorithms"
                                         : "";
    return about;
}

void cublaslt_matmul(const CublasLtProduct& product, cudaStream_t stream) {
    using Key = std::tuple<int, DType, bool, std::int64_t, std::int64_t, std::int64_t, std::int64_t, std::uint32_t,
                           std::uint32_t, std::uint32_t, int, bool>;
    static std::mutex mutex;
    static std::map<int, cublasLtHandle_t> handles;
    static std::map<Key, Plan> plans;
    const Product& x = product;
    const std::lock_guard lock(mutex);
    int device = 0;
    LANEWORK_CHECK(cudaGetDevice(&device));
    cublasLtHandle_t& handle = handles[device];
    if (!handle) cublaslt().check(cublaslt().Create(&handle), "cublasLtCreate");
    const Key key{device,
                  x.type,
                  x.b_by_columns,
                  x.products,
                  x.m,
                  x.n,
                  x.k,
                  alignment_of(x.a),
                  alignment_of(x.b),
                  alignment_of(x.c),
                  epilogue_of(x),
                  x.c_in != nullptr};
    auto plan = plans.find(key);
    if (plan == plans.end()) plan = plans.emplace(key, plan_for(handle, x, stream)).first;
    multiply(handle, plan->second, plan->second.algorithm, x, stream);
}

}  // namespace lanework
