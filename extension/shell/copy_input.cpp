// Writes COPY ... FROM STDIN as COPY ... FROM '/dev/stdin'.
#include "copy_input.hpp"

#include <string_view>

#include "scaup/statement_info.hpp"

namespace scaup::shell {

namespace {

std::string Quoted(std::string_view text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) {
    if (c == quote) quoted += c;
    quoted += c;
  }
  return quoted + quote;
}

template <typename Names>
std::string NameList(const Names& names) {
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : ", ") + Quoted(name, '"');
  return list;
}

std::string OptionText(const CopyStream::Option& option) {
  std::string text = option.name;
  if (!option.values.empty()) {
    text += " (" + NameList(option.values) + ")";
  } else if (option.has_value) {
    text += " " + Quoted(option.value, '\'');
  }
  return text;
}

}  // namespace

std::optional<std::string> CopyOfInput(const std::string& sql) {
  const std::vector<StatementInfo> statements = DescribeStatements(sql);
  if (statements.size() != 1 || !statements[0].copy || !statements[0].copy->is_from) return std::nullopt;
  const CopyStream& copy = *statements[0].copy;
  std::string text = "COPY ";
  if (!copy.schema.empty()) text += Quoted(copy.schema, '"') + ".";
  text += Quoted(copy.table, '"');
  if (!copy.columns.empty()) text += " (" + NameList(copy.columns) + ")";
  text += " FROM '/dev/stdin'";
  std::string options;
  for (const CopyStream::Option& option : copy.options)
    options += (options.empty() ? "" : ", ") + OptionText(option);
  return options.empty() ? text : text + " (" + options + ")";
}

}  // namespace scaup::shell
