// Records with some of their values replaced.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Replaces values of a document. One thread.
class DocumentChange {
 public:
  /// The paths that are set, none of them the root.
  DocumentChange(std::shared_ptr<AttributeDictionary> dictionary, std::vector<PathId> paths);
  ~DocumentChange();

  /// Appends to `changed` the record with JSON text values[i] at path i; nullopt takes the value away. A
  /// member that is there keeps its place, a new one comes last in its object; objects on the way are made,
  /// also in the place of a null. Later changes see earlier ones. Throws Error(kOutOfRange, 22023) where
  /// another value stands on the way of one that is set. REQUIRES: the texts are JSON.
  void Apply(std::string_view record, std::span<const std::optional<std::string_view>> values,
             std::string& changed);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace scaup
