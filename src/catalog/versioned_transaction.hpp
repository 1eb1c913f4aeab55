// A transaction with the version of the catalog that it sees.
#pragma once

#include <cstdint>
#include <memory>

namespace scaup {

class Catalog;
class Transaction;
class TransactionManager;

/// A transaction, and the version of the catalog that it sees, without its own changes. A plan that was bound
/// in a transaction fits another one of the same version.
struct VersionedTransaction {
  std::shared_ptr<Transaction> transaction;
  uint64_t catalog_version = 0;
};
/// Begins a transaction, whose version is exact even while others commit changes of the catalog.
VersionedTransaction BeginVersioned(const Catalog& catalog, TransactionManager& transactions);

}  // namespace scaup
