// What table functions that list things share: rows made whole when the statement runs, handed out in parts.
#pragma once

#include <initializer_list>
#include <vector>

#include "function/table_function.hpp"

namespace scaup {

using ListingRows = std::vector<std::vector<Value>>;

/// Binding only says which columns there are; the rows are made when the statement runs, so that a prepared
/// one does not show what was.
struct BoundListing : BoundTableFunction {
  ListingRows (*make_rows)(const FunctionContext& context, const BoundListing& bound) = nullptr;

  void AddColumns(TypeId type, std::initializer_list<const char*> names) {
    for (const char* name : names) {
      column_names.push_back(name);
      column_types.push_back(type);
    }
  }
};

/// A table function whose `bind` makes a BoundListing.
TableFunction MakeListing(const char* name, const char* description, const char* example,
                          std::vector<LogicalType> argument_types,
                          std::unique_ptr<BoundTableFunction> (*bind)(const FunctionContext&,
                                                                      const TableFunctionArguments&));

}  // namespace scaup
