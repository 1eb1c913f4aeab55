// TableLayout: what the rows of a table consist of, for writing row groups to the file.
#pragma once

#include <vector>

#include "document/shredding_policy.hpp"
#include "scaup/type.hpp"

namespace scaup {

class AttributeDictionary;

/// The column types of a table, and for a collection its attributes. Borrows from the table. Implicit, so
/// that a vector of types can be passed for a table that is not a collection.
struct TableLayout {
  TableLayout(const std::vector<LogicalType>& column_types,  // NOLINT(google-explicit-constructor)
              const AttributeDictionary* dictionary = nullptr, const ShreddingPolicy& shredding_policy = {})
      : types(column_types), attributes(dictionary), policy(shredding_policy) {}

  const std::vector<LogicalType>& types;
  /// The attributes of a collection, whose only column holds document records; null for other tables.
  const AttributeDictionary* attributes;
  ShreddingPolicy policy;
};

}  // namespace scaup
