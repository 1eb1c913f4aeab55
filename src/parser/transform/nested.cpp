// Transforms arrays, rows and access to their parts: ARRAY[...], ROW(...), x[i], x[i:j], (x).field, op ANY
// (array).
#include "parser/transform/transform.hpp"

#include "common/throw.hpp"

namespace scaup {

using ast::ExpressionPtr;

namespace {

constexpr std::string_view kStructPack = "struct_pack";

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
  if (call.name.size() != 1 || call.name[0] != kStructPack || call.arguments.empty()) return expression;
  for (const std::string& name : call.argument_names) {
    if (name.empty()) return expression;
  }
  auto row = std::make_unique<ast::Row>();
  row->position = call.position;
  row->values = std::move(call.arguments);
  row->names = std::move(call.argument_names);
  return row;
}

}  // namespace scaup
