// Parses and formats the texts of lists, structs, maps and unions.
#include "type/nested_text.hpp"

#include <algorithm>

#include "common/throw.hpp"
#include "type/packed_value.hpp"
#include "type/text/ascii.hpp"
#include "type/type_rules.hpp"
#include "type/value_cast.hpp"

namespace scaup {

namespace {

bool IsNullWord(std::string_view text) {
  constexpr std::string_view kNull = "null";
  return text.size() == kNull.size() &&
         std::equal(text.begin(), text.end(), kNull.begin(), [](char a, char b) { return (a | 0x20) == b; });
}

/// Parses {...} item by item; for maps, items are keys and values in turn.
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

  bool ReadMap(const LogicalType& map, std::vector<TextItem>& items) {
    SkipSpace();
    if (!Take('{')) return false;
    SkipSpace();
    if (!Take('}')) {
      do {
        if (!ReadPart(MapKeyType(map), '=', items) || !Take('=') || !ReadPart(MapValueType(map), ',', items))
          return false;
      } while (Take(','));
      if (!Take('}')) return false;
    }
    SkipSpace();
    return at_ == text_.size();
  }

 private:
  /// Reads a key or value, and the white space around it.
  bool ReadPart(const LogicalType& type, char end, std::vector<TextItem>& items) {
    SkipSpace();
    TextItem& item = items.emplace_back();
    const bool is_list = type.id() == TypeId::kList && at_ < text_.size() && text_[at_] == '{';
    const bool is_read = is_list ? ReadList(item) : Take('\'') ? ReadQuoted(item, '\'') : ReadItem(item, end);
    SkipSpace();
    return is_read;
  }

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

