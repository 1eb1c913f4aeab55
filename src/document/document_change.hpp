// Updates values within records.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "document/attribute/attribute_dictionary.hpp"

namespace scaup {

/// Sets or removes values of documents at fixed paths. One thread at a time.
class DocumentChange {
 public:
  /// `paths` are the paths to set, none of them the root.
  DocumentChange(std::shared_ptr<AttributeDictionary> dictionary, std::vector<PathId> paths);
  ~DocumentChange();

  /// Appends to `changed` the record in which path i has the JSON text values[i]; nullopt removes the value.
  /// An existing member keeps its position, a new one becomes the last of its object. Missing objects on the
  /// way are made, and a null on the way is replaced by one. Later changes see earlier ones. Throws
  /// Error(kOutOfRange, 22023) if another value is in the way of one that is set. REQUIRES: the texts are
  /// JSON.
  void Apply(std::string_view record, std::span<const std::optional<std::string_view>> values,
             std::string& changed);

 private:
  class Work;
  std::unique_ptr<Work> work_;
};

}  // namespace scaup
