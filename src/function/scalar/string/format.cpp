// format, quote_literal, quote_nullable and quote_ident: texts made from values, safe to insert into SQL.
#include <algorithm>
#include <charconv>
#include <iterator>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"
#include "type/text/identifier_text.hpp"
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

void AppendIdentifier(std::string_view text, std::string& out) { out += IdentifierText(text); }

template <void (*kAppend)(std::string_view, std::string&)>
void Quote(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::string quoted;
  TextAccount account(call.context);
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    quoted.clear();
    account.Expect(quoted, text.size());
    kAppend(text.view(), quoted);
    account.Note(quoted);
    return result.AddString(quoted);
  });
}

/// Like quote_literal, but returns the text NULL for NULL.
void QuoteNullable(const ScalarCall&, DataChunk& arguments, Vector& result) {
  const auto texts = arguments.column(0).ViewAs<StringRef>(arguments.size());
  StringRef* out = result.MutableData<StringRef>();
  std::string quoted;
  for (size_t row = 0; row < arguments.size(); row++) {
    quoted = texts.IsValid(row) ? "" : "NULL";
    if (texts.IsValid(row)) AppendLiteral(texts[row].view(), quoted);
    out[row] = result.AddString(quoted);
  }
}

[[noreturn]] void ThrowFormat(const std::string& message) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue, message);
}

/// Which of format's values are booleans: these it prints in PostgreSQL's output form, "t" and "f", unlike
/// their cast to text.
struct FormatData final : FunctionData {
  std::vector<bool> is_boolean;
};

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
    default: ThrowInternal("format: unknown specifier");
  }
}

/// Formats one row: %s the value, %I an identifier, %L a literal, %% a percent sign. Between % and the letter
/// may be the argument's position (n$), - for left alignment, and a width: a number, * for the next argument,
/// or *n$.
class RowFormatter {
 public:
  RowFormatter(std::string_view format, std::span<const TypedView<StringRef>> values,
               const std::vector<bool>& is_boolean, size_t row, TextAccount& account)
      : format_(format), values_(values), is_boolean_(is_boolean), row_(row), account_(account) {}

  void Append(std::string& out) {
    while (at_ < format_.size()) {
      const char c = format_[at_++];
      if (c != '%') {
        out.push_back(c);
        continue;
      }
      if (at_ == format_.size()) ThrowUnterminated();
      if (format_[at_] == '%') {
        out.push_back('%');
        at_++;
      } else {
        AppendSpecifier(out);
      }
    }
  }

 private:
  [[noreturn]] static void ThrowUnterminated() {
    ThrowFormat("unterminated format() type specifier; for a single \"%\" use \"%%\"");
  }

