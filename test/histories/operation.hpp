// What transactions of histories do: statements over two small tables, as data, as SQL, and made at random.
#pragma once

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

namespace scaup::test {

/// `kKeyed` has a primary key on k; both have columns id, k, a, b, s. No two rows ever have the same id.
/// `kPlain` may be a collection of documents with these keys, where s has values of several types.
enum class TableName : uint8_t { kPlain, kKeyed };
constexpr size_t kTableCount = 2;

enum class OperationKind : uint8_t {
  // Reads.
  kReadPoint,
  kReadKeyRange,
  kReadRange,
  kReadAll,
  kAggregate,
  kCount,
  kReadNulls,
  kJoin,
  // Writes; those from kInsertIfNone on choose by reading.
  kFill,  ///< rows low to high at once, each with its number for id, k and a
  kInsert,
  kInsertIfNone,
  kUpdatePoint,
  kUpdateRange,
  kUpdateText,
  kUpdateToNull,
  kUpdateNulls,
  kUpdateFromSum,
  kUpdateKey,
  kDeletePoint,
  kDeleteRange,
  // Marks.
  kSavepoint,
  kRollbackTo,
  kRelease,
};

struct Operation {
  OperationKind kind = OperationKind::kCount;
  TableName table = TableName::kPlain;
  int64_t low = 0;    ///< a key, or where a range begins
  int64_t high = 0;   ///< where the range ends
  int64_t value = 0;  ///< what is added or set
  int64_t id = 0;     ///< of the row to insert
  std::string text;   ///< of the row to insert, the new s of an update, or a savepoint's name
};

bool IsRead(OperationKind kind);
/// Whether it can make a row with a key that is in the way of others.
bool MakesKey(const Operation& operation);

std::string CreateTableSql(TableName table, bool has_keys, bool has_documents);
std::string ToSql(const Operation& operation);

struct OperationOptions {
  int64_t key_count = 12;  ///< keys are 0 .. key_count - 1 times the stride, values of a as well
  int64_t stride = 1;      ///< with many rows: so that the few keys lie far apart
  bool may_write = true;
  bool has_key_changes = true;
  bool has_keys = true;  ///< false: kKeyed is only read
};

/// `next_id` is counted up for rows to insert.
Operation MakeOperation(std::mt19937_64& random, const OperationOptions& options, int64_t& next_id);

}  // namespace scaup::test
