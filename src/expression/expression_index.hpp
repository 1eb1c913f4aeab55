// Finds equal expressions among many.
#pragma once

#include <cstdint>
#include <optional>
#include <unordered_map>

#include "expression/expression.hpp"

namespace scaup {

/// A hash that equal expressions share. Of what they say, for others in the same place mostly another.
uint64_t HashExpression(const Expression& expression);

/// Expressions by their hash: which are equal to a given one is found without looking at all of them. Borrows
/// them; they must not change. One thread.
class ExpressionIndex {
 public:
  void Add(const Expression& expression, size_t place) {
    places_.emplace(HashExpression(expression), Entry{&expression, place});
  }
  /// The least place of an equal one; nullopt if there is none.
  std::optional<size_t> Find(const Expression& expression) const;

 private:
  struct Entry {
    const Expression* expression;
    size_t place;
  };
  std::unordered_multimap<uint64_t, Entry> places_;
};

}  // namespace scaup
