// Values of every type that SQL computes from a number, and what they must print as.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace scaup::test {

/// A rule that makes values of one type out of numbers from 0 to about a million: the SQL expression, and
/// independently of it the text of its value.
struct ValuePattern {
  const char* type;
  /// `number` is an SQL expression of type BIGINT.
  std::string (*sql)(const std::string& number);
  std::string (*text)(int64_t number);
  /// Values that are hard on storage: literals of the type without quotes, and their texts.
  struct Special {
    std::string literal;
    std::string text;
  };
  std::vector<Special> specials;

  /// Whether neighbouring numbers have different values.
  bool HasManyValues() const {
    return text(1) != text(2) && text(1) != text(1001) && text(30'001) != text(1);
  }
};

const std::vector<ValuePattern>& ValuePatterns();

}  // namespace scaup::test
