// Transforms arrays, rows and access to their parts: ARRAY[...], ROW(...), x[i], x[i:j], (x).field, op ANY
// (array).
#include "parser/transform/transform.hpp"

#include <algorithm>
#include <iterator>

#include "common/throw.hpp"

namespace scaup {

using ast::ExpressionPtr;

namespace {

/// A function whose named arguments are the fields of a struct: struct_update(s, a := 1).
struct FieldTaker {
  std::string_view name;
  size_t plain_arguments;  ///< how many arguments without a name come before
  bool is_row = false;     ///< it is nothing but the struct
};
constexpr FieldTaker kFieldTakers[] = {
    {"struct_pack", 0, true}, {"struct_insert", 1}, {"struct_update", 1}, {"union_value", 0}};

[[gnu::noinline]] ExpressionPtr MakeSubscript(const StatementText& text, TreeNode indices,
                                              ExpressionPtr child) {
  auto subscript = std::make_unique<ast::Subscript>();
  subscript->position = child->position;
  subscript->is_slice = indices.Flag("is_slice");
  subscript->child = std::move(child);
  if (subscript->is_slice) {
    subscript->low = TransformOptional(text, indices["lidx"]);
    subscript->high = TransformOptional(text, indices["uidx"]);
  } else {
    subscript->index = TransformExpression(text, indices["uidx"]);
  }
  return subscript;
}

}  // namespace

ExpressionPtr TransformArray(const StatementText& text, TreeNode body) {
  const int64_t location = body.Integer("location");
  auto array = std::make_unique<ast::Array>();
  array->position = text.Position(location);
  array->elements = TransformExpressions(text, body, "elements");
  return array;
}

ExpressionPtr TransformRow(const StatementText& text, TreeNode body) {
  auto row = std::make_unique<ast::Row>();
  row->position = text.Position(body.Integer("location"));
  row->values = TransformExpressions(text, body, "args");
  return row;
}

ExpressionPtr TransformIndirection(const StatementText& text, TreeNode body) {
  const std::vector<TreeNode> steps = body.Items("indirection");
  if (steps.size() > LogicalType::kMaxNesting) {  // no type is nested deeper; CheckDepth does not count steps
                                                  // without brackets
    ThrowError(ErrorKind::kSyntax, sqlstate::kStatementTooComplex,
               "there are too many subscripts or fields behind one another",
               text.Position(LocationOf(body["arg"])));
  }
  ExpressionPtr result = TransformExpression(text, body["arg"]);
  for (const TreeNode& step : steps) {
    const auto [tag, part] = step.Unwrap();
    if (tag == "A_Indices") {
      result = MakeSubscript(text, part, std::move(result));
    } else if (tag == "String") {
      auto field = std::make_unique<ast::Field>();
      field->position = result->position;
      field->child = std::move(result);
      field->name = part.Text("sval");
      result = std::move(field);
    } else {
      auto star = std::make_unique<ast::Star>();
      star->position = result->position;
      star->of = std::move(result);
      result = std::move(star);
    }
  }
  return result;
}

ExpressionPtr TransformArrayComparison(const StatementText& text, TreeNode body, bool is_any) {
  auto comparison = std::make_unique<ast::ArrayComparison>();
  comparison->position = text.Position(body.Integer("location"));
  comparison->symbol = OperatorSymbol(text, body, "name");
  comparison->is_any = is_any;
  comparison->child = TransformExpression(text, body["lexpr"]);
  comparison->array = TransformExpression(text, body["rexpr"]);
  return comparison;
}

ExpressionPtr RowFromCall(ExpressionPtr expression) {
  auto& call = static_cast<ast::FunctionCall&>(*expression);
  if (call.name.size() != 1) return expression;
  const auto* const taker = std::find_if(std::begin(kFieldTakers), std::end(kFieldTakers),
                                         [&](const FieldTaker& row) { return row.name == call.name[0]; });
  if (taker == std::end(kFieldTakers) || call.arguments.size() <= taker->plain_arguments ||
      call.argument_names.size() != call.arguments.size()) {
    return expression;
  }
  const auto plain = static_cast<ptrdiff_t>(taker->plain_arguments);
  auto& names = call.argument_names;
  // The columns of *COLUMNS(...) have names of their own.
  const auto is_field = [&](size_t index) {
    const ast::Expression& argument = *call.arguments[index];
    return !names[index].empty() || (argument.kind == ast::ExpressionKind::kFunctionCall &&
                                     argument.As<ast::FunctionCall>().is_unpacked);
  };
  for (size_t i = 0; i < names.size(); i++) {
    if (is_field(i) != (i >= taker->plain_arguments)) return expression;
  }
  auto row = std::make_unique<ast::Row>();
  row->position = call.position;
  row->values.assign(std::make_move_iterator(call.arguments.begin() + plain),
                     std::make_move_iterator(call.arguments.end()));
  row->names.assign(names.begin() + plain, names.end());
  if (taker->is_row) return row;
  call.arguments.resize(taker->plain_arguments);
  call.arguments.push_back(std::move(row));
  names.clear();
  return expression;
}

}  // namespace scaup
