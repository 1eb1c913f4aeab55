// Parses and formats the texts of lists and structs.
#include "type/nested_text.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/packed_value.hpp"
#include "type/text/ascii.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

bool IsNullWord(std::string_view text) {
  constexpr std::string_view kNull = "null";
  return text.size() == kNull.size() &&
         std::equal(text.begin(), text.end(), kNull.begin(), [](char a, char b) { return (a | 0x20) == b; });
}

/// Parses {...} item by item.
class ListTextReader {
 public:
  explicit ListTextReader(std::string_view text) : text_(text) {}

  bool Read(bool has_lists, std::vector<TextItem>& items) {
    SkipSpace();
    if (!Take('{')) return false;
    SkipSpace();
    if (!Take('}')) {
      do {
        SkipSpace();
        TextItem& item = items.emplace_back();
        const bool is_list = has_lists && at_ < text_.size() && text_[at_] == '{';
        if (is_list ? !ReadList(item) : !ReadItem(item)) return false;
        SkipSpace();
      } while (Take(','));
      if (!Take('}')) return false;
    }
    SkipSpace();
    return at_ == text_.size();
  }

 private:
  void SkipSpace() {
    while (at_ < text_.size() && IsSpace(text_[at_])) at_++;
  }
  bool Take(char c) {
    if (at_ == text_.size() || text_[at_] != c) return false;
    at_++;
    return true;
  }

  /// Reads a nested list; its text is copied unchanged.
  bool ReadList(TextItem& item) {
    const size_t begin = at_;
    size_t depth = 0;
    bool in_quotes = false;
    for (; at_ < text_.size(); at_++) {
      const char c = text_[at_];
      if (c == '\\') {
        at_++;
      } else if (c == '"') {
        in_quotes = !in_quotes;
      } else if (!in_quotes && c == '{') {
        depth++;
      } else if (!in_quotes && c == '}' && --depth == 0) {
        at_++;
        item.text = text_.substr(begin, at_ - begin);
        return true;
      }
    }
    return false;
  }

  bool ReadItem(TextItem& item) {
    if (Take('"')) return ReadQuoted(item);
    bool has_escape = false;
    size_t significant = 0;  // length up to the last character that is not white space
    for (; at_ < text_.size() && text_[at_] != ',' && text_[at_] != '}'; at_++) {
      char c = text_[at_];
      if (c == '{' || c == '"') return false;
      const bool is_escaped = c == '\\';
      if (is_escaped) {
        if (++at_ == text_.size()) return false;
        c = text_[at_];
        has_escape = true;
      }
      item.text += c;
      if (is_escaped || !IsSpace(c)) significant = item.text.size();
    }
    item.text.resize(significant);
    if (item.text.empty()) return false;
    item.is_null = !has_escape && IsNullWord(item.text);
    return true;
  }

  bool ReadQuoted(TextItem& item) {
    for (; at_ < text_.size(); at_++) {
      char c = text_[at_];
      if (c == '"') {
        at_++;
        return true;
      }
      if (c == '\\') {
        if (++at_ == text_.size()) return false;
        c = text_[at_];
      }
      item.text += c;
    }
    return false;
  }

  std::string_view text_;
  size_t at_ = 0;
};

void AppendQuoted(std::string_view text, char escape_of_quote, std::string& out) {
  out += '"';
  for (const char c : text) {
    if (c == '"') out += escape_of_quote;
    if (c == '\\') out += '\\';
    out += c;
  }
  out += '"';
}

std::string ItemText(const Value& value, const TimeZone* zone) {
  if (value.type().id() == TypeId::kBoolean) return std::string(ShortBooleanText(value.GetBoolean()));
  Value text;
  if (zone == nullptr || !CastValue(value, TypeId::kVarchar, text, zone)) return value.ToString();
  return text.GetString();
}

bool ParseItem(const TextItem& item, const LogicalType& type, const TimeZone* zone, std::string& slots) {
  if (item.is_null) {
    AppendNullSlot(type, slots);
    return true;
  }
  Value value;
  if (!ParseValue(item.text, type, value, zone)) return false;
  AppendValueSlot(type, value, slots);
  return true;
}

bool CastSlot(const LogicalType& from, const LogicalType& to, const TimeZone* zone, std::string_view& bytes,
              std::string& out) {
  Value value;
  if (!CastValue(ReadValueSlot(from, TakeSlot(from, bytes)), to, value, zone)) return false;
  AppendValueSlot(to, value, out);
  return true;
}

}  // namespace

