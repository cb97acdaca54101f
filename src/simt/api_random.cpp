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
#include "src/simt/library_turn.hpp"
#include "src/simt/sobol_directions.hpp"

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
    /// Where it fills memory of the device.
    cudaStream_t stream = nullptr;
    /// It fills memory of the host instead, at once.
    bool of_host = false;

protected:
    virtual void forget() {}
};

/// A generator whose numbers are points of several dimensions.
struct QuasiGenerator : curandGenerator_st {
    virtual void generate_long(unsigned long long* numbers, size_t count) = 0;
    virtual int bits() const = 0;
    unsigned int dimensions = 1;
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

/// All numbers of a dimension, then those of the next.
template <class State, class Word>
class Sobol : public QuasiGenerator {
public:
    void generate(unsigned int* numbers, size_t count) override { deal(numbers, count, curand_of); }
    void generate_long(unsigned long long* numbers, size_t count) override { deal(numbers, count, curand_of); }
    void uniform(float* numbers, size_t count) override {
        deal(numbers, count, [](State* state) { return curand_uniform(state); });
    }
    void uniform(double* numbers, size_t count) override {
        deal(numbers, count, [](State* state) { return curand_uniform_double(state); });
    }
    void normal(float* numbers, size_t count) override {
        deal(numbers, count, [](State* state) { return curand_normal(state); });
    }
    void normal(double* numbers, size_t count) override {
        deal(numbers, count, [](State* state) { return curand_normal_double(state); });
    }
    int bits() const override { return sizeof(Word) * 8; }

private:
    static Word curand_of(State* state) { return curand(state); }

    template <class T, class Draw>
    void deal(T* numbers, size_t count, Draw draw) {
        const size_t points = count / dimensions;
        for (unsigned int dimension = 0; dimension < dimensions; ++dimension) {
            State state;
            curand_init(sobol_directions(dimension, Word{}), static_cast<Word>(offset), &state);
            for (size_t i = 0; i < points; ++i) *numbers++ = static_cast<T>(draw(&state));
        }
        offset += points;
    }
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
        case CURAND_RNG_QUASI_DEFAULT:
        case CURAND_RNG_QUASI_SOBOL32: return std::make_unique<Sobol<curandStateSobol32, unsigned int>>();
        case CURAND_RNG_QUASI_SOBOL64: return std::make_unique<Sobol<curandStateSobol64, unsigned long long>>();
        default: return nullptr;
    }
}

const QuasiGenerator* as_quasi(const curandGenerator_st& one) { return dynamic_cast<const QuasiGenerator*>(&one); }

/// Of the whole numbers that a generator draws.
int bits_of(const curandGenerator_st& one) { return as_quasi(one) ? as_quasi(one)->bits() : 32; }

template <class Work>
curandStatus_t with(curandGenerator_t generator, const Work& work) {
    if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
    if (sticky_error() != cudaSuccess) return CURAND_STATUS_PREEXISTING_FAILURE;
    return work(*generator);
}

/// `together` numbers make one of what is asked for; of a quasi-random generator as many as it has dimensions. The work
/// holds everything that it needs: a stream that is captured draws when its graph is launched.
template <class T, class Work>
curandStatus_t fill(curandGenerator_t generator, T* numbers, size_t count, size_t together, const Work& work,
                    const char* function = __builtin_FUNCTION()) {
    return with(generator, [&](curandGenerator_st& one) {
        const QuasiGenerator* const quasi = as_quasi(one);
        if (count % (quasi ? quasi->dimensions : together) != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
        const auto bytes = StridedBytes::of(numbers, count);
        if (one.of_host) return note_written_by_host(bytes), work(one), CURAND_STATUS_SUCCESS;
        return at_turn({.name = function, .stream = one.stream}, [=] {
            if (!exists(generator)) return CURAND_STATUS_NOT_INITIALIZED;
            note_written(bytes);
            work(*generator);
            return CURAND_STATUS_SUCCESS;
        });
    });
}

template <class T, class Change>
curandStatus_t normal(curandGenerator_t generator, T* numbers, size_t count, const Change& change,
                      const char* function = __builtin_FUNCTION()) {
    return fill(
        generator, numbers, count, 2,
        [=](curandGenerator_st& one) {
            one.normal(numbers, count);
            for (size_t i = 0; i < count; ++i) numbers[i] = change(numbers[i]);
        },
        function);
}

/// The probability of each number and all below it, as far as a uniform number in double precision tells them apart.
std::vector<double> poisson_distribution(double lambda) {
    std::vector<double> up_to;
    const double most = lambda + 40 * std::sqrt(lambda) + 60;
    double sum = 0;
    for (double n = 0; n < most; ++n)
        up_to.push_back(sum += std::exp(n * std::log(lambda) - lambda - std::lgamma(n + 1)));
    return up_to;
}

curandStatus_t create(curandGenerator_t* generator, curandRngType_t type, bool of_host) {
    if (generator == nullptr) return CURAND_STATUS_INITIALIZATION_FAILED;
    auto one = made(type);
    if (!one) return CURAND_STATUS_TYPE_ERROR;
    one->of_host = of_host;
    *generator = one.get();
    const std::lock_guard lock(mutex);
    generators().emplace(one.get(), std::move(one));
    return CURAND_STATUS_SUCCESS;
}

}  // namespace

