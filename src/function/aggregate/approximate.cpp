// approx_count_distinct by HyperLogLog and approx_quantile by a t-digest.
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "common/hash.hpp"
#include "common/throw.hpp"
#include "function/aggregate/aggregate_families.hpp"
#include "function/aggregate/aggregate_loops.hpp"

namespace scaup {
namespace {

/// HyperLogLog (Flajolet et al. 2007) with 4096 registers and Ertl's estimator (2017), which needs no
/// corrections: the error is about 1.6%. The first hashes are stored unchanged, so that small groups are
/// counted exactly.
class DistinctCount {
 public:
  struct State {
    uint64_t* hashes = nullptr;    ///< distinct; until there are registers
    uint8_t* registers = nullptr;  ///< null at first
    uint32_t hash_count = 0;
    uint32_t hash_capacity = 0;
  };
  explicit DistinctCount(const AggregateCall& call) : arena_(call.arena) {}

  void Add(State& state, uint64_t hash) {
    if (state.registers != nullptr) return AddToRegisters(state.registers, hash);
    for (uint32_t i = 0; i < state.hash_count; i++) {
      if (state.hashes[i] == hash) return;
    }
    if (state.hash_count == kMostHashes) {
      MakeRegisters(state);
      return AddToRegisters(state.registers, hash);
    }
    if (state.hash_count == state.hash_capacity) {
      state.hash_capacity = std::max<uint32_t>(4, state.hash_capacity * 2);
      auto* grown = reinterpret_cast<uint64_t*>(arena_.Allocate(state.hash_capacity * sizeof(uint64_t)));
      std::copy(state.hashes, state.hashes + state.hash_count, grown);
      state.hashes = grown;
    }
    state.hashes[state.hash_count++] = hash;
  }
  void Combine(State& target, const State& source) {
    for (uint32_t i = 0; source.registers == nullptr && i < source.hash_count; i++) {
      Add(target, source.hashes[i]);
    }
    if (source.registers == nullptr) return;
    if (target.registers == nullptr) MakeRegisters(target);
    for (size_t i = 0; i < kRegisters; i++) {
      target.registers[i] = std::max(target.registers[i], source.registers[i]);
    }
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    result.MutableData<int64_t>()[row] =
        state.registers == nullptr ? state.hash_count : std::llround(Estimate(state.registers));
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<DistinctCount>;

  static constexpr unsigned kIndexBits = 12;
  static constexpr size_t kRegisters = size_t{1} << kIndexBits;
  static constexpr unsigned kMostRank = 64 - kIndexBits + 1;
  static constexpr uint32_t kMostHashes = 64;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    Vector& input = arguments[0];
    if (input.is_null_constant()) return;
    DistinctCount aggregate(call);
    uint64_t hashes[kVectorSize];
    HashVector(input, count, hashes, false);
    const UnifiedView view = input.View(count);
    for (size_t row = 0; row < count; row++) {
      // Mixed once more, because the hashes of small numbers differ in few of the upper bits.
      if (view.IsValid(row)) aggregate.Add(get_state(row), HashInteger(hashes[row] + 0x9e3779b97f4a7c15ULL));
    }
  }

  static void AddToRegisters(uint8_t* registers, uint64_t hash) {
    const size_t index = hash >> (64 - kIndexBits);
    const uint64_t rest = hash << kIndexBits;
    const unsigned rank = rest == 0 ? kMostRank : static_cast<unsigned>(std::countl_zero(rest)) + 1;
    registers[index] = std::max(registers[index], static_cast<uint8_t>(rank));
  }
  void MakeRegisters(State& state) {
    state.registers = reinterpret_cast<uint8_t*>(arena_.Allocate(kRegisters));
    std::memset(state.registers, 0, kRegisters);
    for (uint32_t i = 0; i < state.hash_count; i++) AddToRegisters(state.registers, state.hashes[i]);
  }

  static double Sigma(double x) {
    if (x == 1) return INFINITY;
    double y = 1, sum = x, before;
    do {
      x *= x;
      before = sum;
      sum += x * y;
      y += y;
    } while (sum != before);
    return sum;
  }
  static double Tau(double x) {
    if (x == 0 || x == 1) return 0;
    double y = 1, sum = 1 - x, before;
    do {
      x = std::sqrt(x);
      before = sum;
      y *= 0.5;
      sum -= (1 - x) * (1 - x) * y;
    } while (sum != before);
    return sum / 3;
  }
  static double Estimate(const uint8_t* registers) {
    uint32_t histogram[kMostRank + 1] = {};
    for (size_t i = 0; i < kRegisters; i++) histogram[registers[i]]++;
    const double m = kRegisters;
    double z = m * Tau(1 - histogram[kMostRank] / m);
    for (unsigned rank = kMostRank - 1; rank >= 1; rank--) z = 0.5 * (z + histogram[rank]);
    z += m * Sigma(histogram[0] / m);
    return m * m / (2 * std::log(2.0) * z);
  }

  Arena& arena_;
};

/// A t-digest (Dunning and Ertl 2019): clusters of values, smaller ones towards the ends.
class Digest {
 public:
  struct Cluster {
    double mean;
    double weight;
  };
  struct State {
    Cluster* clusters = nullptr;  ///< merged clusters, then single values in the order of arrival
    uint32_t size = 0;
    uint32_t capacity = 0;
    double minimum = INFINITY;
    double maximum = -INFINITY;
    double fraction = 0.5;
    bool fraction_is_null = false;
  };
  using First = double;
  using Second = double;
  explicit Digest(const AggregateCall& call) : arena_(call.arena) {}

