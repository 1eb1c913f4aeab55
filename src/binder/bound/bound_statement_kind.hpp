// The base class of bound statements, and their kinds.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "common/downcast.hpp"
#include "common/tree_deletion.hpp"

namespace scaup {

/// The kinds of bound statements: those up to kExplain have a plan, the others are utility statements. Each
/// has a row in one table: that of the planner, or that of main/statement/utility_statement.cpp.
enum class BoundStatementKind : uint8_t {
  kQuery,   ///< SELECT, VALUES; also SHOW and DESCRIBE, which are bound to VALUES
  kInsert,  ///< INSERT and COPY FROM
  kUpdate,
  kDelete,
  kMerge,
  kCreateTableAs,
  kCopyTo,
  kExplain,
  kTruncate,
  kLockTable,
  kSetConstraints,
  kCreateTable,
  kCreateSchema,
  kCreateIndex,
  kCreateSequence,
  kCreateView,  ///< also CREATE OR REPLACE VIEW, ALTER VIEW ... RENAME
  kRefresh,
  kCreateType,
  kCreateDomain,
  kAlterDomain,
  kCreateFunction,
  kAlterTable,
  kAlterType,
  kAlterSequence,
  kRenameIndex,
  kRenameSchema,
  kDrop,
  kDropFunction,
  kComment,
  kSet,
  kSetVariable,
  kDiscard,
  kTransaction,
  kCheckpoint,
  kVacuum,
  kExportDatabase,
  kImportDatabase,
  kAttach,
  kDetach,
  kUse,
  kCopyDatabase,
};

/// The result of binding. Owned by the caller; does not refer to the syntax tree.
struct BoundStatement : TreeDeletion<BoundStatement> {
  explicit BoundStatement(BoundStatementKind kind_in) : kind(kind_in) {}
  virtual ~BoundStatement() = default;
  BoundStatementKind kind;
  /// All table indexes in the statement are less than this.
  size_t next_table_index = 0;
  /// The database in which a statement runs that defines or changes something there; "" for the session's.
  std::string database = {};
  template <typename T>
  T& As() {
    return Downcast<T>(*this);
  }
  template <typename T>
  const T& As() const {
    return Downcast<const T>(*this);
  }
};
using BoundStatementPtr = std::unique_ptr<BoundStatement>;

}  // namespace scaup
