// Listings: table functions whose rows are made as a whole when the statement runs, and output in parts.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <vector>

#include "function/table_function.hpp"

namespace scaup {

using ListingRows = std::vector<std::vector<Value>>;

/// A bound listing. Binding only determines the columns; the rows are made when the statement runs, so that a
/// prepared statement does not show outdated rows.
struct BoundListing : BoundTableFunction {
  ListingRows (*make_rows)(const FunctionContext& context, const BoundListing& bound) = nullptr;
  std::string database;  ///< that is listed; "" for the one in use

  void AddColumns(TypeId type, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      column_names.push_back(name);
      column_types.push_back(type);
    }
  }
};

/// Returns a VARCHAR: NULL for an empty text, or, where a text may be missing, for a missing one.
Value TextOrNull(const std::string& text);
Value TextOrNull(const std::optional<std::string>& text);

/// Makes a table function whose `bind` returns a BoundListing.
TableFunction MakeListing(const char* name, const char* description, const char* example,
                          std::vector<LogicalType> argument_types,
                          std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext&,
                                                                      const TableFunctionArguments&));

}  // namespace scaup
