// Transforms COPY, and options of COPY, EXPLAIN and VACUUM.
#include "parser/transform/transform.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace scaup {

namespace {

/// Returns one value of an option as text. Integers are read from their tokens, because the JSON may have
/// lost their sign.
std::string OptionValue(const StatementText& text, TreeNode wrapped, int64_t location) {
  const auto [tag, value] = wrapped.Unwrap();
  if (tag == "String") return std::string(value.Text("sval"));
  if (tag == "Float") return std::string(value.Text("fval"));
  if (tag == "Boolean") return value.Flag("boolval") ? "true" : "false";
  if (tag == "A_Star") return "*";
  if (tag == "Integer") {
    const size_t number = text.TokenIndex(location) + 1;
    const int64_t begin = number < text.tokens.size() ? int64_t{text.tokens[number].start} : -1;
    return fmt::format("{}", IntegerAt(text, value.Integer("ival"), begin));
  }
  Refuse(text, "this option's value", location);
}

}  // namespace

ast::CopyOption TransformOption(const StatementText& text, TreeNode wrapped) {
  const TreeNode body = wrapped["DefElem"];
  const int64_t location = body.Integer("location");
  ast::CopyOption option;
  option.position = text.Position(location);
  option.name = body.Text("defname");
  std::transform(option.name.begin(), option.name.end(), option.name.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  const TreeNode argument = body["arg"];
  if (!argument) return option;
  option.has_value = true;
  if (const TreeNode list = argument["List"]) {
    for (const TreeNode& item : list.Items("items"))
      option.values.push_back(OptionValue(text, item, location));
  } else {
    option.value = OptionValue(text, argument, location);
  }
  return option;
}

bool OptionIsOn(const StatementText& text, const ast::CopyOption& option, int64_t location) {
  if (!option.has_value) return true;
  for (const char* on : {"true", "on", "1"}) {
    if (option.value == on) return true;
  }
  for (const char* off : {"false", "off", "0"}) {
    if (option.value == off) return false;
  }
  SyntaxErrorAt(text, fmt::format("{} takes true or false, not \"{}\"", option.name, option.value), location);
}

ast::StatementPtr TransformCopy(const StatementText& text, TreeNode body) {
  auto copy = std::make_unique<ast::CopyStatement>();
  const TreeNode relation = body["relation"];
  const int64_t location = relation ? relation.Integer("location") : -1;
  if (const TreeNode where = body["whereClause"]) Refuse(text, "WHERE in COPY", LocationOf(where));
  RefuseOtherFields(text, body, "COPY", {"relation", "query", "attlist", "is_from", "filename", "options"},
                    location);
  copy->is_from = body.Flag("is_from");
  copy->is_stream = !body["filename"];
  if (!copy->is_stream) copy->path = body.Text("filename");
  if (relation) TransformRangeVar(text, relation, copy->table);
  copy->columns = body.Strings("attlist");
  if (const TreeNode query = body["query"]) {
    copy->query = TransformQuery(text, query);
    // COPY ( query ) ...
    constexpr size_t kOpen = 1;
    const size_t close = text.Closing(kOpen);
    copy->query_position = text.tokens[kOpen + 1].origin;
    copy->query_text =
        text.sql.substr(copy->query_position, text.tokens[close].origin - copy->query_position);
  }
  for (const TreeNode& option : body.Items("options")) copy->options.push_back(TransformOption(text, option));
  return copy;
}

}  // namespace scaup