bool SplitListText(std::string_view text, const LogicalType& element, std::vector<TextItem>& items) {
  items.clear();
  return ListTextReader(text).Read(element.id() == TypeId::kList, items);
}

bool SplitStructText(std::string_view text, size_t field_count, std::vector<TextItem>& items) {
  items.clear();
  while (!text.empty() && IsSpace(text.front())) text.remove_prefix(1);
  while (!text.empty() && IsSpace(text.back())) text.remove_suffix(1);
  if (text.size() < 2 || text.front() != '(') return false;
  TextItem item{"", true};
  bool in_quotes = false;
  size_t i = 1;
  for (; i < text.size(); i++) {
    char c = text[i];
    if (!in_quotes && (c == ',' || c == ')')) {
      items.push_back(std::move(item));
      item = {"", true};
      if (c == ')') break;
      continue;
    }
    if (!in_quotes && c == '(') return false;
    item.is_null = false;
    if (c == '\\') {
      if (++i == text.size()) return false;
      c = text[i];
    } else if (c == '"') {
      const bool is_doubled = in_quotes && i + 1 < text.size() && text[i + 1] == '"';
      if (!is_doubled) {
        in_quotes = !in_quotes;
        continue;
      }
      i++;
    }
    item.text += c;
  }
  return i + 1 == text.size() && items.size() == field_count;
}

void AppendListItem(std::string_view text, const LogicalType& element, std::string& out) {
  const bool needs_quotes =
      element.id() != TypeId::kList &&
      (text.empty() || IsNullWord(text) || std::any_of(text.begin(), text.end(), [](char c) {
         return IsSpace(c) || c == '{' || c == '}' || c == ',' || c == '"' || c == '\\';
       }));
  if (needs_quotes) return AppendQuoted(text, '\\', out);
  out.append(text);
}

void AppendStructItem(std::string_view text, std::string& out) {
  const bool needs_quotes = text.empty() || std::any_of(text.begin(), text.end(), [](char c) {
                              return IsSpace(c) || c == '(' || c == ')' || c == ',' || c == '"' || c == '\\';
                            });
  if (needs_quotes) return AppendQuoted(text, '"', out);
  out.append(text);
}

std::string NestedToText(const Value& value, const TimeZone* zone) {
  SCAUP_ASSERT(!value.is_null());
  std::string text;
  std::string_view bytes = value.GetString();
  const LogicalType& type = value.type();
  if (type.id() == TypeId::kStruct) {
    for (const StructField& field : type.fields()) {
      text += text.empty() ? '(' : ',';
      const Value item = ReadValueSlot(field.type, TakeSlot(field.type, bytes));
      if (!item.is_null()) AppendStructItem(ItemText(item, zone), text);
    }
    return text + ")";
  }
  text = "{";
  while (!bytes.empty()) {
    if (text.size() > 1) text += ',';
    const Value item = ReadValueSlot(type.element(), TakeSlot(type.element(), bytes));
    if (item.is_null()) {
      text += "NULL";
    } else {
      AppendListItem(ItemText(item, zone), type.element(), text);
    }
  }
  return text + "}";
}

bool ParseNested(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone) {
  std::vector<TextItem> items;
  std::string slots;
  if (type.id() == TypeId::kList) {
    if (!SplitListText(text, type.element(), items)) return false;
    for (const TextItem& item : items) {
      if (!ParseItem(item, type.element(), zone, slots)) return false;
    }
  } else {
    const std::vector<StructField>& fields = type.fields();
    if (!SplitStructText(text, fields.size(), items)) return false;
    for (size_t i = 0; i < items.size(); i++) {
      if (!ParseItem(items[i], fields[i].type, zone, slots)) return false;
    }
  }
  result = Value::FromBytes(type, std::move(slots));
  return true;
}

bool CastNested(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone) {
  SCAUP_ASSERT(!value.is_null());
  std::string_view bytes = value.GetString();
  const LogicalType& from = value.type();
  std::string slots;
  if (type.id() == TypeId::kList) {
    while (!bytes.empty()) {
      if (!CastSlot(from.element(), type.element(), zone, bytes, slots)) return false;
    }
  } else {
    for (size_t i = 0; i < type.fields().size(); i++) {
      if (!CastSlot(from.fields()[i].type, type.fields()[i].type, zone, bytes, slots)) return false;
    }
  }
  result = Value::FromBytes(type, std::move(slots));
  return true;
}

}  // namespace scaup
