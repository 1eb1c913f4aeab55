// TransactionScope: PostgreSQL's rules for transactions of messages, over those of a session.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "scaup/connection.hpp"
#include "scaup/statement_info.hpp"

namespace scaup::server {

/// Makes the statements of one Query message, or those between two Sync messages, one transaction unless they
/// say otherwise. Borrows the connection and the output. Used by one thread.
class TransactionScope {
 public:
  TransactionScope(Connection& connection, std::string& out) : connection_(connection), out_(out) {}

  /// Called before a statement runs. Opens a transaction for several statements unless it is `alone`. Throws
  /// what BEGIN throws.
  void Before(const StatementInfo& info, bool alone);
  /// Executes BEGIN, COMMIT or ROLLBACK. Returns the tag of its CommandComplete message.
  std::string Run(const StatementInfo& info, std::string_view sql);
  /// Commits what Before has opened. Throws what COMMIT throws.
  void Finish();
  /// Called after an error: rolls back what Before has opened, and marks a block as failed.
  void Fail() noexcept;
  /// Returns whether Before has opened a transaction that is still open.
  bool is_implicit() const { return is_implicit_; }
  /// Returns the letter of ReadyForQuery.
  char status_letter() const;

 private:
  /// Executes a statement about transactions, which is parsed when its text comes for the first time.
  void Execute(std::string_view sql);

  Connection& connection_;
  std::string& out_;
  bool is_implicit_ = false;
  std::map<std::string, PreparedStatement, std::less<>> known_;
};

}  // namespace scaup::server
