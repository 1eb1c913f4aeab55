// Binds WITH: shared queries, which are bound once, and recursive queries.
#include <fmt/format.h>

#include <set>
#include <utility>

#include "binder/scope/bind_statement.hpp"
#include "binder/scope/coercion.hpp"
#include "binder/scope/collation.hpp"
#include "binder/scope/query_binder.hpp"
#include "common/throw.hpp"

namespace scaup {

/// A WITH query while its statement is being bound.
struct CteInBinding {
  std::shared_ptr<BoundCte> cte = std::make_shared<BoundCte>();
  enum class State : uint8_t {
    kNew,
    kPlain,  ///< being bound; not known to be recursive
    kFirst,  ///< the non-recursive term is being bound
    kNext,   ///< the recursive term is being bound
    kDone,
  } state = State::kNew;
  size_t self_references = 0;
  const ast::SelectStatement* statement = nullptr;
  BindSession::Surroundings around_next;  ///< at the start of the recursive term
};

namespace {

using State = CteInBinding::State;

[[noreturn]] void ThrowRecursion(const std::string& message, size_t position) {
  ThrowError(ErrorKind::kBinder, sqlstate::kInvalidRecursion, message, position);
}

/// Throws the error for a query that refers to itself but does not have the form of a recursive query.
[[noreturn]] void RefuseForm(const std::string& name, const ast::SelectStatement* form, size_t position) {
  if (form == nullptr) {
    ThrowRecursion(fmt::format("recursive query \"{}\" must not contain data-modifying statements", name),
                   position);
  }
  const ast::SelectStatement& statement = *form;
  const bool is_union = statement.set_operation == ast::SetOperation::kUnion;
  const auto refuse = [&](const char* clause) {
    ThrowNotSupported(fmt::format("{} in a recursive query is not implemented", clause), statement.position);
  };
  if (is_union && !statement.order_by.empty()) refuse("ORDER BY");
  if (is_union && statement.offset) refuse("OFFSET");
  if (is_union && statement.limit) refuse("LIMIT");
  ThrowRecursion(
      fmt::format(
          "recursive query \"{}\" does not have the form non-recursive-term UNION [ALL] recursive-term",
          name),
      position);
}

/// Returns the level around the body of a WITH query. The body sees names as at its definition, not as at its
/// use.
QueryLevel LevelOfBody(QueryLevel& outer, const FoundWith& with) {
  QueryLevel level;
  level.outer = &outer;
  level.defined_at = with.level;
  level.defining_with = with.level->is_recursive ? with.level->visible_with : with.index;
  return level;
}

/// Checks a reference of a query to itself.
void CheckSelfReference(BindSession& session, CteInBinding& binding, const ast::NamedTable& table) {
  const auto refuse = [&](const char* place) {
    ThrowRecursion(fmt::format("recursive reference to query \"{}\" must not appear {}", table.name, place),
                   table.position);
  };
  switch (binding.state) {
    case State::kPlain: RefuseForm(table.name, binding.statement, table.position);
    case State::kFirst: refuse("within its non-recursive term"); break;
    case State::kNew:
    case State::kNext:
    case State::kDone: break;
  }
  const BindSession::Surroundings &now = session.surroundings, &then = binding.around_next;
  if (now.subqueries > then.subqueries) refuse("within a subquery");
  if (now.outer_joins > then.outer_joins) refuse("within an outer join");
  if (now.intersects > then.intersects) refuse("within INTERSECT");
  if (now.excepts > then.excepts) refuse("within EXCEPT");
  if (binding.self_references++ > 0) refuse("more than once");
}

/// Binds `first UNION [ALL] next`. Returns false if `next` does not refer to the query, which is not
/// recursive then.
bool BindRecursive(BindSession& session, const FoundWith& with, CteInBinding& binding) {
  const ast::SelectStatement& statement = *with.query->query;
  BoundCte& cte = *binding.cte;
  QueryLevel level = LevelOfBody(*with.level, with);
  binding.state = State::kFirst;
  const size_t first_count = statement.operands.size() - 1;
  QueryLevel level_of_union;  // several operands are one query level deeper
  level_of_union.outer = &level;
  cte.query = BindOperands(session, statement, first_count > 1 ? level_of_union : level, first_count,
                           Untyped::kSettle);
  cte.names = cte.query->names;
  cte.types = cte.query->types;
  RenameColumns(cte.names, with.query->column_aliases, with.query->name, with.query->position);
  binding.state = State::kNext;
  binding.around_next = session.surroundings;
  cte.round_share = session.NewTableIndex();
  cte.next = BindQuery(session, *statement.operands.back(), &level, Untyped::kKeep);
  if (binding.self_references > 0 && statement.by_name)
    ThrowNotSupported("UNION BY NAME in a recursive query; list the columns in the same order instead",
                      statement.operands.back()->position);
  return binding.self_references > 0;
}

/// Refuses a column whose later rows have another collation than the first, and one that UNION would have to
/// compare by its collation.
void CheckCollations(BindSession& session, BoundCte& cte, size_t column, size_t position) {
  const DerivedCollation first = CollationOfColumn(session, *cte.query, column);
  const DerivedCollation next = CollationOfColumn(session, *cte.next, column);
  if (!(first.collation == next.collation)) {
    const auto shown = [](const Collation& collation) {
      return collation.name.empty() ? "default" : collation.name;
    };
    ThrowError(ErrorKind::kBinder, "42P21",
               fmt::format("recursive query \"{}\" column {} has collation \"{}\" in non-recursive term but "
                           "collation \"{}\" overall; use the COLLATE clause to set the collation of the "
                           "non-recursive term",
                           cte.name, column + 1, shown(first.collation), shown(next.collation)),
               position);
  }
  if (cte.is_distinct) RequireBytes(session, *cte.query, column, "UNION in a recursive query", position);
}

void CheckRecursive(BindSession& session, const FoundWith& with, BoundCte& cte) {
  const ast::SelectStatement& statement = *with.query->query;
  const size_t position = statement.operands.back()->position;
  if (cte.next->types.size() != cte.types.size()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               "each UNION query must have the same number of columns", position);
  }
  for (size_t i = 0; i < cte.types.size(); i++) {
    if (cte.next->types[i].id() == TypeId::kNull) TypeOutput(session, *cte.next, i, cte.types[i]);
    CommonTypeFinder finder("UNION");
    finder.Add(cte.types[i], position);
    finder.Add(cte.next->types[i], position);
    if (finder.type() == cte.types[i]) continue;
    ThrowError(
        ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
        fmt::format("recursive query \"{}\" column {} has type {} in non-recursive term but type {} overall; "
                    "cast the output of the non-recursive term to the right type",
                    cte.name, i + 1, cte.types[i].ToString(), finder.type().ToString()),
        position);
  }
  cte.is_distinct = !statement.set_all;
  for (size_t i = 0; i < cte.types.size(); i++) CheckCollations(session, cte, i, position);
}

void BindPlain(BindSession& session, const FoundWith& with, CteInBinding& binding) {
  BoundCte& cte = *binding.cte;
  QueryLevel level = LevelOfBody(*with.level, with);
  binding.state = State::kPlain;
  cte.next = nullptr;
  cte.query = BindQuery(session, *with.query->query, &level);
  cte.names = cte.query->names;
  cte.types = cte.query->types;
  RenameColumns(cte.names, with.query->column_aliases, with.query->name, with.query->position);
}

/// Returns the RETURNING of a statement in WITH; null if it has none.
const BoundReturning* ReturningOf(BoundStatement& statement) {
  const std::optional<BoundReturning>& returning =
      statement.kind == BoundStatementKind::kInsert   ? statement.As<BoundInsert>().returning
      : statement.kind == BoundStatementKind::kUpdate ? statement.As<BoundUpdate>().returning
      : statement.kind == BoundStatementKind::kMerge  ? statement.As<BoundMerge>().returning
                                                      : statement.As<BoundDelete>().returning;
  return returning ? &*returning : nullptr;
}

/// Binds INSERT, UPDATE, DELETE or MERGE in WITH.
void BindChange(BindSession& session, const FoundWith& with, CteInBinding& binding) {
  if (!session.allows_changes || (with.level->outer != nullptr && !with.level->outer->is_trigger) ||
      session.view != nullptr) {
    ThrowNotSupported("WITH clause containing a data-modifying statement must be at the top level",
                      with.query->position);
  }
  BoundCte& cte = *binding.cte;
  QueryLevel level = LevelOfBody(*with.level, with);
  binding.state = State::kPlain;
  QueryLevel* const around = std::exchange(session.around, &level);
  cte.change = BindStatement(session, *with.query->change);
  session.around = around;
  if (const BoundReturning* returning = ReturningOf(*cte.change)) {
    cte.names = returning->names;
    for (const ExpressionPtr& item : returning->items) cte.types.push_back(item->type());
  }
  RenameColumns(cte.names, with.query->column_aliases, with.query->name, with.query->position);
}

/// Binds a WITH query, unless it has been bound before.
CteInBinding& Bind(BindSession& session, const FoundWith& with) {
  auto& slot = with.level->bound_with[with.index];
  if (slot) return *slot;
  slot = std::make_shared<CteInBinding>();
  const std::shared_ptr<CteInBinding> binding = slot;
  binding->statement = with.query->query.get();
  binding->cte->name = with.query->name;
  binding->cte->share = session.NewTableIndex();
  binding->cte->always_kept = with.query->materialized.value_or(false) || with.query->change != nullptr;
  if (with.query->change) {
    BindChange(session, with, *binding);
    binding->state = State::kDone;
    with.level->ctes.push_back(binding->cte);
    return *binding;
  }
  const ast::SelectStatement& statement = *with.query->query;
  const bool may_recur = with.level->is_recursive && statement.set_operation == ast::SetOperation::kUnion &&
                         statement.with.empty() && statement.order_by.empty() && !statement.limit &&
                         !statement.offset;
  // If it turns out not to be recursive, it is bound a second time as a plain query.
  if (may_recur && BindRecursive(session, with, *binding)) {
    CheckRecursive(session, with, *binding->cte);
  } else {
    BindPlain(session, with, *binding);
  }
  binding->state = State::kDone;
  with.level->ctes.push_back(binding->cte);
  return *binding;
}

}  // namespace

