// Projections of documents through scans, fetchers and read predicates, against a plain model.
#include "storage/snapshot/table_columns.hpp"

#include <catch2/catch.hpp>

#include <map>

#include "../table_fixture.hpp"
#include "document/document_parser.hpp"
#include "scaup/error.hpp"
#include "simulation/simulated_file_system.hpp"
#include "storage/compaction/row_group_joining.hpp"
#include "storage/compaction/row_group_writer.hpp"
#include "storage/scan/filtered_fetcher.hpp"
#include "storage/snapshot/row_group_reader.hpp"
#include "storage/table/table_changes.hpp"
#include "storage/table/table_read_predicate.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup::test {

namespace {

using Op = ScanFilter::Op;

/// A document of the model: n is 0 to 99 or absent, s a string or a number, o.x a boolean.
struct Document {
  std::optional<int64_t> n;
  std::string s;
  bool x = false;

  std::string Text() const {
    std::string text = "{";
    if (n) text += "\"n\":" + std::to_string(*n) + ",";
    return text + "\"s\":" + s + ",\"o\":{\"x\":" + (x ? "true" : "false") + "}}";
  }
  /// As columns 1 to 4 read it.
  Row Values() const {
    Row values = {n ? Value::BigInt(*n) : Value(TypeId::kBigInt)};
    const bool is_string = s[0] == '"';
    values.push_back(is_string ? Value::Varchar(s.substr(1, s.size() - 2)) : Value(TypeId::kVarchar));
    values.push_back(is_string ? Value(TypeId::kBigInt) : Value::BigInt(std::stoll(s)));
    values.push_back(Value::Boolean(x));
    return values;
  }
};

Document RandomDocument(Random& random) {
  Document document;
  if (Below(random, 5) != 0) document.n = static_cast<int64_t>(Below(random, 100));
  document.s = Below(random, 3) == 0 ? std::to_string(Below(random, 1000))
                                     : '"' + std::string(Below(random, 40), 'a') + '"';
  document.x = Below(random, 2) == 0;
  return document;
}

/// How row groups are kept: in memory, in a file, or there attribute by attribute.
enum class Place { kMemory, kFile, kShredded };

/// A collection of documents, and what must be in it.
class Collection {
 public:
  explicit Collection(Place place)
      : place_(place),
        store_(place != Place::kMemory
                   ? std::make_shared<BlockStore>(DatabaseFile::Create(files_, "x.scaup"), memory_)
                   : nullptr),
        table_(std::make_shared<Table>(std::vector<LogicalType>{TypeId::kBlob}, memory_, 1, store_,
                                       std::make_shared<AttributeDictionary>())) {}

  Table& table() { return *table_; }
  const std::shared_ptr<Table>& table_ref() { return table_; }
  TransactionManager& transactions() { return transactions_; }
  std::map<RowNumber, Document>& documents() { return documents_; }

  TableColumns Columns() const {
    AttributeDictionary& attributes = *table_->attributes();
    const PathId n = attributes.AddPath(kRootPath, "n"), s = attributes.AddPath(kRootPath, "s");
    const PathId x = attributes.AddPath(attributes.AddPath(kRootPath, "o"), "x");
    return {table_->types(),
            {{n, TypeId::kBigInt}, {s, TypeId::kVarchar}, {s, TypeId::kBigInt}, {x, TypeId::kBoolean}},
            table_->attributes()};
  }
  DataChunk Records(const std::vector<Document>& documents) {
    DataChunk chunk(table_->types());
    chunk.ResetForWriting();
    DocumentParser parser(table_->attributes());
    for (size_t i = 0; i < documents.size(); i++) {
      std::string record;
      JsonFault fault;
      REQUIRE(parser.Parse(documents[i].Text(), record, fault));
      chunk.column(0).MutableData<StringRef>()[i] = chunk.column(0).AddString(record);
    }
    chunk.SetSize(documents.size());
    return chunk;
  }
  RowGroupList Build(const std::vector<Document>& documents, std::vector<ColumnStatistics>& statistics) {
    RowGroupBuilder builder(table_->types(), memory_);
    for (size_t begin = 0; begin < documents.size(); begin += kVectorSize) {
      const size_t end = std::min(begin + kVectorSize, documents.size());
      DataChunk chunk = Records({documents.begin() + static_cast<ptrdiff_t>(begin),
                                 documents.begin() + static_cast<ptrdiff_t>(end)});
      builder.Append(chunk);
    }
    builder.Finish();
    statistics = builder.statistics();
    RowGroupList row_groups = builder.TakeFinished();
    if (!store_) return row_groups;
    RowGroupWriter writer(store_, 0, std::nullopt);
    for (const auto& row_group : row_groups)
      writer.Add(*row_group, place_ == Place::kShredded ? table_->layout() : TableLayout(table_->types()));
    const auto stored = writer.Finish();
    return {stored.begin(), stored.end()};
  }
  void Insert(Transaction& transaction, const std::vector<Document>& documents) {
    std::vector<ColumnStatistics> statistics;
    RowGroupList row_groups = Build(documents, statistics);
    AttributeStatistics attributes;
    for (const auto& row_group : row_groups) attributes.AddRowGroup(*row_group, *table_->attributes());
    table_->Insert({transaction, "c"}, std::move(row_groups), statistics, attributes);
  }
  void Update(Transaction& transaction, const std::vector<RowNumber>& rows,
              const std::vector<Document>& documents) {
    DataChunk chunk = Records(documents);
    const size_t column = kRecordColumn;
    table_->Update({transaction, "c"}, rows, {&column, 1}, chunk);
  }

