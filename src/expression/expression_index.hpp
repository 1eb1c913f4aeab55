// Expression index: finds equal expressions among many.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "expression/expression.hpp"

namespace scaup {

/// Returns a hash that is the same for equal expressions. Expressions that only look alike mostly differ in
/// it.
uint64_t HashExpression(const Expression& expression);

/// A hash index of expressions, which finds an equal expression without comparing all of them. Borrows the
/// expressions, which must not change. One thread at a time.
class ExpressionIndex {
 public:
  void Add(const Expression& expression, size_t place) {
    places_.emplace(HashExpression(expression), Entry{&expression, place});
  }
  /// Returns the least place of an equal expression; nullopt if there is none.
  std::optional<size_t> Find(const Expression& expression) const;

 private:
  /// An expression and its place.
  struct Entry {
    const Expression* expression;
    size_t place;
  };
  std::unordered_multimap<uint64_t, Entry> places_;
};

}  // namespace scaup
