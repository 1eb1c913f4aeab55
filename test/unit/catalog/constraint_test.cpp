// Constraints, indexes and sequences in the catalog: names, dependencies, replacement, bytes.
#include <catch2/catch.hpp>

#include "catalog/catalog.hpp"
#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "catalog/table_definition.hpp"
#include "scaup/error.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup {

namespace {

struct Fixture {
  TransactionManager transactions;
  Catalog catalog{transactions};
  std::shared_ptr<Transaction> t = transactions.Begin();

  TableEntryRef Make(const std::string& name, TableConstraints constraints = {},
                     std::vector<ColumnDefinition> columns = {{"a", TypeId::kInteger},
                                                              {"b", TypeId::kVarchar}}) {
    return std::make_shared<const TableEntry>("main", name, std::move(columns), nullptr,
                                              std::move(constraints));
  }
  /// parent(a primary key), child(a refers to parent)
  void MakeFamily() {
    CreateTable(catalog, *t, Make("parent", {{}, {{"parent_pkey", {"a"}, true}}, {}}));
    CreateTable(catalog, *t, Make("child", {{}, {}, {{"child_a_fkey", {"a"}, "main", "parent", {"a"}}}}));
  }
  SequenceEntryRef Sequence(const std::string& name, const std::string& table = "",
                            const std::string& column = "") {
    auto sequence = std::make_shared<SequenceEntry>(
        "main", name, SequenceOptions(), std::make_shared<SequenceState>(SequenceState::Position{1, false}));
    sequence->owner_table = table;
    sequence->owner_column = column;
    return sequence;
  }
  TableEntryRef Table(const std::string& name) { return catalog.Find<TableEntry>(*t, "main", name); }
  template <typename F>
  std::string SqlstateOf(F&& change) {
    try {
      change();
    } catch (const Error& error) {
      return error.sqlstate();
    }
    return "";
  }
};

}  // namespace

TEST_CASE("tables, indexes and sequences share one name space", "[catalog]") {
  Fixture f;
  f.MakeFamily();
  CHECK(f.SqlstateOf([&] { CreateTable(f.catalog, *f.t, f.Make("parent_pkey")); }) == "42P07");
  CHECK(f.SqlstateOf([&] { CreateSequence(f.catalog, *f.t, f.Sequence("child")); }) == "42P07");
  CHECK_FALSE(f.catalog.Find<TableEntry>(*f.t, "", "parent_pkey"));
  const IndexEntryRef index = f.catalog.Find<IndexEntry>(*f.t, "", "parent_pkey");
  REQUIRE(index);
  CHECK(index->is_unique());
  CHECK(index->is_of_constraint);
  CHECK(index->table == "parent");
  CHECK(f.catalog.FindRelation(*f.t, "main", "child")->kind == CatalogEntryKind::kTable);
}

TEST_CASE("a table that others refer to is dropped with CASCADE only", "[catalog]") {
  Fixture f;
  f.MakeFamily();
  CHECK(f.SqlstateOf([&] { DropTable(f.catalog, *f.t, "main", "parent"); }) == "2BP01");
  CHECK(ReferencesTo(f.catalog, *f.t, *f.Table("parent")).size() == 1);
  DropTable(f.catalog, *f.t, "main", "parent", true);
  CHECK_FALSE(f.Table("parent"));
  CHECK_FALSE(f.catalog.Find<IndexEntry>(*f.t, "", "parent_pkey"));
  CHECK(f.Table("child")->constraints.foreign_keys.empty());
}

TEST_CASE("tables that refer to one another can be dropped together", "[catalog]") {
  Fixture f;
  f.MakeFamily();
  DropTables(f.catalog, *f.t, {f.Table("parent"), f.Table("child")}, false);
  CHECK_FALSE(f.Table("parent"));
  CHECK_FALSE(f.Table("child"));
}

TEST_CASE("a new foreign key and dropping what it refers to conflict", "[catalog]") {
  Fixture f;
  CreateTable(f.catalog, *f.t, f.Make("parent", {{}, {{"parent_pkey", {"a"}, true}}, {}}));
  f.transactions.Commit(*f.t);
  const auto dropping = f.transactions.Begin();
  f.t = f.transactions.Begin();
  CreateTable(f.catalog, *f.t, f.Make("child", {{}, {}, {{"child_a_fkey", {"a"}, "main", "parent", {"a"}}}}));
  CHECK(f.SqlstateOf([&] { DropTable(f.catalog, *dropping, "main", "parent"); }) == "40001");
  f.transactions.Rollback(*dropping);
}

