// The SQL text of tables and schemas: quoting, types, constraints.
#include "catalog/create_statement.hpp"
#include "type/text/quoted_text.hpp"

#include <catch2/catch.hpp>

namespace scaup {

TEST_CASE("names and text are quoted whatever they hold", "[catalog]") {
  CHECK(QuotedIdentifier("a") == "\"a\"");
  CHECK(QuotedIdentifier("select \"x\".y") == "\"select \"\"x\"\".y\"");
  CHECK(QuotedText("it's a \\ \"path\"") == "'it''s a \\ \"path\"'");
}

TEST_CASE("the statement of a table has its types, NOT NULL and defaults", "[catalog]") {
  const TableEntry table("my schema", "t",
                         {{"a", TypeId::kInteger, true, "1 + f(2, 3)"},
                          {"B b", LogicalType::Decimal(38, 10)},
                          {"c", TypeId::kHugeInt, false, "'x'"},
                          {"d", TypeId::kDouble, true}},
                         nullptr);
  CHECK(CreateStatementOf(table) ==
        "CREATE TABLE \"my schema\".\"t\" (\n"
        "  \"a\" INTEGER NOT NULL DEFAULT 1 + f(2, 3),\n"
        "  \"B b\" DECIMAL(38,10),\n"
        "  \"c\" HUGEINT DEFAULT 'x',\n"
        "  \"d\" DOUBLE NOT NULL\n"
        ");\n");
  CHECK(CreateStatementOf(SchemaEntry("my schema")) == "CREATE SCHEMA IF NOT EXISTS \"my schema\";\n");
}

TEST_CASE("the statement of an enum has its labels in order", "[catalog]") {
  const TypeEntry type("my schema", "Mood",
                       LogicalType::Enum("\"my schema\".\"Mood\"", {"so-so", "it's ok", ""}));
  CHECK(CreateStatementOf(type) == "CREATE TYPE \"my schema\".\"Mood\" AS ENUM ('so-so', 'it''s ok', '');\n");
  CHECK(CreateStatementOf(TypeEntry("main", "none", LogicalType::Enum("none", {}))) ==
        "CREATE TYPE \"main\".\"none\" AS ENUM ();\n");
}

}  // namespace scaup
