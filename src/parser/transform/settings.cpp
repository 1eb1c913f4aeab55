// Transforms SET, RESET, SHOW and PRAGMA.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include <string_view>
#include <utility>

#include "common/settings/search_path_text.hpp"
#include "common/throw.hpp"
#include "type/time/date_time.hpp"

namespace scaup {

namespace {

/// Returns the hours east of UTC for SET TIME ZONE INTERVAL '+02:00' HOUR TO MINUTE.
std::string ZoneOfInterval(const ast::IntervalLiteral& literal) {
  Interval interval;
  if (!ParseInterval(literal.text, interval) || interval.months != 0 || interval.days != 0) {
    ThrowError(
        ErrorKind::kSyntax, sqlstate::kInvalidParameterValue,
        fmt::format("the interval \"{}\" is no time zone; it must have hours and minutes only", literal.text),
        literal.position);
  }
  return fmt::format("{}", static_cast<double>(interval.micros) / static_cast<double>(kMicrosPerHour));
}

/// Returns the text of a constant, or of a name.
std::string ConstantText(const StatementText& text, TreeNode wrapped) {
  const ast::ExpressionPtr expression = TransformExpression(text, wrapped);
  if (expression->kind == ast::ExpressionKind::kColumn) {
    const auto& names = expression->As<ast::Column>().names;
    return fmt::format("{}", fmt::join(names, "."));
  }
  if (expression->kind == ast::ExpressionKind::kInterval) {
    return ZoneOfInterval(expression->As<ast::IntervalLiteral>());
  }
  if (expression->kind == ast::ExpressionKind::kLiteral) {
    const auto& literal = expression->As<ast::Literal>();
    switch (literal.literal) {
      case ast::Literal::Kind::kInteger: return fmt::format("{}", literal.integer);
      case ast::Literal::Kind::kBoolean: return literal.boolean ? "true" : "false";
      case ast::Literal::Kind::kNull: return "null";
      case ast::Literal::Kind::kNumber:
      case ast::Literal::Kind::kString:
      case ast::Literal::Kind::kBitString: return literal.text;
    }
  }
  SyntaxErrorAt(text, "a setting's value must be a constant", LocationOf(wrapped));
}

std::vector<std::string> ConstantTexts(const StatementText& text, const std::vector<TreeNode>& nodes) {
  std::vector<std::string> texts;
  for (const TreeNode& node : nodes) texts.push_back(ConstantText(text, node));
  return texts;
}

int64_t SecondToken(const StatementText& text) {
  return text.tokens.size() > 1 ? int64_t{text.tokens[1].start} : -1;
}

}  // namespace

ast::StatementPtr TransformSet(const StatementText& text, TreeNode body) {
  const std::string_view kind = body.Text("kind");
  if (kind == "VAR_SET_MULTI") return TransformSetTransaction(text, body);
  if (kind == "VAR_SET_CURRENT") Refuse(text, "SET ... FROM CURRENT", SecondToken(text));
  RefuseOtherFields(text, body, "SET", {"kind", "name", "args", "is_local"}, SecondToken(text));
  if (IsTransactionMode(body.Text("name"))) {
    // A default is for the session's next transactions, so it cannot end with this one.
    if (body.Flag("is_local") && body.Text("name").starts_with("default"))
      Refuse(text, "SET LOCAL of a default", SecondToken(text));
    const std::vector<std::string> values =
        kind == "VAR_SET_VALUE" ? ConstantTexts(text, body.Items("args")) : std::vector<std::string>();
    return TransformSetMode(text, body.Text("name"), values);
  }
  auto set = std::make_unique<ast::SetStatement>();
  set->name = kind == "VAR_RESET_ALL" ? "all" : body.Text("name");
  set->is_local = body.Flag("is_local");
  if (kind == "VAR_SET_VALUE") {
    std::vector<std::string> values = ConstantTexts(text, body.Items("args"));
    // Each value is the name of one schema, whatever is in it, so that names of several are read apart later.
    if (set->name == "search_path") {
      for (std::string& value : values) value = SearchPathName(value);
    }
    set->value = fmt::format("{}", fmt::join(values, ", "));
  }
  return set;
}

ast::StatementPtr TransformSetVariable(const StatementText& text, TreeNode wrapped) {
  auto set = std::make_unique<ast::SetVariableStatement>();
  auto query = TransformQuery(text, wrapped);
  set->name = query->items.at(0).alias;
  if (text.form == StatementForm::kSetVariable) set->query = std::move(query);
  return set;
}

ast::StatementPtr TransformShow(const StatementText&, TreeNode body) {
  auto show = std::make_unique<ast::ShowStatement>();
  show->name = body.Text("name");
  return show;
}

ast::StatementPtr TransformDiscard(const StatementText&, TreeNode body) {
  using Target = ast::DiscardStatement::Target;
  constexpr std::pair<std::string_view, Target> kTargets[] = {{"DISCARD_ALL", Target::kAll},
                                                              {"DISCARD_PLANS", Target::kPlans},
                                                              {"DISCARD_SEQUENCES", Target::kSequences},
                                                              {"DISCARD_TEMP", Target::kTemporary}};
  auto discard = std::make_unique<ast::DiscardStatement>();
  for (const auto& [name, target] : kTargets) {
    if (body.Text("target") == name) discard->target = target;
  }
  return discard;
}

ast::StatementPtr TransformUnlisten(const StatementText&, TreeNode) {
  auto discard = std::make_unique<ast::DiscardStatement>();
  discard->target = ast::DiscardStatement::Target::kListening;
  return discard;
}

ast::StatementPtr TransformPragma(const StatementText& text, TreeNode wrapped) {
  auto pragma = std::make_unique<ast::PragmaStatement>();
  const auto [tag, body] = wrapped.Unwrap();
  if (tag == "VariableShowStmt") {
    pragma->name = body.Text("name");
  } else if (tag == "VariableSetStmt") {
    RefuseOtherFields(text, body, "PRAGMA", {"kind", "name", "args"}, SecondToken(text));
    pragma->name = body.Text("name");
    pragma->arguments = ConstantTexts(text, body.Items("args"));
  } else {
    const auto targets = body.Items("targetList");
    const TreeNode call = targets.empty() ? TreeNode() : targets.front()["ResTarget"]["val"]["FuncCall"];
    if (!call)
      SyntaxErrorAt(text, "PRAGMA takes a name, name = value, or name(arguments)", SecondToken(text));
    RefuseOtherFields(text, call, "PRAGMA", {"funcname", "args", "funcformat", "location"},
                      SecondToken(text));
    pragma->name = fmt::format("{}", fmt::join(call.Strings("funcname"), "."));
    pragma->arguments = ConstantTexts(text, call.Items("args"));
  }
  return pragma;
}

}  // namespace scaup