  bool ReadItem(TextItem& item, char end = ',') {
    if (Take('"')) return ReadQuoted(item, '"');
    bool has_escape = false;
    size_t significant = 0;  // length up to the last character that is not white space
    for (; at_ < text_.size() && text_[at_] != end && text_[at_] != ',' && text_[at_] != '}'; at_++) {
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

  bool ReadQuoted(TextItem& item, char quote) {
    for (; at_ < text_.size(); at_++) {
      char c = text_[at_];
      if (c == quote) {
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

bool SplitMapText(std::string_view text, const LogicalType& map, std::vector<TextItem>& items) {
  items.clear();
  return ListTextReader(text).ReadMap(map, items);
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

/// Quotes the text of an item between braces if it has white space, a character that the reader stops at, or
/// one of `more`.
static void AppendBracedItem(std::string_view text, std::string_view more, std::string& out) {
  const bool needs_quotes =
      text.empty() || IsNullWord(text) || std::any_of(text.begin(), text.end(), [&](char c) {
        return IsSpace(c) || c == '{' || c == '}' || c == ',' || c == '"' || c == '\\' ||
               more.find(c) != more.npos;
      });
  if (needs_quotes) return AppendQuoted(text, '\\', out);
  out.append(text);
}

void AppendListItem(std::string_view text, const LogicalType& element, std::string& out) {
  // Without quotes, clients of PostgreSQL would take the braces of a map for those of an inner list.
  if (element.id() != TypeId::kList || IsMap(element)) return AppendBracedItem(text, "", out);
  out.append(text);
}

void AppendMapItem(std::string_view text, const LogicalType& type, std::string& out) {
  if (type.id() != TypeId::kList) return AppendBracedItem(text, "='", out);
  out.append(text);
}

void AppendStructItem(std::string_view text, std::string& out) {
  const bool needs_quotes = text.empty() || std::any_of(text.begin(), text.end(), [](char c) {
                              return IsSpace(c) || c == '(' || c == ')' || c == ',' || c == '"' || c == '\\';
                            });
  if (needs_quotes) return AppendQuoted(text, '"', out);
  out.append(text);
}

static void AppendMapPart(const LogicalType& type, std::string_view slot, const TimeZone* zone,
                          std::string& text) {
  const Value item = ReadValueSlot(type, slot);
  if (item.is_null()) {
    text += "NULL";
  } else {
    AppendMapItem(ItemText(item, zone), type, text);
  }
}

static std::string MapToText(const Value& value, const TimeZone* zone) {
  std::string text = "{";
  for (std::string_view bytes = value.GetString(); !bytes.empty();) {
    if (text.size() > 1) text += ", ";
    const MapEntry entry = TakeMapEntry(value.type(), bytes);
    AppendMapPart(MapKeyType(value.type()), entry.key, zone, text);
    text += '=';
    AppendMapPart(MapValueType(value.type()), entry.value, zone, text);
  }
  return text + "}";
}

/// A union has the text of its value, and "NULL" if that is NULL, as in DuckDB.
static std::string UnionToText(const Value& value, const TimeZone* zone) {
  const Value part = UnionValue(value);
  Value text;
  return !part.is_null() && CastValue(part, TypeId::kVarchar, text, zone) ? text.GetString()
                                                                          : part.ToString();
}

std::string NestedToText(const Value& value, const TimeZone* zone) {
  SCAUP_ASSERT(!value.is_null());
  if (IsUnion(value.type())) return UnionToText(value, zone);
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
  if (IsMap(type)) return MapToText(value, zone);
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

/// Makes a map of entries' slots; false if a key is bad.
static bool MakeCheckedMap(const LogicalType& type, std::string slots, Value& result) {
  if (!HasGoodKeys(type, slots)) return false;
  result = Value::FromBytes(type, std::move(slots));
  return true;
}

static bool ParseMap(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone) {
  std::vector<TextItem> items;
  if (!SplitMapText(text, type, items)) return false;
  std::string slots;
  for (size_t i = 0; i < items.size(); i++) {
    const bool is_key = i % 2 == 0;
    if (is_key) slots += kSlotValue;
    if (!ParseItem(items[i], is_key ? MapKeyType(type) : MapValueType(type), zone, slots)) return false;
  }
  return MakeCheckedMap(type, std::move(slots), result);
}

bool ParseNested(std::string_view text, const LogicalType& type, Value& result, const TimeZone* zone) {
  if (IsMap(type)) return ParseMap(text, type, result, zone);
  if (IsUnion(type)) return CastToUnion(Value::Varchar(std::string(text)), type, result, zone);
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

/// Casts a map, or a struct whose fields become entries, to a map.
static bool CastToMap(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone) {
  std::string_view bytes = value.GetString();
  const LogicalType& from = value.type();
  std::string slots;
  const auto add_part = [&](const LogicalType& given, const LogicalType& wanted) {
    return CastSlot(given, wanted, zone, bytes, slots);
  };
  if (IsMap(from)) {
    while (!bytes.empty()) {
      bytes.remove_prefix(1);
      slots += kSlotValue;
      if (!add_part(MapKeyType(from), MapKeyType(type)) || !add_part(MapValueType(from), MapValueType(type)))
        return false;
    }
    return MakeCheckedMap(type, std::move(slots), result);
  }
  for (const StructField& field : from.fields()) {
    Value key;
    if (!ParseValue(field.name, MapKeyType(type), key, zone)) return false;
    slots += kSlotValue;
    AppendValueSlot(MapKeyType(type), key, slots);
    if (!add_part(field.type, MapValueType(type))) return false;
  }
  return MakeCheckedMap(type, std::move(slots), result);
}

bool CastNested(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone) {
  SCAUP_ASSERT(!value.is_null());
  if (IsMap(type)) return CastToMap(value, type, result, zone);
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

/// Makes a union of a struct of files; false if its tag is none, or another member than the tagged one is
/// there.
static bool CastFileUnion(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone) {
  std::vector<Value> parts = value.GetElements();
  std::string slots;
  for (size_t i = 0; i < parts.size(); i++) {
    const LogicalType& wanted = type.fields()[i].type;
    Value part;
    if (!CastValue(parts[i], wanted, part, zone)) return false;
    AppendValueSlot(wanted, part, slots);
  }
  if (!IsGoodUnion(type, slots)) return false;
  result = Value::FromBytes(type, std::move(slots));
  return true;
}

bool CastToUnion(const Value& value, const LogicalType& type, Value& result, const TimeZone* zone) {
  SCAUP_ASSERT(!value.is_null() && IsUnion(type));
  const LogicalType& from = value.type();
  const bool is_by_name = IsUnion(from) && HasMembersOf(type, from);
  const MemberChoice choice = is_by_name ? MemberChoice() : ChooseMember(from, type);
  if (!is_by_name && !choice.member)
    return IsUnionInFile(from, type) && CastFileUnion(value, type, result, zone);
  if (choice.is_ambiguous) return false;
  const size_t member =
      is_by_name ? *FindMember(type, UnionMembers(from)[UnionTag(value)].name) : *choice.member;
  Value part;
  if (!CastValue(is_by_name ? UnionValue(value) : value, UnionMembers(type)[member].type, part, zone))
    return false;
  result = MakeUnion(type, member, part);
  return true;
}

}  // namespace scaup
