// Transforms FOR UPDATE, FOR SHARE and LOCK TABLE.
#include <fmt/format.h>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "parser/transform/transform.hpp"

namespace scaup {

namespace {

struct Strength {
  std::string_view kind;
  const char* words;
};
constexpr Strength kStrengths[] = {{"LCS_FORUPDATE", "FOR UPDATE"},
                                   {"LCS_FORNOKEYUPDATE", "FOR NO KEY UPDATE"},
                                   {"LCS_FORSHARE", "FOR SHARE"},
                                   {"LCS_FORKEYSHARE", "FOR KEY SHARE"}};

/// The number of LOCK TABLE's mode SHARE, the first one in which nobody else may change the table.
constexpr int64_t kShareLock = 5;

/// Returns the position of the first clause of a query that begins at `from`, which libpg_query does not
/// tell.
size_t PositionOfClause(const StatementText& text, size_t from) {
  size_t index = 0;
  while (index < text.tokens.size() && text.tokens[index].origin < from) index++;
  for (index = text.FindKeyword("for", index); index + 1 < text.tokens.size();
       index = text.FindKeyword("for", index + 1)) {
    for (const std::string_view next : {"update", "share", "no", "key"}) {
      if (text.IsKeyword(index + 1, next)) return text.tokens[index].origin;
    }
  }
  return from;
}

void CheckRowsAreOfTables(const ast::SelectStatement& query, const ast::RowLock& lock) {
  const auto refuse = [&](const char* what) {
    ThrowNotSupported(fmt::format("{} {}", lock.words, what), lock.position);
  };
  if (query.set_operation != ast::SetOperation::kNone) refuse("is not allowed with UNION/INTERSECT/EXCEPT");
  if (!query.values.empty()) refuse("cannot be applied to VALUES");
  if (query.distinct) refuse("is not allowed with DISTINCT clause");
  if (!query.group_by.empty() || query.group_by_all) refuse("is not allowed with GROUP BY clause");
  if (query.having) refuse("is not allowed with HAVING clause");
}

void LockAllTables(ast::SelectStatement& query, const ast::RowLock& lock);

/// Locks what an item of FROM reads: a derived table's rows are those of its tables.
void LockItem(ast::TableRef& table, const ast::RowLock& lock) {
  CheckStack();
  table.locks_rows = true;
  if (table.kind == ast::TableRefKind::kJoin) {
    auto& join = static_cast<ast::Join&>(table);
    LockItem(*join.left, lock);
    LockItem(*join.right, lock);
  } else if (table.kind == ast::TableRefKind::kSubquery) {
    LockAllTables(*static_cast<ast::SubqueryTable&>(table).query, lock);
  }
}

void LockAllTables(ast::SelectStatement& query, const ast::RowLock& lock) {
  CheckRowsAreOfTables(query, lock);
  if (!query.row_lock) query.row_lock = lock;
  for (const ast::TableRefPtr& table : query.from) LockItem(*table, lock);
}

ast::TableRef* FindItem(ast::TableRef& table, std::string_view name) {
  CheckStack();
  if (table.kind == ast::TableRefKind::kJoin) {
    auto& join = static_cast<ast::Join&>(table);
    ast::TableRef* const found = FindItem(*join.left, name);
    if (found != nullptr) return found;
    if (ast::TableRef* const right = FindItem(*join.right, name)) return right;
  }
  if (!table.alias.empty()) return table.alias == name ? &table : nullptr;
  const bool is_named =
      table.kind == ast::TableRefKind::kTable && static_cast<ast::NamedTable&>(table).name == name;
  return is_named ? &table : nullptr;
}

/// Locks the table that OF names, by the name that it has in the query.
void LockNamed(const StatementText& text, TreeNode relation, ast::SelectStatement& query,
               const ast::RowLock& lock) {
  const std::string name(relation.Text("relname"));
  const size_t position = text.Position(relation.Integer("location"));
  if (relation["schemaname"]) {
    ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError,
               fmt::format("{} must specify unqualified relation names", lock.words), position);
  }
  CheckRowsAreOfTables(query, lock);
  ast::TableRef* found = nullptr;
  for (const ast::TableRefPtr& table : query.from) {
    if (found == nullptr) found = FindItem(*table, name);
  }
  if (found == nullptr) {
    ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedTable,
               fmt::format("relation \"{}\" in {} clause not found in FROM clause", name, lock.words),
               position);
  }
  if (found->kind == ast::TableRefKind::kFunction || found->kind == ast::TableRefKind::kPivot)
    ThrowNotSupported(fmt::format("{} cannot be applied to a function", lock.words), position);
  LockItem(*found, lock);
}

}  // namespace

void TransformRowLocks(const StatementText& text, TreeNode body, ast::SelectStatement& query) {
  for (const TreeNode& wrapped : body.Items("lockingClause")) {
    const TreeNode clause = wrapped["LockingClause"];
    ast::RowLock lock{kStrengths[0].words, PositionOfClause(text, query.position)};
    for (const Strength& strength : kStrengths) {
      if (clause.Text("strength") == strength.kind) lock.words = strength.words;
    }
    if (clause.Text("waitPolicy") == "LockWaitSkip") {
      ThrowNotSupported(
          "SKIP LOCKED is not supported: rows are not locked but validated at COMMIT, so there are none to "
          "skip; leave it out, and repeat the transaction if it fails with SQLSTATE 40001",
          lock.position);
    }
    if (!query.row_lock) query.row_lock = lock;
    const std::vector<TreeNode> relations = clause.Items("lockedRels");
    if (relations.empty()) LockAllTables(query, lock);
    for (const TreeNode& relation : relations) LockNamed(text, relation["RangeVar"], query, lock);
  }
}

ast::StatementPtr TransformLockTable(const StatementText& text, TreeNode body) {
  auto lock = std::make_unique<ast::LockTableStatement>();
  RefuseOtherFields(text, body, "LOCK TABLE", {"relations", "mode", "nowait"}, text.Location(0));
  for (const TreeNode& relation : body.Items("relations"))
    TransformRangeVar(text, relation["RangeVar"], lock->tables.emplace_back());
  lock->keeps_rows = body.Integer("mode") >= kShareLock;
  return lock;
}

}  // namespace scaup