 private:
  Place place_;
  SimulatedFileSystem files_;
  MemoryTracker memory_{size_t{1} << 30};
  std::shared_ptr<BlockStore> store_;
  TransactionManager transactions_;
  std::shared_ptr<Table> table_;
  std::map<RowNumber, Document> documents_;
};

/// 3000 rows, of which some were updated and others deleted.
std::unique_ptr<Collection> MakeCollection(Random& random, Place place, bool has_versions) {
  auto collection = std::make_unique<Collection>(place);
  std::vector<Document> documents;
  for (RowNumber row = 0; row < 3000; row++) {
    documents.push_back(RandomDocument(random));
    collection->documents()[row] = documents.back();
  }
  auto& transactions = collection->transactions();
  const auto insert = transactions.Begin();
  collection->Insert(*insert, documents);
  transactions.Commit(*insert);
  if (!has_versions) return collection;
  const auto change = transactions.Begin();
  for (RowNumber first : {RowNumber{10}, RowNumber{2100}}) {
    std::vector<RowNumber> rows, deleted;
    std::vector<Document> changed;
    for (RowNumber row = first; row < first + 500; row += 3) {
      rows.push_back(row);
      changed.push_back(collection->documents()[row] = RandomDocument(random));
      deleted.push_back(row + 1);
      collection->documents().erase(row + 1);
    }
    collection->Update(*change, rows, changed);
    collection->table().Delete({*change, "c"}, deleted);
  }
  transactions.Commit(*change);
  return collection;
}

bool Passes(const Row& values, const ScanFilter& filter) {
  const Value& value = values[filter.column - 1];
  if (filter.op == Op::kIsNull) return value.is_null();
  if (value.is_null()) return false;
  if (filter.op == Op::kIsNotNull) return true;
  if (value.type().id() == TypeId::kVarchar) return value.GetString() == filter.constant.GetString();
  if (value.type().id() == TypeId::kBoolean) return value.GetBoolean() == filter.constant.GetBoolean();
  const int64_t left = static_cast<int64_t>(value.GetInteger());
  const int64_t right = static_cast<int64_t>(filter.constant.GetInteger());
  return filter.op == Op::kLess ? left < right : left == right;
}

/// What a scan of the projections `columns` (of row numbers, too) must give.
std::vector<Row> Expected(const std::map<RowNumber, Document>& documents, const std::vector<size_t>& columns,
                          const std::vector<ScanFilter>& filters) {
  std::vector<Row> rows;
  for (const auto& [row, document] : documents) {
    const Row values = document.Values();
    if (!std::all_of(filters.begin(), filters.end(), [&](const auto& f) { return Passes(values, f); }))
      continue;
    Row& expected = rows.emplace_back();
    for (const size_t column : columns)
      expected.push_back(column == kRowNumberColumn ? Value::BigInt(static_cast<int64_t>(row))
                                                    : values[column - 1]);
  }
  return rows;
}

void CheckSame(const std::vector<Row>& got, const std::vector<Row>& expected) {
  REQUIRE(got.size() == expected.size());
  for (size_t row = 0; row < got.size(); row++) {
    for (size_t i = 0; i < expected[row].size(); i++) {
      if (SameValue(got[row][i], expected[row][i])) continue;
      FAIL("row " << row << ", column " << i << ": " << got[row][i].ToString() << ", not "
                  << expected[row][i].ToString());
    }
  }
}

const std::vector<std::vector<ScanFilter>>& SomeFilters() {
  static const std::vector<std::vector<ScanFilter>> filters = {
      {},
      {{1, Op::kLess, Value::BigInt(3)}},
      {{1, Op::kIsNull, {}}},
      {{2, Op::kEqual, Value::Varchar("aaa")}},
      {{2, Op::kIsNotNull, {}}, {1, Op::kLess, Value::BigInt(50)}, {4, Op::kEqual, Value::Boolean(true)}},
      {{3, Op::kLess, Value::BigInt(500)}, {3, Op::kIsNotNull, {}}},
      {{3, Op::kEqual, Value::BigInt(5000)}}};
  return filters;
}

const std::vector<std::vector<size_t>> kSomeColumns = {
    {1}, {1, 2, 3, 4}, {4, kRowNumberColumn, 2}, {kRowNumberColumn}, {3, 1, 3}};

std::vector<LogicalType> TypesOf(const TableColumns& columns, const std::vector<size_t>& wanted) {
  std::vector<LogicalType> types;
  for (const size_t column : wanted)
    types.push_back(column == kRowNumberColumn ? LogicalType(TypeId::kBigInt) : columns[column]);
  return types;
}

}  // namespace

