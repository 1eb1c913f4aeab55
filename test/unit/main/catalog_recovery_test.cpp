// Constraints, indexes, sequences and enums come back from the log and from a checkpoint.
#include <catch2/catch.hpp>

#include <algorithm>

#include "catalog/catalog_changes.hpp"
#include "catalog/catalog_dependencies.hpp"
#include "catalog/create_statement.hpp"
#include "main/database/database_instance.hpp"
#include "simulation/simulated_file_system.hpp"

namespace scaup::test {

namespace {

std::shared_ptr<DatabaseInstance> Open(SimulatedFileSystem& files) {
  return std::make_shared<DatabaseInstance>("x.scaup", Config{{"threads", "2"}}, files.Share());
}

template <typename F>
void Change(DatabaseInstance& database, F&& change) {
  const auto transaction = database.transactions().Begin();
  change(*transaction, database.catalog());
  database.transactions().Commit(*transaction);
}

TableEntryRef MakeTable(DatabaseInstance& database, const std::string& name, TableConstraints constraints) {
  std::vector<ColumnDefinition> columns = {{"a", TypeId::kInteger, true}, {"b", TypeId::kInteger}};
  columns[1].generated_text = "a + 1";
  auto storage =
      database.catalog().MakeTable("main", {TypeId::kInteger, TypeId::kInteger}, database.memory());
  return std::make_shared<const TableEntry>("main", name, columns, std::move(storage),
                                            std::move(constraints));
}

/// All that the catalog has, as SQL, with where the sequences stand.
std::string Everything(DatabaseInstance& database) {
  const auto transaction = database.transactions().Begin();
  Catalog& catalog = database.catalog();
  std::string text;
  for (const auto& schema : catalog.Schemas(*transaction)) {
    text += CommentStatementsOf(*schema);
    for (const auto& table : catalog.List<TableEntry>(*transaction, *schema))
      text += CreateStatementOf(*table) + CommentStatementsOf(*table);
    for (const auto& index : catalog.List<IndexEntry>(*transaction, *schema))
      text +=
          CreateStatementOf(*index, *catalog.Find<TableEntry>(*transaction, index->schema, index->table)) +
          CommentStatementsOf(*index) + (index->is_of_constraint ? "of a constraint\n" : "");
    for (const auto& type : catalog.List<TypeEntry>(*transaction, *schema)) text += CreateStatementOf(*type);
    for (const auto& sequence : catalog.List<SequenceEntry>(*transaction, *schema)) {
      const SequenceState::Position position = sequence->state->position();
      text += CreateStatementOf(*sequence) + CommentStatementsOf(*sequence) + sequence->owner_table + "." +
              sequence->owner_column + " " + std::to_string(position.value) +
              (position.is_called ? " called\n" : "\n");
    }
  }
  database.transactions().Rollback(*transaction);
  return text;
}

/// a_child is before z_parent, which it refers to, in the order of names.
void MakeFamily(DatabaseInstance& database) {
  Change(database, [&](Transaction& t, Catalog& catalog) {
    CreateTable(catalog, t,
                MakeTable(database, "z_parent", {{{"ck", "a > 1"}}, {{"z_parent_pkey", {"a"}, true}}, {}}));
    CreateTable(catalog, t,
                MakeTable(database, "a_child",
                          {{}, {}, {{"fk", {"a"}, "main", "z_parent", {"a"}, ReferentialAction::kCascade}}}));
    CreateIndex(catalog, t,
                std::make_shared<const IndexEntry>("main", "i", "a_child", std::vector<std::string>{"b", "a"},
                                                   IndexKind::kUnique, false));
    auto sequence = std::make_shared<SequenceEntry>(
        "main", "s", SequenceOptions(), std::make_shared<SequenceState>(SequenceState::Position{1, false}));
    sequence->owner_table = "a_child";
    sequence->owner_column = "a";
    CreateSequence(catalog, t, std::move(sequence));
    CreateSequence(
        catalog, t,
        std::make_shared<SequenceEntry>("main", "lost", SequenceOptions(),
                                        std::make_shared<SequenceState>(SequenceState::Position{1, false})));
  });
}

}  // namespace

TEST_CASE("definitions come back from the log and from a checkpoint", "[recovery]") {
  SimulatedFileSystem files;
  std::string expected;
  {
    const auto database = Open(files);
    MakeFamily(*database);
    Change(*database, [](Transaction& t, Catalog& catalog) {
      const auto sequence = catalog.Find<SequenceEntry>(t, "", "s");
      for (int i = 0; i < 5; i++) sequence->state->Next(sequence->options);
      NoteSequenceUse(t, sequence);
      DropSequence(catalog, t, "main", "lost");
    });
    Change(*database, [&](Transaction& t, Catalog& catalog) {
      const auto old = catalog.Find<TableEntry>(t, "", "z_parent");
      auto columns = old->columns;
      columns[0].name = "x";
      columns[1].generated_text = "x + 1";
      const auto renamed = std::make_shared<const TableEntry>(
          "main", "m_parent", columns, old->storage,
          TableConstraints{{{"ck", "x > 1"}}, {{"renamed", {"x"}, true}}, {}});
      ReplaceTable(catalog, t, {old, renamed, {{"a", "x"}}, false});
      const auto sequence = catalog.Find<SequenceEntry>(t, "", "s");
      auto other = std::make_shared<SequenceEntry>(*sequence);
      other->name = "s2";
      other->options.increment = 2;
      ReplaceSequence(catalog, t, *sequence, std::move(other));
    });
    expected = Everything(*database);
    files.Kill();  // Else closing it makes a checkpoint.
  }
  CHECK(expected.find("\"s2\"") != std::string::npos);
  CHECK(expected.find("a_child.a 5 called") != std::string::npos);
  CHECK(expected.find("REFERENCES \"main\".\"m_parent\" (\"x\")") != std::string::npos);
  {
    const auto database = Open(files);
    CHECK(Everything(*database) == expected);
    database->Checkpoint();
  }
  const auto database = Open(files);
  CHECK(Everything(*database) == expected);
}

TEST_CASE("comments come back from the log and from a checkpoint", "[recovery]") {
  using Kind = CommentTarget::Kind;
  SimulatedFileSystem files;
  std::string expected;
  {
    const auto database = Open(files);
    MakeFamily(*database);
    Change(*database, [](Transaction& t, Catalog& catalog) {
      SetComment(catalog, t, {Kind::kSchema, "main", "", ""}, "schema");
      SetComment(catalog, t, {Kind::kRelation, "main", "z_parent", ""}, "table");
      SetComment(catalog, t, {Kind::kColumn, "main", "z_parent", "b"}, "column");
      SetComment(catalog, t, {Kind::kConstraint, "main", "z_parent", "ck"}, "check");
      SetComment(catalog, t, {Kind::kConstraint, "main", "z_parent", "z_parent_pkey"}, "key");
      SetComment(catalog, t, {Kind::kConstraint, "main", "a_child", "fk"}, "foreign key");
      SetComment(catalog, t, {Kind::kRelation, "main", "z_parent_pkey", ""}, "index of a key");
      SetComment(catalog, t, {Kind::kRelation, "main", "i", ""}, "index");
      SetComment(catalog, t, {Kind::kRelation, "main", "s", ""}, "sequence");
      SetComment(catalog, t, {Kind::kRelation, "main", "lost", ""}, "");
    });
    expected = Everything(*database);
    CHECK(std::count(expected.begin(), expected.end(), '\'') == 18);
    files.Kill();  // Else closing it makes a checkpoint.
  }
  {
    const auto database = Open(files);
    CHECK(Everything(*database) == expected);
    database->Checkpoint();
  }
  {
    const auto database = Open(files);
    CHECK(Everything(*database) == expected);
    Change(*database, [](Transaction& t, Catalog& catalog) {
      CHECK_THROWS_AS(SetComment(catalog, t, {Kind::kRelation, "main", "nope", ""}, "x"), Error);
      CHECK_THROWS_AS(SetComment(catalog, t, {Kind::kColumn, "main", "a_child", "nope"}, "x"), Error);
      CHECK_THROWS_AS(SetComment(catalog, t, {Kind::kConstraint, "main", "a_child", "nope"}, "x"), Error);
      CHECK_THROWS_AS(SetComment(catalog, t, {Kind::kSchema, "nope", "", ""}, "x"), Error);
    });
  }
}

TEST_CASE("enums come back from the log and from a checkpoint", "[recovery]") {
  SimulatedFileSystem files;
  std::string expected;
  const auto make = [](const std::string& name, std::vector<std::string> labels) {
    return std::make_shared<const TypeEntry>("main", name, LogicalType::Enum(name, std::move(labels)));
  };
  {
    const auto database = Open(files);
    const TypeEntryRef mood = make("mood", {"sad", "ok"});
    Change(*database, [&](Transaction& t, Catalog& catalog) {
      CreateType(catalog, t, mood);
      CreateType(catalog, t, make("gone", {"a"}));
      const std::vector<ColumnDefinition> columns = {{"m", LogicalType::List(mood->type)}};
      CreateTable(catalog, t,
                  std::make_shared<const TableEntry>(
                      "main", "t", columns, catalog.MakeTable("main", {columns[0].type}, database->memory()),
                      TableConstraints()));
    });
    Change(*database, [&](Transaction& t, Catalog& catalog) {
      ReplaceType(catalog, t, *mood, make("feeling", {"sad", "fine", "happy"}));
      DropType(catalog, t, *catalog.Find<TypeEntry>(t, "main", "gone"));
    });
    expected = Everything(*database);
    files.Kill();  // Else closing it makes a checkpoint.
  }
  CHECK(expected.find("\"m\" feeling[]") != std::string::npos);
  CHECK(expected.find("'fine'") != std::string::npos);
  CHECK(expected.find("gone") == std::string::npos);
  {
    const auto database = Open(files);
    CHECK(Everything(*database) == expected);
    database->Checkpoint();
  }
  const auto database = Open(files);
  CHECK(Everything(*database) == expected);
  const auto transaction = database->transactions().Begin();
  const TypeEntryRef feeling = database->catalog().Find<TypeEntry>(*transaction, "main", "feeling");
  REQUIRE(feeling);
  CHECK(TablesUsing(database->catalog(), *transaction, feeling->type).size() == 1);
  database->transactions().Rollback(*transaction);
}

TEST_CASE("drops come back from the log, with what went with them", "[recovery]") {
  SimulatedFileSystem files;
  std::string expected;
  {
    const auto database = Open(files);
    MakeFamily(*database);
    Change(*database, [](Transaction& t, Catalog& catalog) {
      DropIndex(catalog, t, "main", "i");
      DropTable(catalog, t, "main", "z_parent", true);
    });
    expected = Everything(*database);
    CHECK(expected.find("REFERENCES") == std::string::npos);
    CHECK(expected.find("\"i\"") == std::string::npos);
    files.Kill();  // Else closing it makes a checkpoint.
  }
  {
    const auto database = Open(files);
    CHECK(Everything(*database) == expected);
    Change(*database, [](Transaction& t, Catalog& catalog) { DropTable(catalog, t, "main", "a_child"); });
    files.Kill();
  }
  const auto database = Open(files);
  CHECK(Everything(*database).find("\"s\"") == std::string::npos);  // It owned the sequence.
}

}  // namespace scaup::test
