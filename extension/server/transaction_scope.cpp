// Implicit transactions, and warnings where PostgreSQL warns but the engine refuses.
#include "transaction_scope.hpp"

#include "report.hpp"

namespace scaup::server {

namespace {

using Kind = StatementInfo::Kind;

constexpr char kNoTransaction[] = "there is no transaction in progress";

}  // namespace

void TransactionScope::Execute(std::string_view sql) {
  auto known = known_.find(sql);
  if (known == known_.end()) {
    constexpr size_t kMostKnown = 8;
    if (known_.size() == kMostKnown) known_.clear();
    known = known_.emplace(sql, connection_.Prepare(sql)).first;
  }
  known->second.Execute();
}

void TransactionScope::Before(const StatementInfo& info, bool alone) {
  if (alone || is_implicit_) return;
  if (info.kind == Kind::kBegin || info.kind == Kind::kCommit || info.kind == Kind::kRollback) return;
  if (connection_.transaction_status() != TransactionStatus::kIdle) return;
  Execute("BEGIN");
  is_implicit_ = true;
}

std::string TransactionScope::Run(const StatementInfo& info, std::string_view sql) {
  const TransactionStatus status = connection_.transaction_status();
  if (info.kind == Kind::kBegin) {
    if (status == TransactionStatus::kFailed) {
      throw Error(ErrorKind::kTransaction, "25P02",
                  "the transaction is aborted, as a statement in it failed: end it with ROLLBACK");
    }
    if (is_implicit_) {
      // The statements that have run before belong to the block from now on.
      is_implicit_ = false;
    } else if (status == TransactionStatus::kOpen) {
      AppendWarning("25001", "there is already a transaction in progress", out_);
    } else {
      Execute(sql);
    }
    return info.command;
  }
  if (status == TransactionStatus::kIdle || is_implicit_) AppendWarning("25P01", kNoTransaction, out_);
  is_implicit_ = false;
  if (status != TransactionStatus::kIdle) Execute(sql);
  return status == TransactionStatus::kFailed ? "ROLLBACK" : info.command;
}

void TransactionScope::Finish() {
  if (!is_implicit_) return;
  is_implicit_ = false;
  Execute("COMMIT");
}

void TransactionScope::Fail() noexcept {
  try {
    if (is_implicit_) {
      is_implicit_ = false;
      Execute("ROLLBACK");
    } else if (connection_.transaction_status() == TransactionStatus::kOpen) {
      // The engine knows of the errors of its statements only. An error of the server's own, such as an
      // unknown name of a statement, must fail the block, too: this text does.
      connection_.Query("an error of the client");
    }
  } catch (const Error&) {
    // ROLLBACK fails only if the transaction has ended already.
  }
}

char TransactionScope::status_letter() const {
  switch (connection_.transaction_status()) {
    case TransactionStatus::kIdle: return 'I';
    case TransactionStatus::kOpen: return 'T';
    case TransactionStatus::kFailed: return 'E';
  }
  return 'I';
}

}  // namespace scaup::server