  void AddValue(State& state, double value) {
    if (std::isnan(value)) return;
    Append(state, {value, 1});
    state.minimum = std::min(state.minimum, value);
    state.maximum = std::max(state.maximum, value);
  }
  void Combine(State& target, const State& source) {
    if (source.size == 0) return;
    for (uint32_t i = 0; i < source.size; i++) Append(target, source.clusters[i]);
    target.minimum = std::min(target.minimum, source.minimum);
    target.maximum = std::max(target.maximum, source.maximum);
    target.fraction = source.fraction;
    target.fraction_is_null = source.fraction_is_null;
  }
  bool Finalize(const State& state, Vector& result, size_t row) {
    if (state.size == 0 || state.fraction_is_null) return false;
    if (!(state.fraction >= 0 && state.fraction <= 1)) {
      ThrowOutOfRange("approx_quantile: the fraction must be between 0 and 1");
    }
    scratch_.assign(state.clusters, state.clusters + state.size);
    const size_t size = Merge(scratch_.data(), scratch_.size());
    result.MutableData<double>()[row] = Quantile(state, {scratch_.data(), size});
    return true;
  }
  void Finish() {}

 private:
  friend struct RowAggregate<Digest>;

  static constexpr double kCompression = 200;
  static constexpr uint32_t kMostClusters = 1024;

  template <typename GetState>
  static void AddRows(const AggregateCall& call, std::span<Vector> arguments, size_t count,
                      GetState&& get_state) {
    Digest aggregate(call);
    const auto fractions = arguments[1].ViewAs<double>(count);
    ForEachValid<double>(arguments[0], count, [&](size_t row, double value) {
      State& state = get_state(row);
      aggregate.AddValue(state, value);
      state.fraction_is_null = !fractions.IsValid(row);
      if (!state.fraction_is_null) state.fraction = fractions[row];
    });
  }

  void Append(State& state, Cluster cluster) {
    if (state.size == state.capacity) {
      if (state.capacity == kMostClusters) {
        state.size = static_cast<uint32_t>(Merge(state.clusters, state.size));
      } else {
        state.capacity = std::max<uint32_t>(8, state.capacity * 2);
        auto* grown = reinterpret_cast<Cluster*>(arena_.Allocate(state.capacity * sizeof(Cluster)));
        std::copy(state.clusters, state.clusters + state.size, grown);
        state.clusters = grown;
      }
    }
    state.clusters[state.size++] = cluster;
  }

  /// The position of a fraction on the scale, which is steep at the ends, so that clusters there stay small.
  static double Scale(double fraction) {
    return kCompression * std::asin(std::clamp(2 * fraction - 1, -1.0, 1.0)) / (2 * M_PI);
  }

  /// Merges neighbours within one step of the scale. Returns the number of clusters left, which are sorted.
  static size_t Merge(Cluster* clusters, size_t size) {
    std::sort(clusters, clusters + size, [](const Cluster& a, const Cluster& b) { return a.mean < b.mean; });
    double total = 0;
    for (size_t i = 0; i < size; i++) total += clusters[i].weight;
    size_t last = 0;
    double before = 0;  // weight of all clusters before the last one
    for (size_t i = 1; i < size; i++) {
      const double weight = clusters[last].weight + clusters[i].weight;
      if (Scale((before + weight) / total) - Scale(before / total) <= 1) {
        // Weighted by parts, because the difference of infinities would be NaN.
        const double part = clusters[i].weight / weight;
        if (clusters[i].mean != clusters[last].mean) {
          clusters[last].mean += (clusters[i].mean - clusters[last].mean) * part;
        }
        clusters[last].weight = weight;
      } else {
        before += clusters[last].weight;
        clusters[++last] = clusters[i];
      }
    }
    return last + 1;
  }

  /// Interpolates between the centres of the clusters around the wanted weight, and towards the extremes at
  /// the ends.
  static double Quantile(const State& state, std::span<const Cluster> clusters) {
    double total = 0;
    for (const Cluster& cluster : clusters) total += cluster.weight;
    const double wanted = state.fraction * total;
    double middle = 0, before_mean = state.minimum, before_middle = 0, begin = 0;
    for (const Cluster& cluster : clusters) {
      middle = begin + cluster.weight / 2;
      if (wanted < middle)
        return Between(before_mean, cluster.mean, wanted - before_middle, middle - before_middle);
      before_mean = cluster.mean;
      before_middle = middle;
      begin += cluster.weight;
    }
    return Between(before_mean, state.maximum, wanted - before_middle, total - before_middle);
  }
  static double Between(double low, double high, double part, double whole) {
    return low == high || whole == 0 ? low : low + (high - low) * (part / whole);
  }

  Arena& arena_;
  std::vector<Cluster> scratch_;
};

}  // namespace

void AddApproximate(AggregateList& list) {
  AggregateFunction count =
      MakeAggregate("approx_count_distinct", {TypeId::kNull}, TypeId::kBigInt,
                    "About how many distinct values there are, within some 2%.", "approx_count_distinct(x)");
  RowAggregate<DistinctCount>::Fill(count);
  count.any_types = true;
  count.ignores_duplicates = true;
  count.bind = [](AggregateFunction& function,
                  std::span<const BindArgument> arguments) -> std::unique_ptr<FunctionData> {
    SettleAnyArgument(function, arguments, 0);
    return nullptr;
  };
  list.push_back(count);

  AggregateFunction quantile = MakeAggregate(
      "approx_quantile", {TypeId::kDouble, TypeId::kDouble}, TypeId::kDouble,
      "About the value at a fraction of all x in order, in little memory.", "approx_quantile(x, 0.5)");
  RowAggregate<Digest>::Fill(quantile);
  list.push_back(quantile);
}

}  // namespace scaup
