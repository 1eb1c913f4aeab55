// Guesses the type of JSON values from some of them.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "format/json/json_tokens.hpp"
#include "format/text/type_guess.hpp"
#include "scaup/type.hpp"

namespace scaup {

/// Merges what the values seen so far have in common. One thread at a time.
class JsonTypeGuess {
 public:
  /// Adds a value of a document.
  void Add(const JsonTokens& document, size_t value);

  /// Whether all values but nulls were objects, and there was one.
  bool are_objects() const { return kinds_ == kObject; }
  /// The type that has all values: BOOLEAN, a number, a date or time where strings are all of one kind,
  /// VARCHAR, a list, a struct of all members; JSON for what is `depth` levels deep, for values of
  /// different kinds, and where there are none but nulls.
  LogicalType Type(size_t depth) const;

  using Members = std::vector<std::pair<std::string, std::unique_ptr<JsonTypeGuess>>>;
  /// The members of all objects, in the order in which they came.
  const Members& members() const { return members_; }

 private:
  enum Kind : unsigned { kBoolean = 1, kNumber = 2, kString = 4, kArray = 8, kObject = 16 };

  JsonTypeGuess& Member(std::string_view quoted, size_t expected);
  LogicalType StructType(size_t depth) const;

  unsigned kinds_ = 0;
  TypeGuess numbers_, strings_;
  Members members_;
  std::unordered_map<std::string, size_t> places_;
  std::unique_ptr<JsonTypeGuess> elements_;
};

}  // namespace scaup
