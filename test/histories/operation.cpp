// Statements of histories as SQL, and made at random.
#include "histories/operation.hpp"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace scaup::test {

namespace {

// Of documents s may be a string, a number or a boolean.
constexpr const char* kColumns = "id, k, a, b, s::text";

const char* NameOf(TableName table) { return table == TableName::kPlain ? "plain" : "keyed"; }

TableName Other(TableName table) {
  return table == TableName::kPlain ? TableName::kKeyed : TableName::kPlain;
}

/// Kinds with how often they are chosen.
constexpr std::array<std::pair<OperationKind, int>, 8> kReads = {{{OperationKind::kReadPoint, 6},
                                                                  {OperationKind::kReadKeyRange, 3},
                                                                  {OperationKind::kReadRange, 4},
                                                                  {OperationKind::kReadAll, 1},
                                                                  {OperationKind::kAggregate, 3},
                                                                  {OperationKind::kCount, 1},
                                                                  {OperationKind::kReadNulls, 1},
                                                                  {OperationKind::kJoin, 1}}};
constexpr std::array<std::pair<OperationKind, int>, 11> kWrites = {{{OperationKind::kInsert, 5},
                                                                    {OperationKind::kInsertIfNone, 2},
                                                                    {OperationKind::kUpdatePoint, 5},
                                                                    {OperationKind::kUpdateRange, 2},
                                                                    {OperationKind::kUpdateText, 3},
                                                                    {OperationKind::kUpdateToNull, 1},
                                                                    {OperationKind::kUpdateNulls, 1},
                                                                    {OperationKind::kUpdateFromSum, 2},
                                                                    {OperationKind::kUpdateKey, 1},
                                                                    {OperationKind::kDeletePoint, 3},
                                                                    {OperationKind::kDeleteRange, 1}}};

template <size_t count>
OperationKind Choose(std::mt19937_64& random,
                     const std::array<std::pair<OperationKind, int>, count>& weights) {
  int sum = 0;
  for (const auto& [kind, weight] : weights) sum += weight;
  auto left = static_cast<int>(random() % static_cast<uint64_t>(sum));
  for (const auto& [kind, weight] : weights) {
    left -= weight;
    if (left < 0) return kind;
  }
  return weights[0].first;
}

std::string RandomText(std::mt19937_64& random) {
  switch (random() % 6) {
    case 0: return "";
    case 1: return fmt::format("s{}", random() % 10);
    case 2: return "exactly12byt";
    case 3: return std::to_string(random() % 100);
    case 4: return random() % 2 == 0 ? "true" : "false";
    default: return fmt::format("a string too long to be inline, number {}", random() % 1000);
  }
}

/// A text that reads as a number or a boolean is written as one: in documents it is one, in tables it becomes
/// text.
std::string LiteralOf(const std::string& text) {
  const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
  return is_number || text == "true" || text == "false" ? text : "'" + text + "'";
}

}  // namespace

bool IsRead(OperationKind kind) { return kind <= OperationKind::kJoin; }

bool MakesKey(const Operation& operation) {
  if (operation.table != TableName::kKeyed) return false;
  return operation.kind == OperationKind::kInsert || operation.kind == OperationKind::kInsertIfNone ||
         operation.kind == OperationKind::kUpdateKey;
}

std::string CreateTableSql(TableName table, bool has_keys, bool has_documents) {
  if (has_documents && table == TableName::kPlain)
    return fmt::format("CREATE COLLECTION IF NOT EXISTS {}", NameOf(table));
  return fmt::format("CREATE TABLE IF NOT EXISTS {} (id BIGINT, k BIGINT{}, a BIGINT, b BIGINT, s VARCHAR)",
                     NameOf(table), has_keys && table == TableName::kKeyed ? " PRIMARY KEY" : "");
}

