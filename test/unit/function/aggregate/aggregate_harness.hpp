// What the tests of aggregates share: a context, binding by name, and running over vectors of every form,
// split over several states that are joined in a random tree.
#pragma once

#include <catch2/catch.hpp>
#include <random>
#include <string>
#include <vector>

#include "common/file/file_system.hpp"
#include "common/memory/memory_tracker.hpp"
#include "common/settings/settings.hpp"
#include "common/task_scheduler.hpp"
#include "function/aggregate/aggregate_functions.hpp"
#include "function/database_listing.hpp"
#include "type/text/string_ref.hpp"
#include "vector/kernel_table.hpp"

namespace scaup {

class EmptyListing : public DatabaseListing {
 public:
  std::vector<std::string> Schemas() const override { return {}; }
  std::vector<TableListing> Tables() const override { return {}; }
};

/// All that a FunctionContext borrows.
struct TestContext {
  std::unique_ptr<FileSystem> files = MakePosixFileSystem();
  MemoryTracker memory{size_t{1} << 30};
  TaskScheduler scheduler{1};
  Settings settings;
  std::atomic<bool> interrupted{false};
  EmptyListing listing;
  FunctionContext context{*files,      memory,  scheduler, settings, KernelsOf(BestKernelLevel()),
                          interrupted, listing, 0};
};

/// A bound aggregate. REQUIRES: an overload that takes exactly these types.
struct BoundAggregate {
  AggregateFunction function;
  std::unique_ptr<FunctionData> data;
};

inline BoundAggregate BindByName(const std::string& name, const std::vector<LogicalType>& types) {
  for (AggregateFunction& candidate : BuiltinAggregates()) {
    if (candidate.name != name || candidate.argument_types.size() != types.size()) continue;
    bool fits = true;
    std::vector<BindArgument> arguments;
    for (size_t i = 0; i < types.size(); i++) {
      fits &= candidate.any_types || candidate.argument_types[i].id() == types[i].id();
      arguments.push_back({types[i]});
    }
    if (!fits) continue;
    BoundAggregate bound{candidate, nullptr};
    if (candidate.bind != nullptr) bound.data = candidate.bind(bound.function, arguments);
    return bound;
  }
  FAIL("no overload of " + name);
  return {};
}

enum class Form { kFlat, kConstant, kDictionary };

/// Rows of boxed values, one inner vector per argument column.
using Columns = std::vector<std::vector<Value>>;

/// A vector of the given form over values [begin, begin + count); for kConstant all must be equal.
inline Vector MakeVector(const LogicalType& type, const std::vector<Value>& values, size_t begin,
                         size_t count, Form form, std::mt19937_64& random) {
  if (form == Form::kConstant) return Vector(values[begin].is_null() ? Value(type) : values[begin]);
  Vector flat(type);
  flat.Reset();
  if (form == Form::kFlat) {
    for (size_t i = 0; i < count; i++) flat.SetValue(i, values[begin + i]);
    return flat;
  }
  // A dictionary in shuffled order, with junk that no row selects.
  std::vector<sel_t> places(kVectorSize);
  for (size_t i = 0; i < places.size(); i++) places[i] = static_cast<sel_t>(i);
  std::shuffle(places.begin(), places.end(), random);
  for (size_t i = count; i < kVectorSize; i++) flat.SetValue(places[i], values[begin]);
  auto selection = std::make_shared<SelectionVector>();
  for (size_t i = 0; i < count; i++) {
    flat.SetValue(places[i], values[begin + i]);
    selection->rows[i] = places[i];
  }
  Vector result(type);
  result.Slice(flat, kVectorSize, selection, count);
  return result;
}

/// Runs a bound aggregate over rows that belong to groups.
class AggregateRun {
 public:
  AggregateRun(const BoundAggregate& bound, size_t group_count, uint64_t seed)
      : bound_(bound), group_count_(group_count), random_(seed), arena_(&test_.memory) {}

  AggregateCall call() { return {test_.context, bound_.data.get(), arena_}; }
  std::mt19937_64& random() { return random_; }

  /// `part_count` sets of states, one per group in each.
  void MakeStates(size_t part_count) {
    for (size_t part = 0; part < part_count; part++) {
      std::vector<std::byte*> states;
      for (size_t group = 0; group < group_count_; group++) {
        states.push_back(arena_.Allocate(bound_.function.state_size, 16));
        bound_.function.initialize(states.back());
      }
      parts_.push_back(std::move(states));
    }
  }

  std::vector<Vector> MakeArguments(const Columns& columns, size_t begin, size_t count, Form form) {
    std::vector<Vector> arguments;
    for (size_t i = 0; i < columns.size(); i++) {
      arguments.push_back(
          MakeVector(bound_.function.argument_types[i], columns[i], begin, count, form, random_));
    }
    return arguments;
  }

