// Documents that SQL computes from numbers, and what they must be.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unit/document/document_model.hpp"

namespace scaup::test {

JsonModel JsonNumber(const std::string& text);
JsonModel JsonString(const std::string& text);
JsonModel JsonObject(std::vector<std::pair<std::string, JsonModel>> members);
JsonModel JsonArray(const std::vector<JsonModel>& elements);

/// A rule that makes one member of documents out of numbers up to about a million.
struct MemberPattern {
  const char* key;  ///< what it is chosen by; where the key itself is made of the number, the part before it
  /// `number` is an SQL expression of type BIGINT; gives one of type VARCHAR: `"key":value` as JSON.
  std::string (*sql)(const std::string& number);
  /// Independently of it: the key and its value.
  std::pair<std::string, JsonModel> (*member)(int64_t number);
};

const std::vector<MemberPattern>& MemberPatterns();

/// Which members the documents of a series have: documents differ in their keys. All begin with "nr", the
/// number.
struct DocumentRule {
  struct Member {
    const MemberPattern* pattern;
    int64_t period;  ///< of numbers that have it, from `first` on
    int64_t first;
  };
  std::vector<Member> members;

  /// An SQL expression of type JSON over the BIGINT i.
  std::string Sql() const;
  JsonModel Document(int64_t number) const;
};

}  // namespace scaup::test
