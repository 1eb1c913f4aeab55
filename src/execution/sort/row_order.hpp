// Row order: sorts rows by their sort keys.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/memory/large_vector.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/sort/sort_key.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// For rows in order, says whether each row shares its first keys with the previous row.
struct SharedKeys {
  static constexpr uint8_t kNone = 0, kFirst = 1, kAll = 2;
  size_t first_keys = 0;        ///< requested: this many first keys,
  size_t all_keys = 0;          ///< and this many, which include those
  LargeVector<uint8_t> of_row;  ///< by row; empty if keys were too long to tell
};

/// Returns the first `limit` rows of the collections in the order of their keys, as CollectionRows. Equal
/// rows retain their order, collection by collection. Large inputs are sorted by several threads. Checks for
/// interruption. Takes OrderBytes() for each row while it runs, besides the result. `shared_keys` requires
/// that `limit` covers all rows.
LargeVector<uint64_t> OrderRows(const SortSchema& schema,
                                std::span<const ColumnCollection* const> collections, size_t limit,
                                const FunctionContext& context, SharedKeys* shared_keys = nullptr);
/// Whether the rows of a collection are already sorted, as far as that is quick to find out. False also if
/// the first key is no number, has NULLs, or has many equal values.
bool AreInOrder(const SortSchema& schema, const ColumnCollection& rows, const FunctionContext& context);
/// The approximate bytes that sorting takes for each row.
size_t OrderBytes(const SortSchema& schema);

}  // namespace scaup