TEST_CASE("scans and fetches read projections of documents", "[storage][document]") {
  Random random(3);
  for (const Place place : {Place::kMemory, Place::kFile, Place::kShredded}) {
    for (const bool has_versions : {false, true}) {
      const auto collection = MakeCollection(random, place, has_versions);
      const TableColumns table_columns = collection->Columns();
      const auto reader = collection->transactions().Begin();
      for (const auto& columns : kSomeColumns) {
        for (const auto& filters : SomeFilters()) {
          INFO("place " << static_cast<int>(place) << ", versions " << has_versions << ", filters "
                        << filters.size());
          const auto expected = Expected(collection->documents(), columns, filters);
          TableScan scan(collection->table().UnloggedView(*reader), table_columns, {columns, filters},
                         KernelsOf(BestKernelLevel()), 2);
          CheckSame(Drain(scan, TypesOf(table_columns, columns)), expected);

          FilteredFetcher fetcher(collection->table().UnloggedView(*reader), table_columns,
                                  {columns, filters}, KernelsOf(BestKernelLevel()));
          std::vector<Row> fetched;
          DataChunk chunk(TypesOf(table_columns, columns));
          for (RowNumber first = 0; first < 3000; first += 700) {
            std::vector<RowNumber> listed;
            for (RowNumber row = first; row < std::min<RowNumber>(first + 700, 3000); row++)
              listed.push_back(row);
            auto passing = std::make_shared<SelectionVector>();
            const size_t count = fetcher.Fetch(listed, passing->rows);
            if (count == 0) continue;
            chunk.Release();
            fetcher.Give(passing, count, chunk);
            for (Row& row : RowsOf(chunk)) fetched.push_back(std::move(row));
          }
          CheckSame(fetched, expected);
        }
      }
      collection->transactions().Rollback(*reader);
    }
  }
}

TEST_CASE("records come out of scans beside their projections", "[storage][document]") {
  Random random(4);
  const auto collection =
      MakeCollection(random, GENERATE(Place::kMemory, Place::kFile, Place::kShredded), true);
  const TableColumns columns = collection->Columns();
  const auto reader = collection->transactions().Begin();
  const std::vector<LogicalType> types = {TypeId::kBlob, TypeId::kBigInt, TypeId::kVarchar};
  const auto read = [&](const std::vector<size_t>& wanted, const std::vector<ScanFilter>& filters) {
    TableScan scan(collection->table().UnloggedView(*reader), columns, {wanted, filters},
                   KernelsOf(BestKernelLevel()), 16);
    return Drain(scan, TypesOf(columns, wanted));
  };
  const ScanFilter filter{1, Op::kLess, Value::BigInt(20)};
  const auto records = read({kRecordColumn}, {filter}), projected = read({1, 2}, {filter});
  REQUIRE(records.size() == projected.size());
  REQUIRE(!records.empty());
  auto both = records;
  for (size_t i = 0; i < both.size(); i++)
    both[i].insert(both[i].end(), projected[i].begin(), projected[i].end());
  CheckSame(read({kRecordColumn, 1, 2}, {filter}), both);
  collection->transactions().Rollback(*reader);
}

