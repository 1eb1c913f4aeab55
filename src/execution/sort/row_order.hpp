// Orders rows by their sort keys.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "common/memory/large_vector.hpp"
#include "execution/rows/column_collection.hpp"
#include "execution/sort/sort_key.hpp"
#include "function/function_context.hpp"

namespace scaup {

/// Which rows in order share keys with the one before them.
struct SharedKeys {
  static constexpr uint8_t kNone = 0, kFirst = 1, kAll = 2;
  size_t first_keys = 0;        ///< asked for: so many of the first keys,
  size_t all_keys = 0;          ///< and so many, those among them
  LargeVector<uint8_t> of_row;  ///< what a row shares; empty where keys were too long to tell
};

/// The first `limit` rows of the collections in the order of their keys, as CollectionRows; equal rows stand
/// as they came, collection by collection. Several threads work at many rows. Looks for interruptions.
/// Takes OrderBytes() for each row while it runs, besides the result. `shared_keys` is asked for where all
/// rows are.
LargeVector<uint64_t> OrderRows(const SortSchema& schema,
                                std::span<const ColumnCollection* const> collections, size_t limit,
                                const FunctionContext& context, SharedKeys* shared_keys = nullptr);
/// Whether the rows of a collection stand in the order of their keys already, as far as that is quick to
/// tell: false also where the first key is no number, has NULLs, or has many equal values.
bool AreInOrder(const SortSchema& schema, const ColumnCollection& rows, const FunctionContext& context);
/// The bytes that ordering one row takes; seldom more.
size_t OrderBytes(const SortSchema& schema);

}  // namespace scaup
