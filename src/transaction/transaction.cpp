// Families of transactions: finding members, and the rule that one of them may change its database.
#include "transaction/transaction.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

size_t Transaction::undo_mark() const {
  const Transaction& first = root();
  size_t mark = first.undo_.size();
  for (const auto& branch : first.branches()) mark += branch->undo_.size();
  return mark;
}

Transaction& FamilyMember::Member(const TransactionManager* database) {
  auto& first = const_cast<Transaction&>(root());
  if (first.manager() == database) return first;
  for (const auto& branch : first.branches()) {
    if (branch->manager() == database) return *branch;
  }
  ThrowError(ErrorKind::kTransaction, sqlstate::kInvalidTransactionState,
             fmt::format("database \"{}\" was attached after this transaction began: COMMIT before using it",
                         database->database().name));
}

void FamilyMember::RequireNoOtherChanges() const {
  const auto require = [&](const Transaction& member) {
    if (&member == this || !member.has_changes()) return;
    ThrowError(ErrorKind::kTransaction, sqlstate::kInvalidTransactionState,
               fmt::format("cannot change database \"{}\" in a transaction that has changed \"{}\": a "
                           "transaction changes one database; COMMIT before",
                           manager_->database().name, member.manager()->database().name));
  };
  const Transaction& first = root();
  require(first);
  for (const auto& branch : first.branches()) require(*branch);
}

}  // namespace scaup
