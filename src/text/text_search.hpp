// A full-text search condition on a table, as used by plans and indexes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "text/text_query.hpp"

namespace scaup {

/// A condition on rows: their texts match a query.
struct TextSearch {
  /// The stored column that holds the texts, or the documents that contain them.
  size_t column;
  /// The number of the document path whose texts, including those below it, are searched.
  uint32_t path = 0;
  std::shared_ptr<const TextQuery> query;
};

}  // namespace scaup