  bool Take(char c) {
    if (at_ < format_.size() && format_[at_] == c) {
      at_++;
      return true;
    }
    return false;
  }
  std::optional<int64_t> TakeNumber() {
    const size_t begin = at_;
    int64_t number = 0;
    for (; at_ < format_.size() && format_[at_] >= '0' && format_[at_] <= '9'; at_++) {
      number = number * 10 + (format_[at_] - '0');
      if (number > INT32_MAX)
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kNumericOutOfRange, "number is out of range");
    }
    return at_ == begin ? std::nullopt : std::optional(number);
  }
  /// Reads n$, the argument's index. Returns false and consumes nothing if there is none.
  bool TakePosition() {
    const size_t begin = at_;
    const auto number = TakeNumber();
    if (!number || !Take('$')) {
      at_ = begin;
      return false;
    }
    if (*number == 0) ThrowFormat("format specifies argument 0, but arguments are numbered from 1");
    next_ = static_cast<size_t>(*number) - 1;
    return true;
  }
  size_t TakeArgument() {
    if (next_ >= values_.size()) ThrowFormat("too few arguments for format()");
    return next_++;
  }

  int64_t WidthFromArgument() {
    const size_t index = TakeArgument();
    if (!values_[index].IsValid(row_)) return 0;
    const std::string_view text = values_[index][row_].view();
    int64_t width = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
    if (error != std::errc() || end != text.data() + text.size() || width > INT32_MAX || width < -INT32_MAX) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
                 "invalid input syntax for type integer: \"" + std::string(text) + "\"");
    }
    return width;
  }

  void AppendSpecifier(std::string& out) {
    // A number with $ selects the argument; a width argument with a position comes after it.
    std::optional<size_t> argument;
    if (TakePosition()) argument = next_;
    bool is_left = false;
    while (Take('-')) is_left = true;
    int64_t width = 0;
    if (Take('*')) {
      const size_t before = next_;
      const bool by_number = TakePosition();
      width = WidthFromArgument();
      if (!by_number && argument) next_ = before;
    } else if (const auto number = TakeNumber()) {
      width = *number;
    }
    if (width < 0) {
      is_left = true;
      width = -width;
    }
    if (at_ == format_.size()) ThrowUnterminated();
    const char kind = format_[at_++];
    if (argument) next_ = *argument;
    if (kind != 's' && kind != 'I' && kind != 'L') {
      ThrowFormat(std::string("unrecognized format() type specifier \"") + kind +
                  "\"; for a single \"%\" use \"%%\"");
    }
    const size_t index = TakeArgument();
    const bool is_null = !values_[index].IsValid(row_);
    value_.clear();
    std::string_view text = is_null ? std::string_view() : values_[index][row_].view();
    if (is_boolean_[index]) text = text.substr(0, 1);
    AppendArgument(kind, is_null, text, value_);
    Pad(static_cast<size_t>(width), is_left, out);
  }

  void Pad(size_t width, bool is_left, std::string& out) {
    const size_t have = CountCharacters(value_);
    const size_t blanks = width > have ? width - have : 0;
    if (blanks >= kMostBlanks) {
      ThrowError(ErrorKind::kOutOfRange, sqlstate::kProgramLimitExceeded, "requested length too large");
    }
    account_.Expect(out, blanks + value_.size());
    if (!is_left) out.append(blanks, ' ');
    out.append(value_);
    if (is_left) out.append(blanks, ' ');
    account_.Note(out);
  }

  static constexpr size_t kMostBlanks = size_t{1} << 30;
  std::string_view format_;
  std::span<const TypedView<StringRef>> values_;
  const std::vector<bool>& is_boolean_;
  size_t row_;
  TextAccount& account_;
  size_t at_ = 0;
  size_t next_ = 0;
  std::string value_;
};

void Format(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  std::vector<TypedView<StringRef>> views;
  for (size_t i = 0; i < arguments.column_count(); i++) {
    views.push_back(arguments.column(i).ViewAs<StringRef>(arguments.size()));
  }
  const std::vector<bool>& is_boolean = static_cast<const FormatData*>(call.data)->is_boolean;
  StringRef* out = result.MutableData<StringRef>();
  std::string text;
  TextAccount account(call.context);
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!views[0].IsValid(row)) {
      result.SetNull(row);
      continue;
    }
    text.clear();
    RowFormatter(views[0][row].view(), std::span(views).subspan(1), is_boolean, row, account).Append(text);
    out[row] = result.AddString(text);
  }
}

std::unique_ptr<FunctionData> BindFormat(ScalarFunction& function, std::span<const BindArgument> arguments) {
  auto data = std::make_unique<FormatData>();
  for (const BindArgument& argument : arguments.subspan(std::min<size_t>(arguments.size(), 1)))
    data->is_boolean.push_back(argument.type.id() == TypeId::kBoolean);
  function.argument_types.assign(arguments.size(), TypeId::kVarchar);
  return data;
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
                        .bind = &BindFormat,
                        .nulls = NullHandling::kSpecial,
                        .any_types = true};
  ScalarFunction alone = format;
  alone.varargs = std::nullopt;
  return {format,
          alone,
          {.name = "quote_literal",
           .argument_types = {kAnyType},
           .return_type = text,
           .kernel = &Quote<&AppendLiteral>,
           .description = "The value as an SQL literal.",
           .example = "quote_literal('it''s')",
           .bind = &BindTexts,
           .can_fail = false,
           .any_types = true},
          {.name = "quote_nullable",
           .argument_types = {kAnyType},
           .return_type = text,
           .kernel = &QuoteNullable,
           .description = "The value as an SQL literal, NULL as the word NULL.",
           .example = "quote_nullable(NULL)",
           .bind = &BindTexts,
           .nulls = NullHandling::kSpecial,
           .can_fail = false,
           .any_types = true},
          {.name = "quote_ident",
           .argument_types = {text},
           .return_type = text,
           .kernel = &Quote<&AppendIdentifier>,
           .description = "The text as an SQL identifier.",
           .example = "quote_ident('My table')",
           .can_fail = false}};
}

}  // namespace scaup
