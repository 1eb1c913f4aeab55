// What the rows of a table are made of, for who keeps them in the file.
#pragma once

#include <vector>

#include "document/shredding_policy.hpp"
#include "scaup/type.hpp"

namespace scaup {

class AttributeDictionary;

/// Borrows from a table. A vector of types is good where a table is no collection.
struct TableLayout {
  TableLayout(const std::vector<LogicalType>& column_types,  // NOLINT(google-explicit-constructor)
              const AttributeDictionary* dictionary = nullptr, const ShreddingPolicy& shredding_policy = {})
      : types(column_types), attributes(dictionary), policy(shredding_policy) {}

  const std::vector<LogicalType>& types;
  /// The attributes of a collection, whose only column has the records of documents; null for other tables.
  const AttributeDictionary* attributes;
  ShreddingPolicy policy;
};

}  // namespace scaup