void BeginWith(const std::vector<ast::CommonTableExpression>& queries, bool is_recursive, QueryLevel& level) {
  std::set<std::string_view> names;
  for (const auto& with : queries) {
    if (!names.insert(with.name).second) {
      ThrowError(ErrorKind::kBinder, sqlstate::kDuplicateAlias,
                 fmt::format("WITH query name \"{}\" specified more than once", with.name), with.position);
    }
  }
  level.with = &queries;
  level.visible_with = queries.size();
  level.is_recursive = is_recursive;
  level.bound_with.resize(queries.size());
}

void FinishWith(BindSession& session, QueryLevel& level, BoundQuery& query) {
  for (auto& cte : FinishWith(session, level)) query.ctes.push_back(std::move(cte));
}

std::vector<std::shared_ptr<BoundCte>> FinishWith(BindSession& session, QueryLevel& level) {
  std::vector<std::shared_ptr<BoundCte>> used;
  if (level.with == nullptr) return used;
  for (size_t i = 0; i < level.with->size(); i++) {
    Bind(session, {&(*level.with)[i], &level, i});
  }
  for (auto& cte : level.ctes) {
    // An unused query is bound only to find its errors. Statements that change data always run.
    if (cte->use_count > 0 || cte->change) used.push_back(std::move(cte));
  }
  level.ctes.clear();
  return used;
}

