// Begins transactions between two changes of the catalog.
#include "catalog/versioned_transaction.hpp"

#include <utility>

#include "catalog/catalog.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

VersionedTransaction BeginVersioned(const Catalog& catalog, TransactionManager& transactions) {
  for (;;) {
    const uint64_t version = catalog.version();
    auto transaction = transactions.Begin();
    if (catalog.version() == version) return {std::move(transaction), version};
    // A change was committed in between, and the transaction may see it or not. A plan made in it would be
    // taken for one of the wrong version.
    transactions.Rollback(*transaction);
  }
}

}  // namespace scaup
