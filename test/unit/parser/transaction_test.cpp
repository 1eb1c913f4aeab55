// Tests how transaction statements turn into syntax trees.
#include <catch2/catch.hpp>

#include "ast_text.hpp"

using namespace scaup;

namespace {

/// "action level access savepoint", with what is not given left out.
std::string Text(const std::string& sql) {
  const auto statement = ParseOne(sql);
  if (statement->kind != ast::StatementKind::kTransaction) return "another statement";
  const auto& transaction = statement->As<ast::TransactionStatement>();
  const char* actions[] = {"begin",       "commit",  "rollback", "savepoint",
                           "rollback to", "release", "set",      "set session"};
  const char* levels[] = {"read uncommitted", "read committed", "repeatable read", "serializable"};
  std::string text = actions[static_cast<size_t>(transaction.action)];
  if (transaction.isolation) text += std::string(" ") + levels[static_cast<size_t>(*transaction.isolation)];
  if (transaction.read_only) text += *transaction.read_only ? " read only" : " read write";
  if (!transaction.savepoint.empty()) text += " " + transaction.savepoint;
  return text;
}

}  // namespace

TEST_CASE("BEGIN and what ends it") {
  CHECK(Text("BEGIN") == "begin");
  CHECK(Text("BEGIN WORK") == "begin");
  CHECK(Text("START TRANSACTION") == "begin");
  CHECK(Text("COMMIT") == "commit");
  CHECK(Text("COMMIT AND NO CHAIN") == "commit");
  CHECK(Text("END") == "commit");
  CHECK(Text("ROLLBACK") == "rollback");
  CHECK(Text("ABORT") == "rollback");
}

TEST_CASE("modes of transactions") {
  CHECK(Text("BEGIN ISOLATION LEVEL SERIALIZABLE, READ ONLY") == "begin serializable read only");
  CHECK(Text("BEGIN ISOLATION LEVEL READ UNCOMMITTED") == "begin read uncommitted");
  CHECK(Text("START TRANSACTION READ WRITE ISOLATION LEVEL REPEATABLE READ") ==
        "begin repeatable read read write");
  CHECK(Text("BEGIN NOT DEFERRABLE") == "begin");
  CHECK(Text("BEGIN READ ONLY, READ WRITE") == "begin read write");
  CHECK(Text("SET TRANSACTION ISOLATION LEVEL READ COMMITTED") == "set read committed");
  CHECK(Text("SET LOCAL TRANSACTION READ ONLY") == "set read only");
  CHECK(Text("SET SESSION CHARACTERISTICS AS TRANSACTION ISOLATION LEVEL SERIALIZABLE") ==
        "set session serializable");
}

TEST_CASE("savepoints") {
  CHECK(Text("SAVEPOINT a") == "savepoint a");
  CHECK(Text("SAVEPOINT \"A b\"") == "savepoint A b");
  CHECK(Text("ROLLBACK TO a") == "rollback to a");
  CHECK(Text("ROLLBACK TRANSACTION TO SAVEPOINT a") == "rollback to a");
  CHECK(Text("RELEASE a") == "release a");
  CHECK(Text("RELEASE SAVEPOINT a") == "release a");
}
