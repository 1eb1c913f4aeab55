// Indexes of tables under random transactions: what they say is what scans say, and nothing is left behind.
#include "storage/table_index/table_index.hpp"
#include "storage/index/ordered_index.hpp"
#include "storage/table/maintained_indexes.hpp"

#include <catch2/catch.hpp>
#include <set>
#include <thread>

#include "../table_fixture.hpp"
#include "scaup/error.hpp"
#include "storage/table_index/index_lookup.hpp"
#include "storage/table_index/text_lookup.hpp"
#include "text/text_query.hpp"
#include "transaction/transaction_manager.hpp"

namespace scaup::test {

namespace {

const std::vector<LogicalType> kTypes = {TypeId::kInteger, TypeId::kVarchar, TypeId::kInteger};
constexpr int64_t kKeyCount = 60;

Value KeyValue(int64_t key) { return Value::Integer(static_cast<int32_t>(key)); }
Value TextValue(int64_t text) { return text == 0 ? Value() : Value::Varchar("text " + std::to_string(text)); }

/// A table of (k, s, v), unique by k and by (s, v), with an index over v and one of the words of s.
struct IndexedTable {
  IndexedTable() : memory(size_t{1} << 30), table(std::make_shared<Table>(kTypes, memory)) {
    const auto transaction = transactions.Begin();
    const TableWrite write{*transaction, "t"};
    by_key = table->indexes().Create(write, {"by_key", {"k"}, {0}, true});
    by_text = table->indexes().Create(write, {"by_text", {"s", "v"}, {1, 2}, true});
    by_value = table->indexes().Create(write, {"by_value", {"v"}, {2}, false});
    by_word = table->indexes().Create(write, {"by_word", {"s"}, {1}, false, {}, TextIndexScope()});
    transactions.Commit(*transaction);
  }

  MemoryTracker memory;
  TransactionManager transactions;
  std::shared_ptr<Table> table;
  TableIndexRef by_key, by_text, by_value, by_word;
};

std::vector<std::string> Sorted(const std::vector<Row>& rows) {
  std::vector<std::string> texts;
  for (const Row& row : rows) texts.push_back(TextOf(row));
  std::sort(texts.begin(), texts.end());
  return texts;
}

/// The rows that pass, with their numbers in front: by a scan, and by what an index finds.
std::vector<Row> Scan(const Table& table, const Transaction& transaction, std::vector<ScanFilter> filters) {
  TableScan scan(table.UnloggedView(transaction), kTypes, {{kRowNumberColumn, 0, 1, 2}, {std::move(filters)}},
                 KernelsOf(BestKernelLevel()), 16);
  return Drain(scan, {TypeId::kBigInt, kTypes[0], kTypes[1], kTypes[2]});
}

std::vector<Row> LookUp(const Table& table, const Transaction& transaction, std::vector<ScanFilter> filters) {
  const SeenIndexes seen = table.indexes().SeenBy(transaction);
  const auto choice = ChooseIndex(seen.indexes, filters);
  if (!choice) return {};
  auto found = FindRowsInRange(*choice, seen, UINT64_MAX).value();
  RowListScan scan(table.UnloggedView(transaction), kTypes,
                   {{kRowNumberColumn, 0, 1, 2}, {std::move(filters)}}, KernelsOf(BestKernelLevel()),
                   std::move(found.rows));
  std::vector<Row> rows;
  for (DataChunk chunk({TypeId::kBigInt, kTypes[0], kTypes[1], kTypes[2]}); scan.Next(chunk);) {
    for (Row& row : RowsOf(chunk)) rows.push_back(std::move(row));
  }
  return rows;
}

/// The rows with a text, by its words and a test of what they find.
std::vector<Row> LookUpText(const Table& table, const Transaction& transaction, const Value& text,
                            const std::string& query) {
  const auto parsed = std::make_shared<const TextQuery>(TextQuery::Parse(query));
  auto found =
      FindRowsOfTexts(table.indexes().SeenBy(transaction), {{1, kRootPath, parsed}}, UINT64_MAX / 32);
  if (!found) return {};
  RowListScan scan(table.UnloggedView(transaction), kTypes,
                   {{kRowNumberColumn, 0, 1, 2}, {{{1, ScanFilter::Op::kEqual, text}}}},
                   KernelsOf(BestKernelLevel()), std::move(*found));
  std::vector<Row> rows;
  for (DataChunk chunk({TypeId::kBigInt, kTypes[0], kTypes[1], kTypes[2]}); scan.Next(chunk);) {
    for (Row& row : RowsOf(chunk)) rows.push_back(std::move(row));
  }
  return rows;
}

std::vector<ScanFilter> RandomFilters(Random& random) {
  using Op = ScanFilter::Op;
  const auto key = static_cast<int64_t>(Below(random, kKeyCount));
  switch (Below(random, 5)) {
    case 0: return {{0, Op::kEqual, KeyValue(key)}};
    case 1: return {{0, Op::kGreaterEqual, KeyValue(key)}, {0, Op::kLess, KeyValue(key + 9)}};
    case 2: return {{1, Op::kEqual, TextValue(key % 5 + 1)}, {2, Op::kGreater, KeyValue(key)}};
    case 3: return {{1, Op::kIsNull, Value()}};
    default: return {{2, Op::kLessEqual, KeyValue(key / 4)}, {0, Op::kNotEqual, KeyValue(key)}};
  }
}

/// Some statements in one transaction, some of which fail and are taken back.
class Writer {
 public:
  Writer(IndexedTable& indexed, uint64_t seed) : indexed_(indexed), random_(seed) {}

