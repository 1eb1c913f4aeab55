// BEGIN, COMMIT, ROLLBACK, SAVEPOINT and RELEASE.
#include "statement.hpp"

namespace scaup::sqlite {

namespace {

class TransactionControl final : public StatementBody {
 public:
  explicit TransactionControl(sqlite3_stmt& statement) : statement_(statement), db_(statement.db) {}

  void Prepare() override {
    const Tokens& tokens = statement_.tokens;
    size_t at = 1;
    const auto skip = [&](std::string_view word) {
      if (IsAt(tokens, at, tokens.size(), word)) at++;
    };
    const Token& first = tokens[0];
    if (first.Is("BEGIN")) {
      writes_ = IsAt(tokens, at, tokens.size(), "IMMEDIATE") || IsAt(tokens, at, tokens.size(), "EXCLUSIVE");
      if (writes_) at++;
      skip("DEFERRED");
    }
    const bool is_named = first.Is("SAVEPOINT") || first.Is("RELEASE");
    if (!is_named) skip("TRANSACTION");
    has_target_ = first.Is("ROLLBACK") && IsAt(tokens, at, tokens.size(), "TO");
    if (has_target_) at++;
    if (has_target_ || first.Is("RELEASE")) skip("SAVEPOINT");
    if (is_named || has_target_) {
      if (at >= tokens.size() || !tokens[at].IsName()) ThrowSyntaxError(tokens, at);
      name_ = tokens[at++].Name();
    }
    if (at < tokens.size()) ThrowSyntaxError(tokens, at);
    const std::string action = first.Is("SAVEPOINT") ? "BEGIN"
                               : has_target_         ? "ROLLBACK"
                               : is_named            ? "RELEASE"
                                                     : ToUpper(first.text);
    if (is_named || has_target_) {
      db_.Authorize(SQLITE_SAVEPOINT, action, name_);
    } else {
      db_.Authorize(SQLITE_TRANSACTION, action == "END" ? "COMMIT" : action, "");
    }
  }

  void Execute() override {
    const Token& first = statement_.tokens[0];
    Transaction& transaction = db_.transaction;
    if (first.Is("BEGIN")) {
      transaction.Begin(writes_ && !db_.is_read_only);
    } else if (first.Is("COMMIT") || first.Is("END")) {
      transaction.Commit();
    } else if (first.Is("SAVEPOINT")) {
      transaction.Savepoint(name_);
    } else if (first.Is("RELEASE")) {
      transaction.Release(name_);
    } else if (has_target_) {
      transaction.RollbackTo(name_);
    } else {
      transaction.Rollback();
    }
  }

  bool is_readonly() const override { return true; }

 private:
  sqlite3_stmt& statement_;
  sqlite3& db_;
  bool writes_ = false;
  bool has_target_ = false;
  std::string name_;
};

}  // namespace

std::unique_ptr<StatementBody> MakeTransactionControl(sqlite3_stmt& statement) {
  return std::make_unique<TransactionControl>(statement);
}

}  // namespace scaup::sqlite
