// parse_ident: the parts of a qualified identifier.
#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "type/packed_value.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

[[noreturn]] void ThrowIdentifier(std::string_view text, const char* why) {
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             fmt::format("string is not a valid identifier: \"{}\"{}", text, why));
}

bool BeginsIdentifier(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         static_cast<unsigned char>(c) >= 0x80;
}
bool ContinuesIdentifier(char c) { return BeginsIdentifier(c) || (c >= '0' && c <= '9') || c == '$'; }

/// Reads an identifier as SQL does: quoted parts as they are, others in lower case.
class IdentifierReader {
 public:
  explicit IdentifierReader(std::string_view text) : text_(text), rest_(text) {}

  /// Appends the parts as slots. If not strict, what follows the identifier is ignored.
  void Read(bool is_strict, std::string& slots) {
    SkipBlanks();
    for (bool is_first = true;; is_first = false) {
      ReadPart(is_first);
      AppendStringSlot(part_, slots);
      SkipBlanks();
      if (rest_.empty()) return;
      if (rest_.front() != '.') {
        if (is_strict) ThrowIdentifier(text_, "");
        return;
      }
      rest_.remove_prefix(1);
      SkipBlanks();
    }
  }

 private:
  void SkipBlanks() {
    while (!rest_.empty() && (rest_[0] == ' ' || (rest_[0] >= '\t' && rest_[0] <= '\r')))
      rest_.remove_prefix(1);
  }

  void ReadPart(bool is_first) {
    part_.clear();
    if (!rest_.empty() && rest_[0] == '"') return ReadQuoted();
    if (rest_.empty() || !BeginsIdentifier(rest_[0])) {
      const bool is_point = !rest_.empty() && rest_[0] == '.';
      ThrowIdentifier(text_, is_point   ? "; there is no identifier before \".\""
                             : is_first ? ""
                                        : "; there is no identifier after \".\"");
    }
    for (; !rest_.empty() && ContinuesIdentifier(rest_[0]); rest_.remove_prefix(1)) {
      const char c = rest_[0];
      part_ += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
    }
  }

  void ReadQuoted() {
    while (true) {
      const size_t end = rest_.find('"', 1);
      if (end == std::string_view::npos) ThrowIdentifier(text_, "; it has unclosed double quotes");
      part_ += rest_.substr(1, end - 1);
      rest_.remove_prefix(end + 1);
      if (rest_.empty() || rest_[0] != '"') break;
      part_ += '"';  // two quotes stand for one
    }
    if (part_.empty()) ThrowIdentifier(text_, "; a quoted identifier must not be empty");
  }

  std::string_view text_;
  std::string_view rest_;
  std::string part_;
};

void ParseIdentifier(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string slots;
  MapUnary<StringRef, StringRef>(arguments.column(0), arguments.size(), result, [&](const StringRef& text) {
    slots.clear();
    IdentifierReader(text.view()).Read(true, slots);
    return result.AddString(slots);
  });
}

void ParseIdentifierAs(const ScalarCall&, DataChunk& arguments, Vector& result) {
  std::string slots;
  MapBinary<StringRef, uint8_t, StringRef>(arguments.column(0), arguments.column(1), arguments.size(), result,
                                           [&](const StringRef& text, uint8_t is_strict) {
                                             slots.clear();
                                             IdentifierReader(text.view()).Read(is_strict != 0, slots);
                                             return result.AddString(slots);
                                           });
}

}  // namespace

ScalarFunctionList ParseIdentFunctions() {
  const LogicalType text = TypeId::kVarchar, texts = LogicalType::List(TypeId::kVarchar);
  return {{.name = "parse_ident",
           .argument_types = {text},
           .return_type = texts,
           .kernel = &ParseIdentifier,
           .description = "The parts of a qualified identifier.",
           .example = "parse_ident('\"My schema\".Things')"},
          {.name = "parse_ident",
           .argument_types = {text, TypeId::kBoolean},
           .return_type = texts,
           .kernel = &ParseIdentifierAs,
           .description = "The same; if not strict, what follows the identifier is ignored.",
           .example = "parse_ident('things(integer)', false)"}};
}

}  // namespace scaup