  void Run() {
    const auto transaction = indexed_.transactions.Begin();
    const size_t statement_count = 1 + Below(random_, 5);
    size_t savepoint = 0;
    for (size_t i = 0; i < statement_count; i++) {
      const size_t mark = transaction->undo_mark();
      if (Below(random_, 4) == 0) savepoint = mark;
      try {
        RunStatement(*transaction);
      } catch (const Error& error) {
        const std::string state = error.sqlstate();
        if (state != "40001" && state != "23505") wrong_++;
        if (Below(random_, 3) == 0) return indexed_.transactions.Rollback(*transaction);
        indexed_.transactions.RollbackTo(*transaction, mark);
      }
      if (Below(random_, 8) == 0) indexed_.transactions.RollbackTo(*transaction, savepoint);
      CheckLookups(*transaction);
    }
    if (Below(random_, 4) == 0) return indexed_.transactions.Rollback(*transaction);
    try {
      indexed_.transactions.Commit(*transaction);
    } catch (const Error& error) {
      // A key that it found free, and gave up, has been taken.
      if (std::string(error.sqlstate()) != "40001") wrong_++;
    }
  }

  void CheckLookups(const Transaction& transaction) {
    const auto filters = RandomFilters(random_);
    const auto found = LookUp(*indexed_.table, transaction, filters);
    const auto scanned = Scan(*indexed_.table, transaction, filters);
    if (Sorted(found) != Sorted(scanned)) wrong_++;
    const auto number = static_cast<int64_t>(1 + Below(random_, 5));
    const std::string word = std::to_string(number);
    const std::string queries[] = {word, "text " + word, "tex* " + word + "*", "none OR " + word,
                                   word + " -none"};
    const auto with_text =
        Scan(*indexed_.table, transaction, {{1, ScanFilter::Op::kEqual, TextValue(number)}});
    for (const std::string& query : queries) {
      const auto by_words = LookUpText(*indexed_.table, transaction, TextValue(number), query);
      if (Sorted(by_words) != Sorted(with_text)) wrong_++;
    }
    std::set<std::string> keys;
    for (const Row& row : Scan(*indexed_.table, transaction, {})) {
      if (!keys.insert(row[1].ToString()).second) wrong_++;
    }
  }

  size_t wrong() const { return wrong_; }

 private:
  int64_t RandomKey() { return static_cast<int64_t>(Below(random_, kKeyCount)); }

