// Shredding in the background: row groups of a collection get the form that the policy demands.
#pragma once

#include <optional>

#include "storage/row_group/stored_segment.hpp"
#include "storage/table/table.hpp"

namespace scaup {

/// Returns how many row groups of a collection in a file are not stored as the policy demands.
size_t CountUnlike(const Table& table, const ShreddingPolicy& policy);
/// Rewrites one of them to free blocks and puts it in the place of the old one. Readers see the same rows
/// before, during and after this; commits wait only during the exchange. The next checkpoint makes it
/// durable. Returns false if there was none. Throws Error(kIo, kOutOfMemory), with nothing changed.
bool ShredNext(Table& table, TransactionManager& transactions, const ShreddingPolicy& policy,
               std::optional<Encoding> forced);

}  // namespace scaup