curandStatus_t curandCreateGenerator(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, false);
}
curandStatus_t curandCreateGeneratorHost(curandGenerator_t* generator, curandRngType_t type) {
    return create(generator, type, true);
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
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
    return with(generator, [stream](curandGenerator_st& one) {
        one.stream = stream;
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed) {
    return with(generator, [seed](curandGenerator_st& one) {
        if (as_quasi(one)) return CURAND_STATUS_TYPE_ERROR;
        one.restart(seed, 0);
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetQuasiRandomGeneratorDimensions(curandGenerator_t generator, unsigned int dimensions) {
    return with(generator, [dimensions](curandGenerator_st& one) {
        auto* const quasi = dynamic_cast<QuasiGenerator*>(&one);
        if (!quasi) return CURAND_STATUS_TYPE_ERROR;
        if (dimensions == 0 || dimensions > kSobolDimensions) return CURAND_STATUS_OUT_OF_RANGE;
        quasi->dimensions = dimensions;
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandGetDirectionVectors32(curandDirectionVectors32_t** vectors, curandDirectionVectorSet_t set) {
    if (vectors == nullptr || set != CURAND_DIRECTION_VECTORS_32_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = (curandDirectionVectors32_t*)sobol_directions(0, 0u);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandGetDirectionVectors64(curandDirectionVectors64_t** vectors, curandDirectionVectorSet_t set) {
    if (vectors == nullptr || set != CURAND_DIRECTION_VECTORS_64_JOEKUO6) return CURAND_STATUS_OUT_OF_RANGE;
    *vectors = (curandDirectionVectors64_t*)sobol_directions(0, 0ull);
    return CURAND_STATUS_SUCCESS;
}
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
    return with(generator, [offset](curandGenerator_st& one) {
        one.restart(one.seed, offset);
        return CURAND_STATUS_SUCCESS;
    });
}
curandStatus_t curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t ordering) {
    return with(generator, [ordering](curandGenerator_st& one) {
        const bool of_pseudo = ordering >= CURAND_ORDERING_PSEUDO_BEST && ordering <= CURAND_ORDERING_PSEUDO_DYNAMIC &&
                               ordering != CURAND_ORDERING_PSEUDO_SEEDED;
        const bool fits = as_quasi(one) ? ordering == CURAND_ORDERING_QUASI_DEFAULT : of_pseudo;
        return fits ? CURAND_STATUS_SUCCESS : CURAND_STATUS_OUT_OF_RANGE;
    });
}
curandStatus_t curandGenerateSeeds(curandGenerator_t generator) {
    return with(generator, [](curandGenerator_st&) { return CURAND_STATUS_SUCCESS; });
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned int* numbers, size_t count) {
    if (exists(generator) && bits_of(*generator) != 32) return CURAND_STATUS_TYPE_ERROR;
    return fill(generator, numbers, count, 1, [=](curandGenerator_st& one) { one.generate(numbers, count); });
}
curandStatus_t curandGenerateLongLong(curandGenerator_t generator, unsigned long long* numbers, size_t count) {
    if (exists(generator) && bits_of(*generator) != 64) return CURAND_STATUS_TYPE_ERROR;
    return fill(generator, numbers, count, 1,
                [=](curandGenerator_st& one) { static_cast<QuasiGenerator&>(one).generate_long(numbers, count); });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float* numbers, size_t count) {
    return fill(generator, numbers, count, 1, [=](curandGenerator_st& one) { one.uniform(numbers, count); });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double* numbers, size_t count) {
    return fill(generator, numbers, count, 1, [=](curandGenerator_st& one) { one.uniform(numbers, count); });
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
curandStatus_t curandGeneratePoisson(curandGenerator_t generator, unsigned int* numbers, size_t count, double lambda) {
    constexpr double kMost = 400000;  // cuRAND's
    if (!(lambda > 0 && lambda <= kMost)) return CURAND_STATUS_OUT_OF_RANGE;
    return fill(generator, numbers, count, 1, [=](curandGenerator_st& one) {
        std::vector<double> uniform(count);
        one.uniform(uniform.data(), count);
        const std::vector<double> up_to = poisson_distribution(lambda);
        for (size_t i = 0; i < count; ++i)
            numbers[i] =
                static_cast<unsigned int>(std::lower_bound(up_to.begin(), up_to.end(), uniform[i]) - up_to.begin());
    });
}

}  // namespace api
}  // namespace lanework_simt