BoundTableRefPtr BindWithTable(BindSession& session, const FoundWith& with, QueryLevel& level,
                               const ast::NamedTable& table, std::vector<std::string>& names,
                               std::vector<LogicalType>& types, size_t& table_index) {
  auto& slot = with.level->bound_with[with.index];
  // NOT MATERIALIZED: inline the query at each use.
  const bool is_bound_anew =
      with.query->materialized == false && !with.query->change && !with.level->is_recursive;
  if (is_bound_anew) {
    QueryLevel body = LevelOfBody(level, with);
    BoundQueryPtr query = BindQuery(session, *with.query->query, &body);
    RenameColumns(query->names, with.query->column_aliases, with.query->name, with.query->position);
    names = query->names;
    types = query->types;
    table_index = query->table_index;
    return std::make_unique<BoundQueryTable>(std::move(query));
  }
  const bool is_inside = slot && slot->state != State::kDone;
  if (is_inside) {
    CheckSelfReference(session, *slot, table);
    level.reads_round = true;
  }
  CteInBinding& binding = is_inside ? *slot : Bind(session, with);
  binding.cte->use_count += !is_inside;
  if (binding.cte->change && ReturningOf(*binding.cte->change) == nullptr) {
    ThrowNotSupported(fmt::format("WITH query \"{}\" does not have a RETURNING clause", table.name),
                      table.position);
  }
  names = binding.cte->names;
  types = binding.cte->types;
  table_index = session.NewTableIndex();
  if (binding.cte->change) {
    const BoundReturning& returning = *ReturningOf(*binding.cte->change);
    for (size_t i = 0; i < returning.items.size(); i++) {
      const ColumnRefExpression item(types[i], {returning.table_index, i}, names[i]);
      NoteCollation(session, {table_index, i}, CollationOf(session, item));
    }
  }
  // A reference from inside does not own the query; the cycle would never be freed.
  auto cte =
      is_inside ? std::shared_ptr<BoundCte>(std::shared_ptr<BoundCte>(), binding.cte.get()) : binding.cte;
  return std::make_unique<BoundCteTable>(table_index, std::move(cte), is_inside);
}

}  // namespace scaup