TEST_CASE("what depends on a table follows when it is renamed", "[catalog]") {
  Fixture f;
  f.MakeFamily();
  CreateIndex(f.catalog, *f.t,
              std::make_shared<const IndexEntry>("main", "i", "parent", std::vector<std::string>{"b"},
                                                 IndexKind::kOrdered, false));
  CreateSequence(f.catalog, *f.t, f.Sequence("q", "parent", "a"));
  auto renamed = f.Make("elder", {{}, {{"parent_pkey", {"x"}, true}}, {}},
                        {{"x", TypeId::kInteger}, {"b", TypeId::kVarchar}});
  ReplaceTable(f.catalog, *f.t, {f.Table("parent"), renamed, {{"a", "x"}}, false});
  CHECK_FALSE(f.Table("parent"));
  CHECK(f.catalog.Find<IndexEntry>(*f.t, "", "i")->table == "elder");
  CHECK(f.catalog.Find<IndexEntry>(*f.t, "", "parent_pkey")->columns == std::vector<std::string>{"x"});
  CHECK(f.catalog.Find<SequenceEntry>(*f.t, "", "q")->owner_table == "elder");
  CHECK(f.catalog.Find<SequenceEntry>(*f.t, "", "q")->owner_column == "x");
  const ForeignKey& key = f.Table("child")->constraints.foreign_keys.at(0);
  CHECK(key.referenced_table == "elder");
  CHECK(key.referenced_columns == std::vector<std::string>{"x"});
}

TEST_CASE("what depends on a column or key goes with it", "[catalog]") {
  Fixture f;
  f.MakeFamily();
  CreateIndex(f.catalog, *f.t,
              std::make_shared<const IndexEntry>("main", "i", "parent", std::vector<std::string>{"a", "b"},
                                                 IndexKind::kOrdered, false));
  CreateSequence(f.catalog, *f.t, f.Sequence("q", "parent", "a"));
  const auto narrow = f.Make("parent", {}, {{"b", TypeId::kVarchar}});
  CHECK(f.SqlstateOf([&] {
    ReplaceTable(f.catalog, *f.t, {f.Table("parent"), narrow, {}, false});
  }) == "2BP01");
  ReplaceTable(f.catalog, *f.t, {f.Table("parent"), narrow, {}, true});
  CHECK_FALSE(f.catalog.Find<IndexEntry>(*f.t, "", "i"));
  CHECK_FALSE(f.catalog.Find<IndexEntry>(*f.t, "", "parent_pkey"));
  CHECK_FALSE(f.catalog.Find<SequenceEntry>(*f.t, "", "q"));
  CHECK(f.Table("child")->constraints.foreign_keys.empty());
}

TEST_CASE("indexes and sequences that others need are not dropped", "[catalog]") {
  Fixture f;
  f.MakeFamily();
  CreateSequence(f.catalog, *f.t, f.Sequence("q", "parent", "a"));
  CHECK(f.SqlstateOf([&] { DropIndex(f.catalog, *f.t, "main", "parent_pkey"); }) == "2BP01");
  CHECK(f.SqlstateOf([&] { DropIndex(f.catalog, *f.t, "main", "parent"); }) == "42P01");
  DropSequence(f.catalog, *f.t, "main", "q");
  CHECK(f.SqlstateOf([&] { DropSequence(f.catalog, *f.t, "main", "q"); }) == "42P01");
}

TEST_CASE("sequences count within their bounds", "[catalog]") {
  SequenceOptions options;
  options.minimum = 1;
  options.maximum = 3;
  SequenceState state({2, false});
  CHECK(state.Next(options) == 2);
  CHECK(state.Next(options) == 3);
  CHECK_THROWS_AS(state.Next(options), Error);
  options.cycle = true;
  CHECK(state.Next(options) == 1);
  options.increment = -2;
  options.minimum = std::numeric_limits<int64_t>::min();
  state.Set({std::numeric_limits<int64_t>::min() + 1, true});
  CHECK(state.Next(options) == 3);
}

