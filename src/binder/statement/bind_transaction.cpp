// Binds BEGIN, COMMIT, ROLLBACK, savepoints, and SET TRANSACTION.
#include "binder/scope/bind_statement.hpp"

namespace scaup {

namespace {

using From = ast::TransactionStatement::Action;
using To = BoundTransaction::Action;

To ActionOf(From action) {
  switch (action) {
    case From::kBegin: return To::kBegin;
    case From::kCommit: return To::kCommit;
    case From::kRollback: return To::kRollback;
    case From::kSavepoint: return To::kSavepoint;
    case From::kRollbackTo: return To::kRollbackTo;
    case From::kRelease: return To::kRelease;
    case From::kSetTransaction: return To::kSetTransaction;
    case From::kSetSessionDefault: return To::kSetSessionDefault;
  }
  return To::kBegin;
}

}  // namespace

BoundStatementPtr BindTransaction(const ast::TransactionStatement& statement) {
  auto transaction = std::make_unique<BoundTransaction>();
  transaction->action = ActionOf(statement.action);
  transaction->isolation = statement.isolation;
  transaction->read_only = statement.read_only;
  transaction->savepoint = statement.savepoint;
  return transaction;
}

}  // namespace scaup