  void RunStatement(Transaction& transaction) {
    const TableWrite write{transaction, "t"};
    Table& table = *indexed_.table;
    if (Below(random_, 2) == 0) {
      std::vector<Row> rows;
      for (size_t i = 0; i <= Below(random_, 3); i++)
        rows.push_back({KeyValue(RandomKey()), TextValue(RandomKey() % 6), KeyValue(RandomKey())});
      return Insert(random_, table, transaction, rows, indexed_.memory);
    }
    std::vector<RowNumber> numbers;
    for (const Row& row : Scan(table, transaction, RandomFilters(random_)))
      numbers.push_back(static_cast<RowNumber>(row[0].GetInteger()));
    if (Below(random_, 3) == 0) return table.Delete(write, numbers);
    const std::vector<size_t> columns =
        Below(random_, 2) == 0 ? std::vector<size_t>{0} : std::vector<size_t>{1, 2};
    std::vector<LogicalType> types;
    for (const size_t column : columns) types.push_back(kTypes[column]);
    std::vector<Row> values;
    const int64_t first = RandomKey();
    for (size_t i = 0; i < numbers.size(); i++) {
      const auto next = static_cast<int64_t>(i);
      values.push_back(columns.size() == 1 ? Row{KeyValue((first + next) % kKeyCount)}
                                           : Row{TextValue((first + next) % 6), KeyValue(first + next)});
    }
    if (numbers.empty()) return;
    DataChunk chunk = MakeChunk(random_, types, values);
    table.Update(write, numbers, columns, chunk);
    table.indexes().CheckKeys(write);
  }

  IndexedTable& indexed_;
  Random random_;
  size_t wrong_ = 0;
};

/// Once nobody is active: an entry for each row, and none besides.
void CheckIndexes(IndexedTable& indexed) {
  const auto transaction = indexed.transactions.Begin();
  const auto rows = ReadTable(*indexed.table, *transaction);
  for (const auto& index : {indexed.by_key, indexed.by_text, indexed.by_value})
    CHECK(index->tree().size() == rows.size());
  size_t word_count = 0;
  for (const Row& row : rows) word_count += row[1].is_null() ? 0 : 2;
  CHECK(indexed.by_word->tree().size() == word_count);
  for (const Row& row : rows) {
    IndexKey key;
    indexed.by_key->encoder().Append({&row[0], 1}, key);
    const auto found = indexed.table->indexes().FindKey({*transaction, "t"}, *indexed.by_key, key);
    CHECK(found.has_value());
  }
  indexed.transactions.Rollback(*transaction);
}

}  // namespace

TEST_CASE("indexes follow random transactions of one thread, beside a reader", "[storage][table]") {
  for (uint64_t seed = 1; seed <= 20; seed++) {
    IndexedTable indexed;
    Writer writer(indexed, seed);
    for (int round = 0; round < 10; round++) {
      const auto reader = indexed.transactions.Begin();
      const auto before = Sorted(ReadTable(*indexed.table, *reader));
      for (int i = 0; i < 20; i++) writer.Run();
      CHECK(Sorted(ReadTable(*indexed.table, *reader)) == before);
      writer.CheckLookups(*reader);
      indexed.transactions.Rollback(*reader);
      CheckIndexes(indexed);
    }
    CHECK(writer.wrong() == 0);
  }
}

TEST_CASE("indexes follow random transactions of several threads", "[storage][table]") {
  for (uint64_t seed = 1; seed <= 4; seed++) {
    IndexedTable indexed;
    std::vector<Writer> writers;
    for (uint64_t i = 0; i < 4; i++) writers.emplace_back(indexed, 100 * seed + i);
    std::vector<std::thread> threads;
    for (Writer& writer : writers) {
      threads.emplace_back([&writer] {
        for (int i = 0; i < 100; i++) writer.Run();
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const Writer& writer : writers) CHECK(writer.wrong() == 0);
    CheckIndexes(indexed);
  }
}

TEST_CASE("parts of keys are told apart", "[storage][index]") {
  const IndexKeyEncoder encoder({TypeId::kVarchar, TypeId::kInteger, TypeId::kVarchar});
  const std::vector<Value> values = {Value::Varchar(std::string("a\0b\1", 4)), Value(), Value::Varchar("")};
  IndexKey key;
  encoder.Append(values, key);
  for (size_t i = 0; i < values.size(); i++) {
    IndexKey expected;
    IndexKeyEncoder({encoder.types()[i]}).Append({&values[i], 1}, expected);
    const KeyBytes part = encoder.ColumnOf(key, i);
    CHECK(IndexKey(part.begin(), part.end()) == expected);
  }
}

}  // namespace scaup::test
