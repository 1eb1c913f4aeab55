// regexp_replace: replaces matches of a regular expression.
#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/scalar/string/regular_expression.hpp"
#include "function/scalar/string/utf8.hpp"
#include "function/text_account.hpp"

namespace scaup {
namespace {

/// A compiled replacement text: \\& is the whole match, \\1 .. \\9 are groups, \\\\ is a backslash, and other
/// backslashes are literal.
class Replacement {
 public:
  void Read(std::string_view text) {
    pieces_.clear();
    pieces_.push_back({});
    greatest_group_ = 0;
    for (size_t i = 0; i < text.size(); i++) {
      const char next = text[i] == '\\' && i + 1 < text.size() ? text[i + 1] : '\0';
      if (next == '&' || (next >= '1' && next <= '9')) {
        pieces_.back().group = next == '&' ? 0 : next - '0';
        greatest_group_ = std::max(greatest_group_, pieces_.back().group);
        pieces_.push_back({});
        i++;
      } else {
        pieces_.back().literal.push_back(text[i]);
        i += next == '\\';
      }
    }
  }
  /// The number of parts of a match that are needed, limited by the groups that `expression` has.
  size_t PartCount(const RegularExpression& expression) const {
    return std::min(static_cast<size_t>(greatest_group_), expression.group_count()) + 1;
  }
  /// Appends the replacement. Groups that the pattern lacks, or that took no part, are empty.
  void Append(std::span<const std::string_view> parts, std::string& out, TextAccount& account) const {
    const auto append = [&](std::string_view text) {
      account.Expect(out, text.size());
      out.append(text);
    };
    for (const Piece& piece : pieces_) {
      append(piece.literal);
      if (piece.group >= 0 && static_cast<size_t>(piece.group) < parts.size())
        append(parts[static_cast<size_t>(piece.group)]);
    }
  }

 private:
  /// Literal text, followed by a group.
  struct Piece {
    std::string literal;
    int group = -1;  ///< no group
  };
  std::vector<Piece> pieces_;
  int greatest_group_ = 0;
};

/// Replaces the occurrence-th match from byte `begin` on; 0 means all.
void ReplaceMatches(const RegularExpression& expression, const Replacement& replacement,
                    std::string_view text, size_t begin, int32_t occurrence, std::string& out,
                    TextAccount& account) {
  std::string_view parts[10];
  size_t copied = 0;
  int32_t number = 0;
  out.clear();
  expression.ForEachMatch(text, begin, std::span(parts, replacement.PartCount(expression)),
                          [&](std::span<const std::string_view> found) {
                            number++;
                            if (occurrence != 0 && number < occurrence) return true;
                            const auto match = static_cast<size_t>(found[0].data() - text.data());
                            out.append(text.substr(copied, match - copied));
                            replacement.Append(found, out, account);
                            account.Note(out);
                            copied = match + found[0].size();
                            return occurrence == 0;
                          });
  account.Expect(out, text.size() - copied);
  out.append(text.substr(copied));
}

void CheckParameter(const char* name, int32_t value, int32_t least) {
  if (value < least) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               fmt::format("invalid value for parameter \"{}\": {}", name, value));
  }
}

/// The arguments are text, pattern, replacement, then flags; or start; or start and occurrence; or start,
/// occurrence and flags.
void Replace(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const size_t count = arguments.size(), columns = arguments.column_count();
  std::vector<UnifiedView> views;
  for (size_t i = 0; i < columns; i++) views.push_back(arguments.column(i).View(count));
  const bool has_start = columns > 3 && arguments.column(3).type() == TypeId::kInteger;
  const size_t flags_column = has_start ? 5 : 3;
  const auto text_at = [&](size_t column, size_t row) { return views[column].As<StringRef>()[row].view(); };
  StringRef* out = result.MutableData<StringRef>();
  RegularExpressionCache cache(true);
  Replacement replacement;
  std::string last_replacement, replaced;
  TextAccount account(call.context);
  replacement.Read(last_replacement);
  for (size_t row = 0; row < count; row++) {
    bool is_valid = true;
    for (const UnifiedView& view : views) is_valid &= view.IsValid(row);
    if (!is_valid) {
      result.SetNull(row);
      continue;
    }
    const RegularExpression& expression =
        cache.Get(text_at(1, row), flags_column < columns ? text_at(flags_column, row) : "");
    if (text_at(2, row) != last_replacement) {
      last_replacement = text_at(2, row);
      replacement.Read(last_replacement);
    }
    const std::string_view text = text_at(0, row);
    int32_t start = 1, occurrence = cache.options().all_matches ? 0 : 1;
    if (has_start) CheckParameter("start", start = views[3].As<int32_t>()[row], 1);
    if (columns > 4) CheckParameter("n", occurrence = views[4].As<int32_t>()[row], 0);
    // Beyond the text's end nothing matches, not even an empty match.
    if (start > 1 && static_cast<size_t>(start) > CountCharacters(text) + 1) {
      out[row] = result.AddString(text);
      continue;
    }
    const size_t begin = OffsetOfCharacter(text, static_cast<size_t>(start) - 1);
    ReplaceMatches(expression, replacement, text, begin, occurrence, replaced, account);
    out[row] = result.AddString(replaced);
  }
}

std::unique_ptr<FunctionData> BindRegexpReplace(ScalarFunction& function,
                                                std::span<const BindArgument> arguments) {
  const bool has_start = arguments.size() > 3 && function.argument_types[3] == TypeId::kInteger;
  CheckConstantPattern(arguments, 1, has_start ? 5 : 3, true);
  return nullptr;
}

}  // namespace

ScalarFunctionList RegexpFunctions() {
  const LogicalType text = TypeId::kVarchar, number = TypeId::kInteger;
  ScalarFunctionList list;
  const auto add = [&](std::vector<LogicalType> argument_types, const char* description,
                       const char* example) {
    list.push_back({.name = "regexp_replace",
                    .argument_types = std::move(argument_types),
                    .return_type = text,
                    .kernel = &Replace,
                    .description = description,
                    .example = example,
                    .bind = &BindRegexpReplace});
  };
  const char* first = "The first match (all with flag 'g') replaced; \\1 .. \\9 name groups, \\& the match.";
  const char* later = "A match replaced, searching from a character on; then which one (0: all), and flags.";
  add({text, text, text}, first, "regexp_replace('scaup', '[aeiou]', '-')");
  add({text, text, text, text}, first, "regexp_replace('scaup', '[aeiou]', '-', 'g')");
  add({text, text, text, number}, later, "regexp_replace('banana', 'a', 'o', 3)");
  add({text, text, text, number, number}, later, "regexp_replace('banana', 'a', 'o', 1, 2)");
  add({text, text, text, number, number, text}, later, "regexp_replace('bAnAna', 'a', 'o', 1, 0, 'i')");
  return list;
}

}  // namespace scaup
