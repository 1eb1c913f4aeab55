// Collects the strings of documents, for full-text search.
#pragma once

#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Finds the strings at given paths and below: values but not keys, including those within arrays. It sees
/// attributes that are added to the dictionary later. One thread at a time.
class DocumentStrings {
 public:
  DocumentStrings(std::shared_ptr<const AttributeDictionary> dictionary, std::vector<PathId> paths);

  void AddPath(PathId path);

  /// Replaces `strings` by those of a record, in no particular order. They are valid as long as the record,
  /// and until the next call. Throws Error(kIo, XX001) for a damaged record.
  void Collect(std::string_view record, std::vector<std::string_view>& strings);

 private:
  /// The kind of strings that an attribute has. Not persisted.
  enum class Kind : uint8_t { kNothing, kString, kStringArray, kArray };

  void LearnAttributes(size_t count);
  void CollectFromArray(std::string_view slots, std::vector<std::string_view>& strings) const;
  void CollectFromJson(std::string_view json, std::vector<std::string_view>& strings);

  std::shared_ptr<const AttributeDictionary> dictionary_;
  std::vector<PathId> paths_;
  std::vector<Kind> kinds_;  // by attribute
  std::deque<std::string> unescaped_;
  size_t unescaped_count_ = 0;
};

}  // namespace scaup
