// Transforms CREATE SEQUENCE, ALTER SEQUENCE and the options of identity columns.
#include "parser/transform/transform.hpp"
#include "type/schema_name.hpp"

#include <charconv>
#include <set>

namespace scaup {

namespace {

/// Returns the number of an option. Small numbers may have lost their sign in the JSON; large ones are text.
int64_t OptionNumber(const StatementText& text, TreeNode option) {
  const int64_t location = option.Integer("location");
  const TreeNode argument = option["arg"];
  if (const TreeNode integer = argument["Integer"]) {
    size_t number = text.TokenIndex(location) + 1;
    if (text.IsKeyword(number, "with") || text.IsKeyword(number, "by")) ++number;
    return IntegerAt(text, integer.Integer("ival"), text.Location(number));
  }
  const std::string_view digits = argument["Float"].Text("fval");
  int64_t value = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  if (digits.empty() || error != std::errc() || end != digits.data() + digits.size())
    SyntaxErrorAt(text, "an option of a sequence must be a whole number of 64 bits", location);
  return value;
}

void ReadOption(const StatementText& text, TreeNode option, ast::SequenceOptions& options) {
  const std::string_view name = option.Text("defname");
  const TreeNode argument = option["arg"];
  if (name == "as") {
    options.type = TransformTypeName(text, argument["TypeName"]);
  } else if (name == "increment") {
    options.increment = OptionNumber(text, option);
  } else if (name == "minvalue") {
    options.no_minimum = !argument;
    if (argument) options.minimum = OptionNumber(text, option);
  } else if (name == "maxvalue") {
    options.no_maximum = !argument;
    if (argument) options.maximum = OptionNumber(text, option);
  } else if (name == "start") {
    options.start = OptionNumber(text, option);
  } else if (name == "cache") {
    options.cache = OptionNumber(text, option);
  } else if (name == "cycle") {
    options.cycle = argument["Boolean"].Flag("boolval");
  } else if (name == "restart") {
    options.restart = true;
    if (argument) options.restart_with = OptionNumber(text, option);
  } else if (name == "owned_by") {
    options.owned_by = argument["List"].Strings("items");
    if (options.owned_by.size() == 3) options.owned_by[0] = SchemaNamed(options.owned_by[0]);
  } else if (name == "sequence_name") {
    options.sequence_name = argument["List"].Strings("items");
    if (options.sequence_name.size() == 2) options.sequence_name[0] = SchemaNamed(options.sequence_name[0]);
  } else {
    Refuse(text, name, option.Integer("location"));
  }
}

}  // namespace

ast::SequenceOptions TransformSequenceOptions(const StatementText& text, TreeNode body) {
  ast::SequenceOptions options;
  std::set<std::string_view> names;
  for (const TreeNode& item : body.Items("options")) {
    const TreeNode option = item["DefElem"];
    const int64_t location = option.Integer("location");
    if (names.empty()) options.position = text.Position(location);
    if (!names.insert(option.Text("defname")).second)
      SyntaxErrorAt(text, "conflicting or redundant options", location);
    ReadOption(text, option, options);
  }
  return options;
}

ast::StatementPtr TransformCreateSequence(const StatementText& text, TreeNode body) {
  auto create = std::make_unique<ast::CreateSequenceStatement>();
  RefuseOtherFields(text, body, "CREATE SEQUENCE", {"sequence", "options", "if_not_exists"},
                    body["sequence"].Integer("location"));
  TransformRangeVar(text, body["sequence"], create->sequence);
  create->if_not_exists = body.Flag("if_not_exists");
  create->or_replace = text.or_replace;
  create->options = TransformSequenceOptions(text, body);
  if (create->options.restart)
    Refuse(text, "RESTART in CREATE SEQUENCE", body["sequence"].Integer("location"));
  return create;
}

ast::StatementPtr TransformAlterSequence(const StatementText& text, TreeNode body) {
  auto alter = std::make_unique<ast::AlterSequenceStatement>();
  RefuseOtherFields(text, body, "ALTER SEQUENCE", {"sequence", "options", "missing_ok"},
                    body["sequence"].Integer("location"));
  TransformRangeVar(text, body["sequence"], alter->sequence);
  alter->if_exists = body.Flag("missing_ok");
  alter->options = TransformSequenceOptions(text, body);
  return alter;
}

}  // namespace scaup
