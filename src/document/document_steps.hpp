// What lies within the arrays of documents.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "document/document_projection.hpp"

namespace scaup {

/// The text that steps lead to from a JSON value; nullopt where there is nothing.
std::optional<std::string_view> FollowSteps(std::string_view json, std::span<const DocumentStep> steps);

/// Reads single values of JSON as records have them. One thread.
class JsonValueReader {
 public:
  JsonValueReader();
  ~JsonValueReader();

  struct Value {
    AttributeType type;
    std::string_view bytes;  ///< valid until the next Read
  };
  /// Nullopt for objects that are not empty. REQUIRES: `text` is JSON.
  std::optional<Value> Read(std::string_view text);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace scaup
