// A search in the texts of a table, as plans and indexes speak of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

#include "text/text_query.hpp"

namespace scaup {

/// Rows whose texts match a query.
struct TextSearch {
  /// The stored column that has the texts, or the documents that they are in.
  size_t column;
  /// The number of the path of documents whose texts, with those below it, are searched.
  uint32_t path = 0;
  std::shared_ptr<const TextQuery> query;
};

}  // namespace scaup
