// Transforms function calls, and special syntax that means a call.
#include "parser/transform/transform.hpp"

#include "common/throw.hpp"
#include "type/schema_name.hpp"

namespace scaup {

using ast::ExpressionPtr;
using ast::FunctionCall;

namespace {

struct ValueFunction {
  std::string_view operation;
  const char* name;
};
constexpr ValueFunction kValueFunctions[] = {
    {"SVFOP_CURRENT_DATE", "current_date"},
    {"SVFOP_CURRENT_TIME", "current_time"},
    {"SVFOP_CURRENT_TIME_N", "current_time"},
    {"SVFOP_CURRENT_TIMESTAMP", "current_timestamp"},
    {"SVFOP_CURRENT_TIMESTAMP_N", "current_timestamp"},
    {"SVFOP_LOCALTIME", "localtime"},
    {"SVFOP_LOCALTIME_N", "localtime"},
    {"SVFOP_LOCALTIMESTAMP", "localtimestamp"},
    {"SVFOP_LOCALTIMESTAMP_N", "localtimestamp"},
    {"SVFOP_CURRENT_ROLE", "current_role"},
    {"SVFOP_CURRENT_USER", "current_user"},
    {"SVFOP_USER", "user"},
    {"SVFOP_SESSION_USER", "session_user"},
    {"SVFOP_CURRENT_CATALOG", "current_catalog"},
    {"SVFOP_CURRENT_SCHEMA", "current_schema"},
};

[[gnu::noinline]] void SetArguments(const StatementText& text, TreeNode body, FunctionCall& call) {
  const std::vector<TreeNode> arguments = body.Items("args");
  call.arguments.reserve(arguments.size());
  call.argument_names.reserve(arguments.size());
  for (const TreeNode& argument : arguments) {
    if (const TreeNode named = argument["NamedArgExpr"]) {
      call.argument_names.emplace_back(named.Text("name"));
      call.arguments.push_back(TransformExpression(text, named["arg"]));
    } else {
      call.argument_names.emplace_back();
      call.arguments.push_back(TransformExpression(text, argument));
    }
  }
}

/// Transforms the parts of a call that contain no expressions, out of line to save stack in the recursion.
[[gnu::noinline]] std::unique_ptr<FunctionCall> StartCall(const StatementText& text, TreeNode body) {
  const int64_t location = body.Integer("location");
  RefuseOtherFields(text, body, "a function call",
                    {"funcname", "args", "agg_order", "agg_filter", "over", "agg_within_group", "agg_star",
                     "agg_distinct", "funcformat", "location"},
                    location);
  auto call = std::make_unique<FunctionCall>();
  call->position = text.Position(location);
  call->name = body.Strings("funcname");
  if (call->name.size() > 1 && call->name[0] == "pg_catalog") {
    call->name.erase(call->name.begin());
    if (body.Text("funcformat") == "COERCE_SQL_SYNTAX" && call->name[0] == "extract")
      call->name[0] = "date_part";
  }
  if (call->name.size() == 2) call->name[0] = SchemaNamed(call->name[0]);
  call->star = body.Flag("agg_star");
  call->distinct = body.Flag("agg_distinct");
  call->within_group = body.Flag("agg_within_group");
  return call;
}

/// Makes a lambda of the call that the dialect step has written for it: lambda(x, y, body).
[[gnu::noinline]] ExpressionPtr LambdaFromCall(FunctionCall call) {
  auto lambda = std::make_unique<ast::Lambda>();
  lambda->position = call.position;
  lambda->body = std::move(call.arguments.back());
  call.arguments.pop_back();
  for (const auto& argument : call.arguments) {
    const bool is_column = argument->kind == ast::ExpressionKind::kColumn;
    if (!is_column || argument->As<ast::Column>().names.size() != 1) {
      ThrowError(ErrorKind::kSyntax, sqlstate::kSyntaxError, "a parameter of a lambda must be a name",
                 argument->position);
    }
    lambda->parameters.push_back(argument->As<ast::Column>().names[0]);
  }
  return lambda;
}

}  // namespace

std::unique_ptr<FunctionCall> MakeCall(const StatementText& text, std::string name, int64_t location) {
  auto call = std::make_unique<FunctionCall>();
  call->position = text.Position(location);
  call->name.push_back(std::move(name));
  return call;
}

/// Returns whether a call was written with IGNORE NULLS.
[[gnu::noinline]] static bool IgnoresNulls(const StatementText& text, int64_t location) {
  const size_t open = text.FindForward(TokenType::kLeftParen, text.TokenIndex(location));
  const size_t close = open < text.tokens.size() ? text.Closing(open) : open;
  return close < text.tokens.size() && text.tokens[close].mark == TokenMark::kIgnoreNulls;
}

ExpressionPtr TransformFunctionCall(const StatementText& text, TreeNode body) {
  auto call = StartCall(text, body);
  SetArguments(text, body, *call);
  if (body["agg_order"]) call->order_by = TransformOrderBy(text, body, "agg_order");
  call->filter = TransformOptional(text, body["agg_filter"]);
  if (const TreeNode over = body["over"]) {
    call->over = TransformOver(text, over);
    call->ignores_nulls = IgnoresNulls(text, body.Integer("location"));
  }
  call->is_unpacked = text.HasMark(body.Integer("location"), TokenMark::kUnpacked);
  if (text.HasMark(body.Integer("location"), TokenMark::kLambda)) return LambdaFromCall(std::move(*call));
  return RowFromCall(std::move(call));
}

ExpressionPtr TransformNamedArgument(const StatementText& text, TreeNode body) {
  Refuse(text, "a named argument here", body.Integer("location"));
}

ExpressionPtr TransformGroupingCall(const StatementText& text, TreeNode body) {
  auto call = MakeCall(text, "grouping", body.Integer("location"));
  SetArguments(text, body, *call);
  return call;
}

ExpressionPtr TransformCoalesce(const StatementText& text, TreeNode body) {
  auto call = MakeCall(text, "coalesce", body.Integer("location"));
  SetArguments(text, body, *call);
  return call;
}

ExpressionPtr TransformMinMax(const StatementText& text, TreeNode body) {
  auto call = MakeCall(text, body.Text("op") == "IS_LEAST" ? "least" : "greatest", body.Integer("location"));
  SetArguments(text, body, *call);
  return call;
}

ExpressionPtr TransformValueFunction(const StatementText& text, TreeNode body) {
  const std::string_view operation = body.Text("op");
  for (const ValueFunction& function : kValueFunctions) {
    if (function.operation != operation) continue;
    auto call = MakeCall(text, function.name, body.Integer("location"));
    if (!operation.ends_with("_N")) return call;
    // CURRENT_TIMESTAMP(2) is a cast of CURRENT_TIMESTAMP to its type with that precision.
    auto cast = std::make_unique<ast::Cast>();
    cast->position = cast->type.position = call->position;
    const bool is_zoned = call->name[0] == "current_timestamp";
    cast->type.names = {is_zoned ? "timestamptz" : call->name[0] == "localtimestamp" ? "timestamp" : "time"};
    cast->type.modifiers = {body.Integer("typmod")};
    cast->child = std::move(call);
    return cast;
  }
  Refuse(text, operation, body.Integer("location"));
}

}  // namespace scaup
