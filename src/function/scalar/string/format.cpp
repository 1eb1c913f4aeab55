// format, quote_literal and quote_ident: texts made from values, safe to paste into SQL.
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

void AppendLiteral(std::string_view text, std::string& out) {
  const bool has_backslash = text.find('\\') != text.npos;
  if (has_backslash) out += "E";
  out.push_back('\'');
  for (const char c : text) {
    if (c == '\'' || c == '\\') out.push_back(c);
    out.push_back(c);
  }
  out.push_back('\'');
}

/// Quoted unless it is a plain lower-case word.
void AppendIdentifier(std::string_view text, std::string& out) {
  const auto is_start = [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; };
  bool is_plain = !text.empty() && is_start(text[0]);
  for (const char c : text) is_plain &= is_start(c) || (c >= '0' && c <= '9');
  if (is_plain) {
    out.append(text);
    return;
  }
  out.push_back('"');
  for (const char c : text) {
    if (c == '"') out.push_back(c);
    out.push_back(c);
  }
  out.push_back('"');
}

template <void (*kAppend)(std::string_view, std::string&)>
void Quote(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string quoted;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    quoted.clear();
    kAppend(text.view(), quoted);
    return result.AddString(quoted);
  });
}

[[noreturn]] void ThrowFormat(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

void AppendArgument(char kind, bool is_null, std::string_view text, std::string& out) {
  switch (kind) {
    case 's':
      if (!is_null) out.append(text);
      return;
    case 'I':
      if (is_null)
        ThrowError(ErrorKind::kOutOfRange, "22004", "null values cannot be formatted as an SQL identifier");
      return AppendIdentifier(text, out);
    case 'L':
      if (is_null) {
        out += "NULL";
        return;
      }
      return AppendLiteral(text, out);
    default: ThrowFormat(std::string("unrecognized format() type specifier \"") + kind + "\"");
  }
}

/// %s the value, %I an identifier, %L a literal, %% a percent sign; %n$s names the n-th argument.
void FormatRow(std::string_view format, std::span<const TypedView<StringRef>> values, size_t row,
               std::string& out) {
  size_t next = 0;
  for (size_t i = 0; i < format.size(); i++) {
    if (format[i] != '%') {
      out.push_back(format[i]);
      continue;
    }
    if (++i >= format.size()) ThrowFormat("unterminated format() type specifier");
    if (format[i] == '%') {
      out.push_back('%');
      continue;
    }
    size_t digits = i, position = 0;
    while (digits < format.size() && format[digits] >= '0' && format[digits] <= '9' && position < 100000) {
      position = position * 10 + static_cast<size_t>(format[digits++] - '0');
    }
    if (digits > i && digits + 1 < format.size() && format[digits] == '$') {
      if (position == 0) ThrowFormat("format specifies argument 0, but arguments are numbered from 1");
      next = position - 1;
      i = digits + 1;
    }
    if (next >= values.size()) ThrowFormat("too few arguments for format()");
    const bool is_null = !values[next].IsValid(row);
    AppendArgument(format[i], is_null, is_null ? std::string_view() : values[next][row].view(), out);
    next++;
  }
}

void Format(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::vector<TypedView<StringRef>> views;
  for (size_t i = 0; i < arguments.column_count(); i++) {
    views.push_back(arguments.column(i).ViewAs<StringRef>(arguments.size()));
  }
  StringRef* out = result.MutableData<StringRef>();
  std::string text;
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!views[0].IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    text.clear();
    FormatRow(views[0][row].view(), std::span(views).subspan(1), row, text);
    out[row] = result.AddString(text);
  }
}

std::unique_ptr<FunctionData> BindTexts(ScalarFunction& function, std::span<const BindArgument> arguments) {
  function.argument_types.assign(arguments.size(), TypeId::kVarchar);
  return nullptr;
}

}  // namespace

ScalarFunctionList FormatFunctions() {
  const LogicalType text = TypeId::kVarchar;
  ScalarFunction format{.name = "format",
                        .argument_types = {text},
                        .return_type = text,
                        .kernel = &Format,
                        .description = "A text with %s (value), %I (identifier), %L (literal) filled in.",
                        .example = "format('%s has %s', 'scaup', 5)",
                        .varargs = kAnyType,
                        .bind = &BindTexts,
                        .nulls = NullHandling::kSpecial,
                        .any_types = true};
  ScalarFunction alone = format;
  alone.varargs = std::nullopt;
  return {format,
          alone,
          {.name = "quote_literal",
           .argument_types = {text},
           .return_type = text,
           .kernel = &Quote<&AppendLiteral>,
           .description = "The text as an SQL literal.",
           .example = "quote_literal('it''s')",
           .can_fail = false},
          {.name = "quote_ident",
           .argument_types = {text},
           .return_type = text,
           .kernel = &Quote<&AppendIdentifier>,
           .description = "The text as an SQL identifier.",
           .example = "quote_ident('My table')",
           .can_fail = false}};
}

}  // namespace scaup
