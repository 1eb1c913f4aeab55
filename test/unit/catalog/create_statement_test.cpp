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

TEST_CASE("the statements of triggers have all that they were made with", "[catalog]") {
  TableEntry table("main", "t", {{"a", TypeId::kInteger}}, nullptr);
  TriggerDefinition row{"B b", TriggerTiming::kBefore, kOnUpdate | kOnInsert, {"a"}, true};
  row.condition = "new.a > 1";
  row.function_schema = "my schema";
  row.function = "f";
  row.arguments = {"it's", "2"};
  row.mode = TriggerMode::kDisabled;
  row.comment = "x";
  TriggerDefinition statement{"c", TriggerTiming::kAfter, kOnDelete, {}, false, "gone"};
  statement.function_schema = "main";
  statement.function = "g";
  table.constraints.triggers = {row, statement};
  CHECK(TriggerStatementsOf(table) ==
        "CREATE TRIGGER \"B b\" BEFORE INSERT OR UPDATE OF \"a\" ON \"main\".\"t\" FOR EACH ROW WHEN (new.a "
        "> 1) "
        "EXECUTE FUNCTION \"my schema\".\"f\"('it''s', '2');\n"
        "ALTER TABLE \"main\".\"t\" DISABLE TRIGGER \"B b\";\n"
        "COMMENT ON TRIGGER \"B b\" ON \"main\".\"t\" IS 'x';\n"
        "CREATE TRIGGER \"c\" AFTER DELETE ON \"main\".\"t\" REFERENCING OLD TABLE AS \"gone\" FOR EACH "
        "STATEMENT EXECUTE FUNCTION \"main\".\"g\"();\n");
  CHECK(!row.FiresFor(kOnInsert, table, {}));
  row.mode = TriggerMode::kAlways;
  CHECK(row.FiresFor(kOnInsert, table, {}));
  CHECK(!row.FiresFor(kOnDelete, table, {}));
  CHECK(!row.FiresFor(kOnUpdate, table, {}));
  CHECK(row.FiresFor(kOnUpdate, table, {0}));
}

TEST_CASE("the statement of an enum has its labels in order", "[catalog]") {
  const TypeEntry type("my schema", "Mood",
                       LogicalType::Enum("\"my schema\".\"Mood\"", {"so-so", "it's ok", ""}));
  CHECK(CreateStatementOf(type) == "CREATE TYPE \"my schema\".\"Mood\" AS ENUM ('so-so', 'it''s ok', '');\n");
  CHECK(CreateStatementOf(TypeEntry("main", "none", LogicalType::Enum("none", {}))) ==
        "CREATE TYPE \"main\".\"none\" AS ENUM ();\n");
}

TEST_CASE("the statement of a domain has its rules", "[catalog]") {
  DomainEntry domain("main", "Even", TypeId::kInteger);
  domain.default_text = "2";
  domain.not_null = true;
  domain.checks = {{"is even", "VALUE % 2 = 0"}, {"Even_check", "VALUE > 0"}};
  CHECK(CreateStatementOf(domain) ==
        "CREATE DOMAIN \"main\".\"Even\" AS INTEGER DEFAULT 2 NOT NULL CONSTRAINT \"is even\" CHECK (VALUE % "
        "2 = 0) "
        "CONSTRAINT \"Even_check\" CHECK (VALUE > 0);\n");
  DomainEntry other("s", "d", TypeId::kInteger);
  other.base = {"main", "Even"};
  CHECK(CreateStatementOf(other) == "CREATE DOMAIN \"s\".\"d\" AS \"main\".\"Even\";\n");
  ColumnDefinition column{"a", TypeId::kInteger};
  column.domain = {"s", "d"};
  CHECK(CreateStatementOf(TableEntry("main", "t", {column}, nullptr)) ==
        "CREATE TABLE \"main\".\"t\" (\n  \"a\" \"s\".\"d\"\n);\n");
}

TEST_CASE("statements have the collations of columns, and indexes those that are not their columns'",
          "[catalog]") {
  ColumnDefinition name{"name", TypeId::kVarchar, true, "'x'"}, plain{"select", TypeId::kVarchar};
  name.collation = "nocase";
  plain.collation = "C";
  ColumnDefinition own{"(collation_key(name))", TypeId::kVarchar}, other = own;
  own.key_text = CollationKeyText("name");
  other.name = "other";
  other.key_text = CollationKeyText("\"select\" COLLATE nocase.noaccent");
  const TableEntry table("main", "t", {name, plain, own, other}, nullptr);
  CHECK(CreateStatementOf(table) ==
        "CREATE TABLE \"main\".\"t\" (\n  \"name\" VARCHAR COLLATE nocase NOT NULL DEFAULT 'x',\n"
        "  \"select\" VARCHAR COLLATE \"C\"\n);\n");
  const auto text_of = [&](std::vector<std::string> columns) {
    const std::string text = CreateStatementOf(
        IndexEntry("main", "i", "t", std::move(columns), IndexKind::kOrdered, false), table);
    return text.substr(text.find('('));
  };
  CHECK(text_of({own.name}) == "(\"name\");\n");
  CHECK(text_of({"name", "select"}) == "(\"name\" COLLATE \"C\", \"select\");\n");
  CHECK(text_of({other.name}) == "(\"select\" COLLATE nocase.noaccent);\n");
  CHECK(table.KeyColumns({"select", "name"}) == std::vector<std::string>{"select", own.name});
  DomainEntry domain("main", "word", TypeId::kVarchar);
  domain.collation = "de_DE.utf8.nocase";
  CHECK(CreateStatementOf(domain) ==
        "CREATE DOMAIN \"main\".\"word\" AS VARCHAR COLLATE \"de_DE.utf8\".nocase;\n");
}

TEST_CASE("the statement of an index has its expressions and its condition", "[catalog]") {
  ColumnDefinition lower{"(lower(a))", TypeId::kVarchar}, partial{"(b) WHERE a > 'x'", TypeId::kInteger};
  lower.key_text = "lower(a)";
  partial.key_text = "b";
  partial.condition_text = "a > 'x'";
  const TableEntry table("main", "t", {{"a", TypeId::kVarchar}, {"b", TypeId::kInteger}, lower, partial},
                         nullptr);
  CHECK(CreateStatementOf(IndexEntry("main", "i", "t", {lower.name, "b"}, IndexKind::kUnique, false),
                          table) == "CREATE UNIQUE INDEX \"i\" ON \"main\".\"t\" ((lower(a)), \"b\");\n");
  CHECK(CreateStatementOf(IndexEntry("main", "i", "t", {partial.name}, IndexKind::kOrdered, false), table) ==
        "CREATE INDEX \"i\" ON \"main\".\"t\" (\"b\") WHERE a > 'x';\n");
  CHECK(CreateStatementOf(table) == "CREATE TABLE \"main\".\"t\" (\n  \"a\" VARCHAR,\n  \"b\" INTEGER\n);\n");
}

}  // namespace scaup
