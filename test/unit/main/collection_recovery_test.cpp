// Attributes of collections come back from the log and from a checkpoint, with the records that need them.
#include <catch2/catch.hpp>

#include "../vector/random_values.hpp"
#include "catalog/catalog_changes.hpp"
#include "document/document_parser.hpp"
#include "document/document_text.hpp"
#include "main/database/database_instance.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/scan/table_scan.hpp"
#include "storage/shredded/attribute_statistics.hpp"

namespace scaup::test {

namespace {

using Texts = std::vector<std::string>;

std::shared_ptr<DatabaseInstance> Open(SimulatedFileSystem& files) {
  return std::make_shared<DatabaseInstance>("x.scaup", Config{{"threads", "2"}}, files.Share());
}

/// A session with one transaction at a time.
class Session {
 public:
  explicit Session(std::shared_ptr<DatabaseInstance> database)
      : database_(std::move(database)), transaction_(database_->transactions().Begin()) {}
  ~Session() {
    if (transaction_) database_->transactions().Rollback(*transaction_);
  }
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  void Create(const std::string& name) {
    auto storage = database_->catalog().MakeTable("main", {TypeId::kBlob}, database_->memory(),
                                                  std::make_shared<AttributeDictionary>());
    CreateTable(database_->catalog(), *transaction_,
                std::make_shared<const TableEntry>("main", name,
                                                   std::vector<ColumnDefinition>{{"document", TypeId::kBlob}},
                                                   std::move(storage), TableConstraints()));
  }
  TableEntryRef Find(const std::string& name) {
    return database_->catalog().Find<TableEntry>(*transaction_, "main", name);
  }
  /// `stores`: row groups go to the file before the commit, as those of large inserts do.
  void Insert(const std::string& name, const Texts& documents, bool stores = false) {
    const TableEntryRef entry = Find(name);
    Table& table = *entry->storage;
    RowGroupBuilder builder(table.types(), database_->memory());
    for (size_t begin = 0; begin < documents.size(); begin += kVectorSize) {
      const size_t count = std::min(kVectorSize, documents.size() - begin);
      DataChunk chunk = Records(table, std::span(documents).subspan(begin, count));
      builder.Append(chunk);
    }
    builder.Finish();
    auto row_groups = builder.TakeFinished();
    AttributeStatistics attributes;
    for (const auto& row_group : row_groups) attributes.AddRowGroup(*row_group, *table.attributes());
    if (stores) {
      row_groups = StoreLargeRowGroups(std::move(row_groups), table.types(), table.store(), std::nullopt,
                                       table.store()->file().failed_syncs());
      CHECK(row_groups[0]->is_stored());
    }
    table.Insert({*transaction_, name}, std::move(row_groups), builder.statistics(), attributes);
  }
  void Update(const std::string& name, RowNumber row, const std::string& document) {
    const TableEntryRef entry = Find(name);
    DataChunk chunk = Records(*entry->storage, std::span(&document, 1));
    const size_t column = kRecordColumn;
    entry->storage->Update({*transaction_, name}, {&row, 1}, {&column, 1}, chunk);
  }
  void Delete(const std::string& name, RowNumber row) {
    Find(name)->storage->Delete({*transaction_, name}, {&row, 1});
  }
  void Rename(const std::string& from, const std::string& to) {
    const TableEntryRef old = Find(from);
    auto renamed =
        std::make_shared<const TableEntry>("main", to, old->columns, old->storage, old->constraints);
    ReplaceTable(database_->catalog(), *transaction_, {old, renamed, {}, false});
  }
  void Drop(const std::string& name) { DropTable(database_->catalog(), *transaction_, "main", name, false); }
  void Commit() {
    const auto transaction = std::exchange(transaction_, nullptr);
    database_->transactions().Commit(*transaction);
    transaction_ = database_->transactions().Begin();
  }