  /// Adds rows [begin, begin + count) to the states of `part`; groups[row] says which.
  void Update(size_t part, const Columns& columns, const std::vector<size_t>& groups, size_t begin,
              size_t count, Form form) {
    std::vector<Vector> arguments = MakeArguments(columns, begin, count, form);
    if (group_count_ == 1) {
      bound_.function.update_single(call(), arguments, count, parts_[part][0]);
      return;
    }
    std::vector<std::byte*> states;
    for (size_t row = begin; row < begin + count; row++) states.push_back(parts_[part][groups[row]]);
    bound_.function.update(call(), arguments, count, states.data());
  }

  /// Joins all parts, two neighbours at a time in random order (so that the order of rows is kept), and
  /// returns one value per group, written behind an offset.
  std::vector<Value> Finish() {
    while (parts_.size() > 1) {
      const size_t left = random_() % (parts_.size() - 1);
      bound_.function.combine(call(), parts_[left + 1].data(), parts_[left].data(), group_count_);
      parts_.erase(parts_.begin() + static_cast<ptrdiff_t>(left) + 1);
    }
    Vector result(bound_.function.return_type);
    result.Reset();
    const size_t offset = 3;
    bound_.function.finalize(call(), parts_[0].data(), group_count_, result, offset);
    std::vector<Value> values;
    for (size_t group = 0; group < group_count_; group++) values.push_back(result.GetValue(offset + group));
    return values;
  }

 private:
  const BoundAggregate& bound_;
  size_t group_count_;
  std::mt19937_64 random_;
  TestContext test_;
  Arena arena_;
  std::vector<std::vector<std::byte*>> parts_;
};

/// All rows of one group, without those where any argument is NULL, in order.
inline std::vector<std::vector<Value>> RowsOfGroup(const Columns& columns, const std::vector<size_t>& groups,
                                                   size_t group) {
  std::vector<std::vector<Value>> rows;
  for (size_t row = 0; row < groups.size(); row++) {
    if (groups[row] != group) continue;
    std::vector<Value> values;
    bool any_null = false;
    for (const std::vector<Value>& column : columns) {
      any_null |= column[row].is_null();
      values.push_back(column[row]);
    }
    if (!any_null) rows.push_back(std::move(values));
  }
  return rows;
}

using ValueMaker = std::function<Value(std::mt19937_64&)>;
using Reference = std::function<Value(const std::vector<std::vector<Value>>& rows)>;
using Same = std::function<bool(const Value& got, const Value& expected)>;

inline bool SameValue(const Value& got, const Value& expected) { return got == expected; }
inline bool NearlySame(const Value& got, const Value& expected) {
  if (got.is_null() || expected.is_null()) return got == expected;
  const double a = got.GetDouble(), b = expected.GetDouble();
  return std::abs(a - b) <= 1e-9 * std::max({1.0, std::abs(a), std::abs(b)});
}

/// Compares `bound` with `reference` over random rows in every form, with and without groups and NULLs.
inline void CheckAgainst(const BoundAggregate& bound, const std::vector<ValueMaker>& makers,
                         const Reference& reference, const Same& same = SameValue) {
  uint64_t seed = 1;
  for (const Form form : {Form::kFlat, Form::kConstant, Form::kDictionary}) {
    for (const size_t group_count : {size_t{1}, size_t{7}}) {
      for (const int null_percent : {0, 20, 100}) {
        AggregateRun run(bound, group_count, seed++);
        const std::vector<size_t> chunk_sizes{1024, 1, 63, 64, 200, 1023};
        Columns columns(makers.size());
        std::vector<size_t> groups;
        for (const size_t size : chunk_sizes) {
          for (size_t row = 0; row < size; row++) {
            for (size_t i = 0; i < makers.size(); i++) {
              if (form == Form::kConstant && row > 0) {
                columns[i].push_back(columns[i].back());
              } else if (static_cast<int>(run.random()() % 100) < null_percent) {
                columns[i].push_back(Value(bound.function.argument_types[i]));
              } else {
                columns[i].push_back(makers[i](run.random()));
              }
            }
            // The last group stays empty.
            groups.push_back(group_count == 1 ? 0 : run.random()() % (group_count - 1));
          }
        }
        run.MakeStates(chunk_sizes.size() + 1);
        size_t begin = 0;
        for (size_t chunk = 0; chunk < chunk_sizes.size(); chunk++) {
          // Two chunks to a part; the later parts stay empty.
          run.Update(chunk / 2, columns, groups, begin, chunk_sizes[chunk], form);
          begin += chunk_sizes[chunk];
        }
        const std::vector<Value> results = run.Finish();
        for (size_t group = 0; group < group_count; group++) {
          const Value expected = reference(RowsOfGroup(columns, groups, group));
          INFO(bound.function.name << " form " << static_cast<int>(form) << " nulls " << null_percent
                                   << "% group " << group << " of " << group_count << ": got "
                                   << results[group].ToString() << ", expected " << expected.ToString());
          REQUIRE(same(results[group], expected));
        }
      }
    }
  }
}

}  // namespace scaup