std::string ToSql(const Operation& operation) {
  const char* table = NameOf(operation.table);
  const std::string range = fmt::format("BETWEEN {} AND {}", operation.low, operation.high);
  const std::string point = fmt::format("k = {}", operation.low);
  switch (operation.kind) {
    case OperationKind::kReadPoint:
      return fmt::format("SELECT {} FROM {} WHERE {} ORDER BY id", kColumns, table, point);
    case OperationKind::kReadKeyRange:
      return fmt::format("SELECT {} FROM {} WHERE k {} ORDER BY id", kColumns, table, range);
    case OperationKind::kReadRange:
      return fmt::format("SELECT {} FROM {} WHERE a {} ORDER BY id", kColumns, table, range);
    case OperationKind::kReadAll: return fmt::format("SELECT {} FROM {} ORDER BY id", kColumns, table);
    case OperationKind::kAggregate:
      return fmt::format("SELECT count(*), count(b), sum(b), min(a), max(k) FROM {} WHERE a {}", table,
                         range);
    case OperationKind::kCount: return fmt::format("SELECT count(*) FROM {}", table);
    case OperationKind::kReadNulls:
      return fmt::format("SELECT count(*), min(id) FROM {} WHERE b IS NULL", table);
    case OperationKind::kJoin:
      return fmt::format(
          "SELECT count(*), sum(x.a + y.a) FROM plain x JOIN keyed y ON x.k = y.k WHERE x.a {}", range);
    case OperationKind::kFill:
      return fmt::format(
          "INSERT INTO {} (id, k, a, b, s) SELECT i, i, i, i % 100, 'filler ' || i FROM generate_series({}, "
          "{}) AS "
          "r(i)",
          table, operation.low, operation.high);
    case OperationKind::kInsert:
      return fmt::format("INSERT INTO {} (id, k, a, b, s) VALUES ({}, {}, {}, {}, {})", table, operation.id,
                         operation.low, operation.high, operation.value, LiteralOf(operation.text));
    case OperationKind::kInsertIfNone:
      return fmt::format(
          "INSERT INTO {0} (id, k, a, b, s) SELECT {1}, {2}, {3}, {4}, {5} WHERE NOT EXISTS (SELECT 1 FROM "
          "{0} "
          "WHERE a BETWEEN {2} AND {3})",
          table, operation.id, operation.low, operation.high, operation.value, LiteralOf(operation.text));
    case OperationKind::kUpdatePoint:
      return fmt::format("UPDATE {} SET b = b + {} WHERE {}", table, operation.value, point);
    case OperationKind::kUpdateRange:
      return fmt::format("UPDATE {} SET a = a + {} WHERE a {}", table, operation.value, range);
    case OperationKind::kUpdateText:
      return fmt::format("UPDATE {} SET s = {} WHERE k {}", table, LiteralOf(operation.text), range);
    case OperationKind::kUpdateToNull: return fmt::format("UPDATE {} SET b = NULL WHERE {}", table, point);
    case OperationKind::kUpdateNulls:
      return fmt::format("UPDATE {} SET b = {} WHERE b IS NULL", table, operation.value);
    case OperationKind::kUpdateFromSum:
      // Qualified: a collection may have lost all documents with such a key, and the name means the other
      // one's.
      return fmt::format(
          "UPDATE {} SET b = (SELECT coalesce(sum(o.b), 0) % 1000 FROM {} AS o WHERE o.a {}) WHERE k = {}",
          table, NameOf(Other(operation.table)), range, operation.value);
    case OperationKind::kUpdateKey:
      return fmt::format("UPDATE {} SET k = {} WHERE {}", table, operation.value, point);
    case OperationKind::kDeletePoint: return fmt::format("DELETE FROM {} WHERE {}", table, point);
    case OperationKind::kDeleteRange: return fmt::format("DELETE FROM {} WHERE a {}", table, range);
    case OperationKind::kSavepoint: return "SAVEPOINT " + operation.text;
    case OperationKind::kRollbackTo: return "ROLLBACK TO " + operation.text;
    case OperationKind::kRelease: return "RELEASE " + operation.text;
  }
  return "";
}

Operation MakeOperation(std::mt19937_64& random, const OperationOptions& options, int64_t& next_id) {
  const auto below = [&](int64_t bound) {
    return static_cast<int64_t>(random() % static_cast<uint64_t>(bound));
  };
  Operation operation;
  operation.kind = options.may_write && random() % 2 == 0 ? Choose(random, kWrites) : Choose(random, kReads);
  operation.table = static_cast<TableName>(random() % kTableCount);
  if (!options.has_keys && !IsRead(operation.kind)) operation.table = TableName::kPlain;
  operation.low = below(options.key_count) * options.stride;
  operation.high = operation.low + below(3) * options.stride;
  operation.value = below(options.key_count) * options.stride;
  if (operation.kind == OperationKind::kUpdateKey && !options.has_key_changes)
    operation.kind = OperationKind::kUpdatePoint;
  if (operation.kind == OperationKind::kInsert) operation.high = below(options.key_count) * options.stride;
  if (operation.kind == OperationKind::kInsert || operation.kind == OperationKind::kInsertIfNone)
    operation.id = next_id++;
  // Several rows of one key cannot all get another.
  if (operation.kind == OperationKind::kUpdateRange || operation.kind == OperationKind::kUpdatePoint)
    operation.value = 1 + below(5);
  operation.text = RandomText(random);
  return operation;
}

}  // namespace scaup::test
