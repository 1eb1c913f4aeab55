// Evaluates SQL/JSON paths over JSONB values (ISO/IEC 9075-2:2016, 9.39), with PostgreSQL's answers.
#pragma once

#include <deque>
#include <string>
#include <string_view>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <vector>

#include "function/scalar/json_path/path_node.hpp"
#include "function/scalar/json_path/path_time.hpp"
#include "function/scalar/string/regular_expression.hpp"

namespace scaup::json_path {

/// How an evaluation goes on after an item was found.
enum class Flow : uint8_t {
  kGoOn,
  kStop,   ///< no more items are wanted
  kFault,  ///< see PathEvaluator::fault
};

/// A borrowed function that takes an item, the text of a JSON value, and says how to go on.
class ItemSink {
 public:
  template <typename Function>
  requires(!std::is_same_v<std::remove_cvref_t<Function>, ItemSink>)
      ItemSink(Function&& function)  // NOLINT(google-explicit-constructor): lambdas are passed as sinks
      : object_(const_cast<void*>(static_cast<const void*>(&function))),
        call_([](void* object, std::string_view item) {
          return (*static_cast<std::remove_reference_t<Function>*>(object))(item);
        }) {}
  Flow operator()(std::string_view item) const { return call_(object_, item); }

 private:
  void* object_;
  Flow (*call_)(void*, std::string_view);
};

/// Why a path has no result; predicates turn it into unknown.
struct PathFault {
  std::string sqlstate = {};
  std::string message = {};
};

enum class Truth : uint8_t { kFalse, kTrue, kUnknown };

/// The place of an evaluation in its path. One thread at a time.
struct PathState {
  bool is_strict = false;
  std::string_view root, current, variables;
  size_t array_length = 0;         ///< what last stands for, plus one
  bool ignores_structure = false;  ///< missing members and the like are no faults
  std::deque<std::string> kept;
  RegularExpressionCache patterns{false};
  PathFault fault;
  PathZone zone;
  /// The dates and times that methods have given, by the place of the items, texts in `kept`.
  std::unordered_map<const char*, PathTime> times;

  Flow Fail(std::string sqlstate, std::string message) {
    fault = {std::move(sqlstate), std::move(message)};
    return Flow::kFault;
  }
  /// Gives a value that is not part of the document a place to live.
  std::string_view Keep(std::string text) { return kept.emplace_back(std::move(text)); }
  std::string_view KeepTime(const PathTime& time) {
    const std::string_view item = Keep(PathTimeJson(time));
    times.emplace(item.data(), time);
    return item;
  }
  /// Returns the date or time that an item is; null for other items, also texts of dates.
  const PathTime* TimeOf(std::string_view item) const {
    if (times.empty()) return nullptr;
    const auto found = times.find(item.data());
    return found == times.end() ? nullptr : &found->second;
  }
};

using Items = std::vector<std::string_view>;

// The parts of an evaluation. Each calls `sink` for the items that it finds.

Flow Visit(PathState& state, const PathNode& node, ItemSink sink);
Flow ForEachElement(std::string_view array, ItemSink sink);
/// Finds all items, with arrays unwrapped in lax mode if `unwraps`. Returns false after a fault.
bool Collect(PathState& state, const PathNode& node, bool unwraps, Items& items);
Flow CallMethod(PathState& state, const PathNode& node, std::string_view item, bool unwraps, ItemSink sink);
/// Calls a method that gives another type to an item. REQUIRES: .double() or one after it.
Flow CallCast(PathState& state, const PathNode& node, std::string_view item, ItemSink sink);
Flow Calculate(PathState& state, const PathNode& node, ItemSink sink);
Flow CalculateSign(PathState& state, const PathNode& node, ItemSink sink);
/// REQUIRES: the node is a predicate.
Truth Decide(PathState& state, const PathNode& node);

/// Evaluates one path over one value after the other. Borrows path, value and variables. One thread at a
/// time.
class PathEvaluator {
 public:
  explicit PathEvaluator(const Path& path) : path_(path) { state_.is_strict = path.is_strict; }

  /// Lets dates and times enter and leave the session's time zone.
  void UseZone(const PathZone& zone) { state_.zone = zone; }
  /// Calls `sink` for each item that the path leads to, in order. Items live until the next call. Throws
  /// Error(42704) for a variable without a value.
  Flow Run(std::string_view value, std::string_view variables, ItemSink sink);
  /// The reason of the last Flow::kFault.
  const PathFault& fault() const { return state_.fault; }
  bool is_strict() const { return path_.is_strict; }

 private:
  const Path& path_;
  PathState state_;
};

}  // namespace scaup::json_path