TEST_CASE("readers see documents as they were, and their own", "[storage][document]") {
  Random random(5);
  const auto collection = MakeCollection(random, Place::kMemory, true);
  const auto before = collection->documents();
  auto& transactions = collection->transactions();
  const auto old_reader = transactions.Begin(), writer = transactions.Begin();
  Document own = RandomDocument(random);
  own.n = 7777;
  collection->Update(*writer, {0}, {own});
  collection->Insert(*writer, {own});
  const TableColumns columns = collection->Columns();
  const auto count = [&](const Transaction& transaction, int64_t n) {
    TableScan scan(collection->table().UnloggedView(transaction), columns,
                   {{1, 2}, {{{1, Op::kEqual, Value::BigInt(n)}}}}, KernelsOf(BestKernelLevel()), 16);
    return Drain(scan, TypesOf(columns, {1, 2})).size();
  };
  CHECK(count(*writer, 7777) == 2);
  CHECK(count(*old_reader, 7777) == 0);
  transactions.Commit(*writer);
  CHECK(count(*old_reader, 7777) == 0);
  TableScan scan(collection->table().UnloggedView(*old_reader), columns, {{1, 2, 3, 4}, {}},
                 KernelsOf(BestKernelLevel()), 16);
  CheckSame(Drain(scan, TypesOf(columns, {1, 2, 3, 4})), Expected(before, {1, 2, 3, 4}, {}));
  transactions.Rollback(*old_reader);
  const auto new_reader = transactions.Begin();
  CHECK(count(*new_reader, 7777) == 2);
  transactions.Rollback(*new_reader);
}

TEST_CASE("a row group is read by its projections", "[storage][document]") {
  Random random(6);
  Collection collection(Place::kMemory);
  std::vector<Document> documents;
  std::map<RowNumber, Document> by_row;
  for (size_t i = 0; i < 1500; i++) {
    documents.push_back(RandomDocument(random));
    by_row[i] = documents.back();
  }
  std::vector<ColumnStatistics> statistics;
  const RowGroupList row_groups = collection.Build(documents, statistics);
  RowGroupReader reader(collection.Columns(), {4, 2}, *row_groups[0], KernelsOf(BestKernelLevel()));
  DataChunk chunk(reader.types());
  std::vector<Row> rows;
  for (size_t block = 0; block < row_groups[0]->block_count(); block++) {
    chunk.Release();
    reader.Read(block, chunk);
    for (Row& row : RowsOf(chunk)) rows.push_back(std::move(row));
  }
  CheckSame(rows, Expected(by_row, {4, 2}, {}));
}

TEST_CASE("what was read of documents is hit by what changes it", "[storage][document]") {
  Random random(7);
  for (const Place place : {Place::kMemory, Place::kFile, Place::kShredded}) {
    const auto collection = MakeCollection(random, place, false);
    auto& transactions = collection->transactions();
    const TableColumns columns = collection->Columns();
    Document marked = RandomDocument(random), other = RandomDocument(random);
    marked.n = 1000;
    other.n = 2000;
    // Whether somebody who read n = 1000 can still commit after a change.
    const auto conflicts = [&](const std::function<void(Transaction&)>& change) {
      const auto reader = transactions.Begin();
      reader->SetIsolation(IsolationLevel::kSerializable);
      reader->LogRead(std::make_unique<TableReadPredicate>(
          collection->table_ref(), "c", columns, std::vector<size_t>{1, 2},
          ScanPredicate{{{1, Op::kEqual, Value::BigInt(1000)}}}));
      const auto writer = transactions.Begin();
      change(*writer);
      transactions.Commit(*writer);
      collection->Insert(*reader, {other});  // Else nothing is tested.
      try {
        transactions.Commit(*reader);
      } catch (const Error& error) {
        CHECK(std::string(error.sqlstate()) == "40001");
        return true;
      }
      return false;
    };
    CHECK_FALSE(conflicts([&](Transaction& t) { collection->Insert(t, {other}); }));
    CHECK(conflicts([&](Transaction& t) { collection->Insert(t, {other, marked}); }));
    CHECK_FALSE(conflicts([&](Transaction& t) { collection->Update(t, {5}, {other}); }));
    CHECK(conflicts([&](Transaction& t) { collection->Update(t, {5, 6}, {other, marked}); }));
    CHECK(conflicts([&](Transaction& t) { collection->Update(t, {6}, {other}); }));
    // What nobody read may change.
    marked.s = "\"one\"";
    CHECK(conflicts([&](Transaction& t) { collection->Update(t, {9}, {marked}); }));
    marked.x = !marked.x;
    CHECK_FALSE(conflicts([&](Transaction& t) { collection->Update(t, {9}, {marked}); }));
    marked.s = "\"other\"";
    CHECK(conflicts([&](Transaction& t) { collection->Update(t, {9}, {marked}); }));
    const RowNumber row = 7;
    CHECK_FALSE(conflicts([&](Transaction& t) { collection->table().Delete({t, "c"}, {&row, 1}); }));
    const RowNumber marked_row = 8;
    CHECK(conflicts([&](Transaction& t) { collection->Update(t, {marked_row}, {marked}); }));
    CHECK(conflicts([&](Transaction& t) { collection->table().Delete({t, "c"}, {&marked_row, 1}); }));
  }
}

}  // namespace scaup::test