  /// Every document, as text.
  Texts Read(const std::string& name) {
    const TableEntryRef entry = Find(name);
    const Table& table = *entry->storage;
    TableScan scan(table.UnloggedView(*transaction_), table.types(), {{kRecordColumn}, {}},
                   KernelsOf(BestKernelLevel()), 16);
    TableScan::Position position;
    DataChunk chunk(table.types());
    Texts texts;
    for (; scan.Next(position, chunk); chunk.Release()) {
      for (size_t row = 0; row < chunk.size(); row++)
        AppendDocumentText(*table.attributes(), chunk.column(0).GetValue(row).GetString(),
                           texts.emplace_back());
    }
    return texts;
  }

 private:
  static DataChunk Records(const Table& table, std::span<const std::string> documents) {
    DocumentParser parser(table.attributes());
    DataChunk chunk(table.types());
    chunk.ResetForWriting();
    for (size_t i = 0; i < documents.size(); i++) {
      std::string record;
      JsonFault fault;
      REQUIRE(parser.Parse(documents[i], record, fault));
      chunk.column(0).MutableData<StringRef>()[i] = chunk.column(0).AddString(record);
    }
    chunk.SetSize(documents.size());
    return chunk;
  }

  std::shared_ptr<DatabaseInstance> database_;
  std::shared_ptr<Transaction> transaction_;
};

void CheckAfterCrash(SimulatedFileSystem& files, const Texts& expected) {
  {
    const auto database = Open(files);
    CHECK(Session(database).Read("c") == expected);
    files.Kill();  // What was replayed stays as it is.
  }
  {
    const auto database = Open(files);
    CHECK(Session(database).Read("c") == expected);
    database->Checkpoint();
  }
  const auto database = Open(files);
  CHECK(Session(database).Find("c")->is_collection());
  CHECK(Session(database).Read("c") == expected);
}

}  // namespace

TEST_CASE("attributes of a collection come back from the log and from a checkpoint", "[recovery]") {
  SimulatedFileSystem files;
  Texts expected;
  {
    const auto database = Open(files);
    Session session(database);
    session.Create("c");
    session.Insert("c", {R"({"a":1})"});
    session.Commit();
    session.Insert("c", {R"({"a":2,"b":{"x":"text"}})", R"({"a":null})"});
    session.Commit();
    session.Update("c", 0, R"({"a":1,"new":[1,2]})");
    session.Delete("c", 2);
    session.Commit();
    expected = session.Read("c");
    files.Kill();
  }
  CHECK(expected == Texts{R"({"a":1,"new":[1,2]})", R"({"a":2,"b":{"x":"text"}})"});
  CheckAfterCrash(files, expected);
}

TEST_CASE("attributes come behind those of a checkpoint", "[recovery]") {
  SimulatedFileSystem files;
  {
    const auto database = Open(files);
    Session session(database);
    session.Create("c");
    session.Create("empty");
    session.Insert("c", {R"({"a":1})"});
    session.Commit();
    database->Checkpoint();
    session.Insert("c", {R"({"b":1})"});
    session.Commit();
    session.Insert("empty", {R"({"e":1})"});
    session.Commit();
    database->Checkpoint();
    session.Insert("c", {R"({"a":true,"c":1})"});
    session.Commit();
    files.Kill();
  }
  {
    const auto database = Open(files);
    CHECK(Session(database).Read("empty") == Texts{R"({"e":1})"});
    files.Kill();
  }
  CheckAfterCrash(files, {R"({"a":1})", R"({"b":1})", R"({"a":true,"c":1})"});
}

TEST_CASE("attributes of transactions that end otherwise are there for the next ones", "[recovery]") {
  SimulatedFileSystem files;
  {
    const auto database = Open(files);
    Session session(database);
    session.Create("c");
    session.Insert("c", {R"({"a":1})"});
    session.Commit();
    Session(database).Insert("c", {R"({"rolled":"back"})"});
    Session open(database);
    open.Insert("c", {R"({"still":"open"})"});
    session.Insert("c", {R"({"still":"committed","rolled":"on"})"});
    session.Commit();
    open.Commit();
    // A checkpoint has those of everybody.
    Session(database).Insert("c", {R"({"twice":{"rolled":"back"}})"});
    database->Checkpoint();
    session.Insert("c", {R"({"twice":{"rolled":"on"}})"});
    session.Commit();
    files.Kill();
  }
  CheckAfterCrash(files, {R"({"a":1})", R"({"still":"committed","rolled":"on"})", R"({"still":"open"})",
                          R"({"twice":{"rolled":"on"}})"});
}

TEST_CASE("attributes of a commit that fails are in the log with the next one", "[recovery]") {
  SimulatedFileSystem files;
  {
    const auto database = Open(files);
    Session session(database);
    session.Create("c");
    session.Insert("c", {R"({"a":1})"});
    session.Commit();
    session.Update("c", 0, R"({"a":1,"lost":1})");
    files.FailNext(CallKind::kWrite, FaultKind::kError, ".wal");
    CHECK_THROWS_AS(session.Commit(), Error);
    Session again(database);
    again.Insert("c", {R"({"lost":{"and":"found"},"a":2})", R"({"lost":2})"});
    again.Commit();
    files.Kill();
  }
  CheckAfterCrash(files, {R"({"a":1})", R"({"lost":{"and":"found"},"a":2})", R"({"lost":2})"});
}

TEST_CASE("large inserts of documents have their attributes in the log", "[recovery]") {
  SimulatedFileSystem files;
  Texts expected;
  for (size_t i = 0; i < 40000; i++)
    expected.push_back("{\"n\":" + std::to_string(i) + ",\"k" + std::to_string(i % 50) + "\":\"v\"}");
  {
    const auto database = Open(files);
    Session session(database);
    session.Create("c");
    session.Commit();
    session.Insert("c", expected, true);
    session.Commit();
    files.Kill();
  }
  CheckAfterCrash(files, expected);
}

TEST_CASE("a collection that is renamed keeps its attributes, one that is dropped does not", "[recovery]") {
  SimulatedFileSystem files;
  {
    const auto database = Open(files);
    Session session(database);
    session.Create("d");
    session.Create("gone");
    session.Insert("d", {R"({"a":1})"});
    session.Insert("gone", {R"({"z":1})"});
    session.Commit();
    session.Insert("d", {R"({"b":1})"});
    session.Rename("d", "c");
    session.Insert("c", {R"({"c":1})"});
    session.Insert("gone", {R"({"y":1})"});
    session.Drop("gone");
    session.Commit();
    session.Create("gone");
    session.Insert("gone", {R"({"x":1})"});
    session.Commit();
    files.Kill();
  }
  {
    const auto database = Open(files);
    Session session(database);
    CHECK(session.Read("gone") == Texts{R"({"x":1})"});
    CHECK(session.Find("gone")->storage->attributes()->attribute_count() == 1);
    files.Kill();
  }
  CheckAfterCrash(files, {R"({"a":1})", R"({"b":1})", R"({"c":1})"});
}

TEST_CASE("after a power failure a collection is as some commit left it", "[recovery]") {
  for (uint64_t seed = 0; seed < 40; seed++) {
    INFO("seed " << seed);
    Random random(seed);
    SimulatedFileSystem files;
    Texts committed, on_its_way;
    const auto documents = [&](size_t step) {
      Texts texts(1 + Below(random, 3));
      for (std::string& text : texts)
        text =
            "{\"k" + std::to_string(Below(random, 2 * step + 2)) + "\":{\"x\":" + std::to_string(step) + "}}";
      return texts;
    };
    try {
      const auto database = Open(files);
      {
        Session session(database);
        session.Create("c");
        session.Commit();
      }
      files.FailAt(files.call_count() + 1 + Below(random, 90),
                   seed % 2 == 0 ? FaultKind::kCrash : FaultKind::kCrashInside);
      for (size_t step = 0; step < 40; step++) {
        if (Below(random, 3) == 0) Session(database).Insert("c", documents(step));
        if (Below(random, 6) == 0) database->Checkpoint();
        Session session(database);
        const Texts added = documents(step);
        session.Insert("c", added);
        on_its_way.insert(on_its_way.end(), added.begin(), added.end());
        session.Commit();
        committed = on_its_way;
      }
    } catch (const SimulatedCrash&) {
    }
    files.Crash(seed);
    const auto database = Open(files);
    const Texts found = Session(database).Read("c");
    const bool is_as_committed = found == committed || found == on_its_way;
    CHECK(is_as_committed);
  }
}

}  // namespace scaup::test
