// Access to values within arrays of documents.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>

#include "document/document_projection.hpp"

namespace scaup {

/// The JSON text at the end of the steps, starting from a JSON value; nullopt if there is nothing.
std::optional<std::string_view> FollowSteps(std::string_view json, std::span<const DocumentStep> steps);

/// Converts single JSON values to record format. One thread at a time.
class JsonValueReader {
 public:
  JsonValueReader();
  ~JsonValueReader();

  struct Value {
    AttributeType type;
    std::string_view bytes;  ///< valid until the next Read
  };
  /// Converts a value; nullopt for objects that are not empty. REQUIRES: `text` is JSON.
  std::optional<Value> Read(std::string_view text);

 private:
  struct Work;
  std::unique_ptr<Work> work_;
};

}  // namespace scaup
