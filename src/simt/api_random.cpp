// cuRAND's host functions. Numbers are dealt out to many subsequences in turn, some at a time, as cuRAND's threads make
// them (the orders were read off an H200 with CUDA 13.0).
#define __CUDACC__ 1  // the generators are the device's

#include <curand.h>
#include <curand_kernel.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "src/simt/api_call.hpp"

namespace lanework_simt {
inline namespace api {

struct curandGenerator_st {
    virtual ~curandGenerator_st() = default;
    virtual void generate(unsigned int* numbers, size_t count) = 0;
    virtual void uniform(float* numbers, size_t count) = 0;
    virtual void uniform(double* numbers, size_t count) = 0;
    virtual void normal(float* numbers, size_t count) = 0;
    virtual void normal(double* numbers, size_t count) = 0;

    /// From the next number on.
    void restart(unsigned long long from_seed, unsigned long long from_offset) {
        seed = from_seed;
        offset = from_offset;
        forget();
    }

    unsigned long long seed = 0, offset = 0;

protected:
    virtual void forget() = 0;
};

namespace {

double uniform_double(curandStateXORWOW* state) { return curand_uniform_double(state); }
double uniform_double(curandStateMRG32k3a* state) { return curand_uniform_double(state); }
/// Of two numbers, unlike the device's function.
double uniform_double(curandStatePhilox4_32_10* state) {
    const unsigned int x = curand(state), y = curand(state);
    return random_distributions::uniform(x, y);
}

/// `Together` numbers of a subsequence, then as many of the next.
template <class State, size_t Subsequences, size_t Together>
class Dealt : public curandGenerator_st {
public:
    void generate(unsigned int* numbers, size_t count) override {
        deal(numbers, count, Together, [](State* state) { return curand(state); });
    }
    void uniform(float* numbers, size_t count) override {
        deal(numbers, count, Together, [](State* state) { return curand_uniform(state); });
    }
    void uniform(double* numbers, size_t count) override {
        deal(numbers, count, Together, [](State* state) { return uniform_double(state); });
    }
    void normal(float* numbers, size_t count) override {
        deal(numbers, count, kNormals, [](State* state) { return curand_normal(state); });
    }
    void normal(double* numbers, size_t count) override {
        deal(numbers, count, kNormals, [](State* state) { return curand_normal_double(state); });
    }

private:
    static constexpr size_t kNormals = Together < 2 ? 2 : Together;

    void forget() override { states_.clear(); }

    template <class T, class Draw>
    void deal(T* numbers, size_t count, size_t together, Draw draw) {
        for (size_t i = 0; i < count; ++i) numbers[i] = draw(&state_of((offset + i) / together % Subsequences));
        offset += count;
    }

    /// Subsequences come into being in their order; each starts where the first number of this generator was.
    State& state_of(size_t subsequence) {
        if (states_.empty()) first_ = offset;
        while (states_.size() <= subsequence) {
            const unsigned long long number = states_.size(), round = Subsequences * Together;
            const unsigned long long within = first_ % round, begin = number * Together;
            const unsigned long long passed =
                within > begin ? std::min<unsigned long long>(within - begin, Together) : 0;
            curand_init(seed, number, first_ / round * Together + passed, &states_.emplace_back());
        }
        return states_[subsequence];
    }

    std::vector<State> states_;
    unsigned long long first_ = 0;
};

std::mutex mutex;
std::unordered_map<const void*, std::unique_ptr<curandGenerator_st>>& generators() {
    static auto* live = new std::unordered_map<const void*, std::unique_ptr<curandGenerator_st>>;
    return *live;
}
bool exists(curandGenerator_t generator) {
    const std::lock_guard lock(mutex);
    return generators().count(generator) != 0;
}

std::unique_ptr<curandGenerator_st> made(curandRngType_t type) {
    switch (type) {
        case CURAND_RNG_PSEUDO_DEFAULT:
        case CURAND_RNG_PSEUDO_XORWOW: return std::make_unique<Dealt<curandStateXORWOW, 4096, 1>>();
        case CURAND_RNG_PSEUDO_MRG32K3A: return std::make_unique<Dealt<curandStateMRG32k3a, 81920, 1>>();
        case CURAND_RNG_PSEUDO_PHILOX4_32_10: return std::make_unique<Dealt<curandStatePhilox4_32_10, 65536, 4>>();
        default: return nullptr;
    }
}

template <class Work>
curandStatus_t with(curandGenerator_t generator, const Work& work) {
    if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
    if (sticky_error() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
    work(*generator);
    return CURAND_STATUS_SUCCESS;
}

template <class T, class Change>
curandStatus_t normal(curandGenerator_t generator, T* numbers, size_t count, const Change& change) {
    if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
    return with(generator, [&](curandGenerator_st& one) {
        one.normal(numbers, count);
        for (size_t i = 0; i < count; ++i) numbers[i] = change(numbers[i]);
    });
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    if (generator == nullptr) return CURAND_STATUS_INITIALIZATION_FAILED;
    auto one = made(type);
    if (!one) return CURAND_STATUS_TYPE_ERROR;
    *generator = one.get();
    const std::lock_guard lock(mutex);
    generators().emplace(one.get(), std::move(one));
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return curandCreateGenerator(generator, type);
}
curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
    const std::lock_guard lock(mutex);
    return generators().erase(generator) ? CURAND_STATUS_SUCCESS : CURAND_STATUS_NOT_INITIALIZED;
}
curandStatus_t curandGetVersion(int* version) {
    if (version == nullptr) return CURAND_STATUS_OUT_OF_RANGE;
    *version = CURAND_VERSION;
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t) {
    return with(generator, [](curandGenerator_st&) {});
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return with(generator, [seed](curandGenerator_st& one) { one.restart(seed, 0); });
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return with(generator, [offset](curandGenerator_st& one) { one.restart(one.seed, offset); });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
    if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
    const bool default_order = ordering >= CURAND_ORDERING_PSEUDO_BEST && ordering <= CURAND_ORDERING_PSEUDO_DYNAMIC &&
                               ordering != CURAND_ORDERING_PSEUDO_SEEDED;
    return default_order ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return with(generator, [](curandGenerator_st&) {});
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t count) {
    return with(generator, [&](curandGenerator_st& one) { one.generate(numbers, count); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t count) {
    return with(generator, [&](curandGenerator_st& one) { one.uniform(numbers, count); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t count) {
    return with(generator, [&](curandGenerator_st& one) { one.uniform(numbers, count); });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                    float deviation) {
    return normal(generator, numbers, count, [=](float x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                          double deviation) {
    return normal(generator, numbers, count, [=](double x) { return mean + deviation * x; });
}
curandStatus_t curandGenerateLogNormal(curandGenerator_t generator, float* numbers, size_t count, float mean,
                                       float deviation) {
    return normal(generator, numbers, count, [=](float x) { return std::exp(mean + deviation * x); });
}
curandStatus_t curandGenerateLogNormalDouble(curandGenerator_t generator, double* numbers, size_t count, double mean,
                                             double deviation) {
    return normal(generator, numbers, count, [=](double x) { return std::exp(mean + deviation * x); });
}

}  // namespace api
}  // namespace lanework_simt