TEST_CASE("definitions go to bytes and back", "[catalog]") {
  Fixture f;
  TableConstraints constraints{
      {{"c", "a > 1"}},
      {{"k", {"a", "b"}, true}, {"u", {"b"}, false}},
      {{"f", {"a"}, "s", "other", {"x"}, ReferentialAction::kCascade, ReferentialAction::kSetDefault}}};
  TriggerDefinition trigger{"x", TriggerTiming::kAfter, kOnUpdate | kOnDelete, {"a", "b"}, true};
  trigger.condition = "old.a > 1";
  trigger.function_schema = "main";
  trigger.function = "g";
  trigger.arguments = {"it's", ""};
  trigger.mode = TriggerMode::kDisabled;
  trigger.comment = "a comment";
  constraints.triggers = {trigger, {"y", TriggerTiming::kAfter, kOnInsert, {}, false, "", "added"}};
  std::vector<ColumnDefinition> columns = {{"a", TypeId::kInteger, true, "1"}, {"b", TypeId::kVarchar}};
  columns[1].generated_text = "a + 1";
  columns[1].collation = "C";
  columns[0].identity = IdentityKind::kByDefault;
  const auto table = f.Make("t", constraints, columns);
  auto sequence = std::make_shared<SequenceEntry>(*f.Sequence("q", "t", "a"));
  sequence->options = {SequenceOptions::Type::kSmallInt, 5, -2, -100, 100, true, 7};
  sequence->state->Set({-7, true});
  const IndexEntry index("main", "i", "t", {"a", "b"}, IndexKind::kUnique, false);
  ByteWriter writer;
  WriteTableDefinition(DefinitionOf(*table), writer);
  WriteSequenceDefinition(*sequence, writer);
  WriteIndexDefinition(index, writer);
  ByteReader reader(writer.bytes(), "memory");
  const TableDefinition read = ReadTableDefinition(reader);
  const TableEntry entry(read.schema, read.name, read.columns, nullptr, read.constraints);
  CHECK(CreateStatementOf(entry) == CreateStatementOf(*table));
  CHECK(read.columns[0].default_text == "1");
  CHECK(read.constraints.triggers == constraints.triggers);
  CHECK(read.columns[1].collation == "C");
  CHECK(read.constraints.foreign_keys.at(0).on_update == ReferentialAction::kSetDefault);
  const SequenceEntryRef read_sequence = ReadSequenceDefinition(reader);
  CHECK(read_sequence->options == sequence->options);
  CHECK(read_sequence->state->position() == SequenceState::Position{-7, true});
  CHECK(read_sequence->owner_column == "a");
  const IndexEntryRef read_index = ReadIndexDefinition(reader);
  CHECK(read_index->columns == index.columns);
  CHECK(read_index->is_unique());
  CHECK(reader.remaining() == 0);
}

TEST_CASE("statements have constraints, indexes and sequences", "[catalog]") {
  Fixture f;
  std::vector<ColumnDefinition> columns = {
      {"a", TypeId::kInteger, true}, {"b", TypeId::kInteger}, {"c", TypeId::kBigInt, true, "nextval('q')"}};
  columns[1].generated_text = "a * 2";
  columns[2].identity = IdentityKind::kAlways;
  const auto table =
      f.Make("t",
             {{{"ck", "a > 1"}},
              {{"t_pkey", {"a"}, true}, {"u", {"a", "b"}, false}},
              {{"fk", {"b"}, "main", "o", {"x"}, ReferentialAction::kSetNull, ReferentialAction::kNoAction}}},
             columns);
  const std::string head =
      "CREATE TABLE \"main\".\"t\" (\n"
      "  \"a\" INTEGER NOT NULL,\n"
      "  \"b\" INTEGER GENERATED ALWAYS AS (a * 2) STORED,\n"
      "  \"c\" BIGINT NOT NULL GENERATED ALWAYS AS IDENTITY (SEQUENCE NAME q),\n"
      "  CONSTRAINT \"t_pkey\" PRIMARY KEY (\"a\"),\n"
      "  CONSTRAINT \"u\" UNIQUE (\"a\", \"b\"),\n"
      "  CONSTRAINT \"ck\" CHECK (a > 1)";
  const std::string key =
      "CONSTRAINT \"fk\" FOREIGN KEY (\"b\") REFERENCES \"main\".\"o\" (\"x\") ON DELETE SET NULL";
  CHECK(CreateStatementOf(*table) == head + ",\n  " + key + "\n);\n");
  CHECK(CreateStatementOf(*table, ForeignKeyText::kApart) == head + "\n);\n");
  CHECK(ForeignKeyStatementsOf(*table) == "ALTER TABLE \"main\".\"t\" ADD " + key + ";\n");
  CHECK(CreateStatementOf(IndexEntry("main", "i", "t", {"a", "b"}, IndexKind::kUnique, false), *table) ==
        "CREATE UNIQUE INDEX \"i\" ON \"main\".\"t\" (\"a\", \"b\");\n");
  CHECK(CreateStatementOf(IndexEntry("main", "i", "t", {"a"}, IndexKind::kText, false), *table) ==
        "CREATE INDEX \"i\" ON \"main\".\"t\" USING text (\"a\");\n");
  CHECK(CreateStatementOf(IndexEntry("main", "i", "t", {"*"}, IndexKind::kText, false), *table) ==
        "CREATE INDEX \"i\" ON \"main\".\"t\" USING text (*);\n");
  CHECK(
      CreateStatementOf(*f.Sequence("q")) ==
      "CREATE SEQUENCE \"main\".\"q\" AS BIGINT INCREMENT BY 1 MINVALUE 1 MAXVALUE 9223372036854775807 START "
      "WITH 1 CACHE 1 NO CYCLE;\n");
  CHECK(GeneratedName("t", {"a", "b"}, "key") == "t_a_b_key");
  CHECK(GeneratedName("t", {}, "pkey") == "t_pkey");
}

}  // namespace scaup
