// The place of an expression in its query, which decides what the expression may contain.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

namespace scaup {

/// The clause that an expression belongs to. Errors name it.
enum class Clause : uint8_t {
  kSelect,
  kWhere,
  kJoinCondition,
  kGroupBy,
  kHaving,
  kQualify,
  kOrderBy,
  kDistinctOn,
  kLimit,
  kOffset,
  kValues,
  kDefault,
  kTableFunction,
  kSet,
  kReturning,
  kOnConflict,
  kMergeWhen,
  kCheck,
  kGenerated,
  kIndexExpression,
  kIndexPredicate,
  kAlterType,
  kWindowFrame,
  kExecute,
};

/// Returns "WHERE", "GROUP BY", ...
const char* ClauseName(Clause clause);

/// A construct around a part of an expression.
enum class Enclosing : uint8_t {
  kAggregate,         ///< the arguments of an aggregate function
  kWindowCall,        ///< the arguments of a window function
  kWindowDefinition,  ///< PARTITION BY or ORDER BY of a window
};

/// The clause of an expression, and the constructs around the part that is being bound. Knows which calls are
/// allowed there: the checks throw Error with the given position. Owned by an ExpressionBinder, used by one
/// thread.
class ExpressionPlace {
 public:
  explicit ExpressionPlace(Clause clause) : clause_(clause) {}

  Clause clause() const { return clause_; }
  bool IsInside(Enclosing construct) const { return inside_[static_cast<size_t>(construct)]; }

  /// The time spent inside of a construct.
  class Stay {
   public:
    explicit Stay(bool& inside) : inside_(inside), before_(std::exchange(inside, true)) {}
    ~Stay() { inside_ = before_; }
    Stay(const Stay&) = delete;
    Stay& operator=(const Stay&) = delete;

   private:
    bool& inside_;
    bool before_;
  };
  /// Enters a construct; the end of the result leaves it. This object must outlive the result.
  [[nodiscard]] Stay Enter(Enclosing construct) { return Stay(inside_[static_cast<size_t>(construct)]); }

  void CheckAggregate(size_t position) const;
  void CheckGrouping(size_t position) const;
  void CheckWindowCall(size_t position) const;
  /// Checks a call of the set-returning function `name`.
  void CheckSetFunction(const std::string& name, size_t position) const;
  void CheckSubquery(size_t position) const;

  /// Records that the expression has an aggregate, or GROUPING, over the columns of its own level.
  void NoteAggregate() { has_aggregate_ = true; }
  bool has_aggregate() const { return has_aggregate_; }

 private:
  Clause clause_;
  std::array<bool, 3> inside_ = {};  // by Enclosing
  bool has_aggregate_ = false;
};

/// Throws the error for an aggregate in the arguments of another one.
[[noreturn]] void ThrowNestedAggregate(size_t position);

}  // namespace scaup
