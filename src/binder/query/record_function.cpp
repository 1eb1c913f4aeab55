// json_to_record, json_to_recordset and their JSONB variants: records whose columns FROM defines.
#include "binder/query/record_function.hpp"

#include <fmt/format.h>

#include <utility>

#include "binder/scope/coercion.hpp"
#include "binder/scope/literal.hpp"
#include "common/throw.hpp"

namespace scaup {

static bool ReturnsSet(std::string_view name) { return name.ends_with("_to_recordset"); }

bool IsRecordFunction(std::string_view name) {
  return name == "json_to_record" || name == "jsonb_to_record" || name == "json_to_recordset" ||
         name == "jsonb_to_recordset";
}

static void CheckCall(const ast::FunctionTable& table, const ast::FunctionCall& call) {
  const std::string& name = call.name.back();
  if (!IsRecordFunction(name)) {
    ThrowError(
        ErrorKind::kBinder, sqlstate::kSyntaxError,
        fmt::format("{} defines its columns itself; a list of column definitions, AS t(a INTEGER), is for "
                    "json_to_record and json_to_recordset; write AS t(a) to rename columns",
                    name),
        table.record->position);
  }
  if (!table.record) {
    ThrowError(ErrorKind::kBinder, sqlstate::kSyntaxError,
               fmt::format("{} needs a list of its columns: {}(...) AS t(a INTEGER, b VARCHAR)", name, name),
               call.position);
  }
  if (call.arguments.size() == 1 && table.further_calls.empty()) return;
  ThrowError(ErrorKind::kBinder, sqlstate::kUndefinedFunction,
             fmt::format("{} takes one argument, a JSON {}", name, ReturnsSet(name) ? "array" : "object"),
             call.position);
}

std::vector<ExpressionPtr> BindRecords(ExpressionBinder& binder, const ast::FunctionTable& table,
                                       const ast::FunctionCall& call) {
  CheckCall(table, call);
  const std::string& name = call.name.back();
  BindSession& session = binder.session();
  const LogicalType record = BindTypeName(&session, *table.record);
  const LogicalType json = name.starts_with("jsonb") ? TypeId::kJsonb : TypeId::kJson;
  ExpressionPtr value = Coerce(session, binder.Bind(*call.arguments[0]), json);
  const bool is_set = ReturnsSet(name);
  value = Coerce(session, std::move(value), is_set ? LogicalType::List(record) : record);
  std::vector<ExpressionPtr> lists;
  lists.push_back(std::move(value));
  if (is_set) return lists;
  ExpressionPtr list = MakeScalarCall(session, "list_value", std::move(lists), call.position);
  lists.clear();
  lists.push_back(std::move(list));
  return lists;
}

}  // namespace scaup
