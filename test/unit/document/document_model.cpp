// Random documents, and what is to be expected of them.
#include "document_model.hpp"

#include <cstdio>

namespace scaup {

namespace {

using Kind = JsonModel::Kind;

std::string Quoted(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const std::string_view special = "\"\\\b\f\n\r\t";
    if (const size_t i = special.find(c); i != std::string_view::npos) {
      quoted += '\\';
      quoted += "\"\\bfnrt"[i];
    } else if (static_cast<unsigned char>(c) < 0x20) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), "\\u%04x", static_cast<unsigned>(c));
      quoted += escape;
    } else {
      quoted += c;
    }
  }
  return quoted + '"';
}

}  // namespace

std::string JsonModel::Compact() const {
  switch (kind) {
    case Kind::kNull: return "null";
    case Kind::kBoolean:
    case Kind::kNumber: return text;
    case Kind::kString: return Quoted(text);
    case Kind::kArray:
    case Kind::kObject: break;
  }
  std::string out;
  for (const auto& [key, value] : members) {
    if (!out.empty()) out += ',';
    if (kind == Kind::kObject) out += Quoted(key) + ':';
    out += value.Compact();
  }
  return kind == Kind::kObject ? '{' + out + '}' : '[' + out + ']';
}

const JsonModel* JsonModel::Member(std::string_view key) const {
  if (kind != Kind::kObject) return nullptr;
  for (size_t i = members.size(); i-- > 0;) {
    if (members[i].first == key) return &members[i].second;
  }
  return nullptr;
}

const JsonModel* JsonModel::At(const std::vector<std::string>& keys) const {
  const JsonModel* value = this;
  for (size_t i = 0; i < keys.size() && value != nullptr; i++) value = value->Member(keys[i]);
  return value;
}

bool JsonModel::Takes(const std::vector<std::string>& keys) const {
  const JsonModel* value = this;
  for (size_t i = 0; value != nullptr; i++) {
    if (i == keys.size()) return true;
    if (value->kind != Kind::kObject) return value->kind == Kind::kNull;
    value = value->Member(keys[i]);
  }
  return true;
}

void JsonModel::Set(const std::vector<std::string>& keys, const JsonModel& value, size_t from) {
  if (from == keys.size()) {
    *this = value;
    return;
  }
  if (kind != Kind::kObject) *this = JsonModel{Kind::kObject, "", {}};
  auto* member = const_cast<JsonModel*>(Member(keys[from]));
  if (member == nullptr) member = &members.emplace_back(keys[from], JsonModel()).second;
  member->Set(keys, value, from + 1);
  if (from + 1 != keys.size()) return;
  // Equal ones before it go.
  for (size_t i = members.size(); i-- > 0;) {
    if (members[i].first == keys[from] && &members[i].second != member) {
      if (&members[i].second < member) member--;
      members.erase(members.begin() + static_cast<ptrdiff_t>(i));
    }
  }
}

void JsonModel::Remove(const std::vector<std::string>& keys, size_t from) {
  auto* member = const_cast<JsonModel*>(Member(keys[from]));
  if (member == nullptr) return;
  if (from + 1 < keys.size()) return member->Remove(keys, from + 1);
  std::erase_if(members, [&](const auto& item) { return item.first == keys[from]; });
}

JsonModel JsonModelMaker::Document(bool with_equal_keys) { return Object(0, with_equal_keys); }

JsonModel JsonModelMaker::Value(size_t depth, bool with_equal_keys) {
  const size_t kind = Below(depth > 4 ? 6 : 10);
  if (kind < 2) return Scalar(Kind::kString);
  if (kind < 4) return Scalar(Kind::kNumber);
  if (kind < 5) return Scalar(Kind::kBoolean);
  if (kind < 6) return Scalar(Kind::kNull);
  return kind < 8 ? Array(depth + 1, with_equal_keys) : Object(depth + 1, with_equal_keys);
}

JsonModel JsonModelMaker::Object(size_t depth, bool with_equal_keys) {
  JsonModel object{Kind::kObject, "", {}};
  const size_t size = Below(Below(20) == 0 ? 30 : 6);
  for (size_t i = 0; i < size; i++) {
    std::string key = Key();
    if (!with_equal_keys && object.Member(key) != nullptr) continue;
    object.members.emplace_back(std::move(key), Value(depth, with_equal_keys));
  }
  return object;
}

JsonModel JsonModelMaker::Array(size_t depth, bool with_equal_keys) {
  JsonModel array{Kind::kArray, "", {}};
  const size_t size = Below(5), kind = Below(6);
  for (size_t i = 0; i < size; i++) {
    array.members.emplace_back("", Below(5) == 0 ? JsonModel()
                                   : kind == 0   ? Value(depth, with_equal_keys)
                                   : kind == 1   ? Scalar(Kind::kBoolean)
                                   : kind < 4    ? Scalar(Kind::kNumber)
                                                 : Scalar(Kind::kString));
    if (kind == 2) array.members.back().second = {Kind::kNumber, std::to_string(Below(1000)), {}};
  }
  return array;
}

JsonModel JsonModelMaker::Scalar(Kind kind) {
  if (kind == Kind::kBoolean) return {kind, Below(2) == 0 ? "true" : "false", {}};
  if (kind == Kind::kNumber) return {kind, Number(), {}};
  if (kind == Kind::kString) return {kind, String(), {}};
  return {};
}

std::string JsonModelMaker::Number() {
  static const char* const kNumbers[] = {"0",
                                         "-0",
                                         "1",
                                         "-1",
                                         "127",
                                         "128",
                                         "-128",
                                         "-129",
                                         "255",
                                         "32767",
                                         "32768",
                                         "-32769",
                                         "2147483647",
                                         "2147483648",
                                         "-2147483649",
                                         "9223372036854775807",
                                         "-9223372036854775808",
                                         "9223372036854775808",
                                         "-9223372036854775809",
                                         "170141183460469231731687303715884105727",
                                         "-170141183460469231731687303715884105728",
                                         "170141183460469231731687303715884105728",
                                         "999999999999999",
                                         "1000000000000000",
                                         "9007199254740993",
                                         "0.5",
                                         "-0.0",
                                         "0.0",
                                         "1.0",
                                         "1.50",
                                         "1e5",
                                         "1E5",
                                         "1e+5",
                                         "1e-5",
                                         "1e-05",
                                         "1e+22",
                                         "1e22",
                                         "1e400",
                                         "-1e400",
                                         "1e-400",
                                         "0.0001",
                                         "0.00001",
                                         "0.00012",
                                         "1.2e-05",
                                         "123456789.123456",
                                         "0.1234567890123456789",
                                         "5e-324",
                                         "1.7976931348623157e+308",
                                         "100000000000000000000000000000000000000000000000",
                                         "3.141592653589793",
                                         "-2.5e-9",
                                         "12345678901234.5"};
  switch (Below(4)) {
    case 0: return kNumbers[Below(std::size(kNumbers))];
    case 1: return std::to_string(static_cast<int64_t>(random_()) >> Below(64));
    case 2: {
      char text[40];
      std::snprintf(
          text, sizeof(text), "%.*g", static_cast<int>(1 + Below(18)),
          (static_cast<double>(random_()) - 9e18) / static_cast<double>(1 + (random_() >> Below(64))));
      return text;
    }
    default: return std::to_string(Below(10000)) + '.' + std::to_string(Below(1000));
  }
}

std::string JsonModelMaker::String() {
  static const char* const kPieces[] = {
      "a",    "B",    " ",    "0", "\"", "\\", "/", "\b", "\f", "\n", "\r",   "\t",
      "\x01", "\x1f", "\x7f", "ä", "€",  "😀",  "{", "]",  ":",  ",",  "null", "some more characters"};
  std::string text;
  for (size_t i = Below(Below(10) == 0 ? 40 : 6); i > 0; i--) text += kPieces[Below(std::size(kPieces))];
  return text;
}

std::string JsonModelMaker::Key() {
  static const char* const kKeys[] = {
      "a", "b",   "c",  "d",   "e",    "id", "name",      "",
      ".", "a.b", "\\", "\\0", "a\"b", "ä",  "a\":1,\"b", "a rather long key of many characters"};
  return Below(40) == 0 ? String() : kKeys[Below(std::size(kKeys))];
}

std::string JsonModelMaker::Space() {
  if (Below(4) != 0) return "";
  static const char* const kSpaces[] = {
      " ",    "\t",  "\n",
      "\r\n", "   ", "                                                                     "};
  return kSpaces[Below(std::size(kSpaces))];
}

std::string JsonModelMaker::SpellString(std::string_view text) {
  if (Below(2) == 0) return Quoted(text);
  std::string spelled = "\"";
  for (const char c : text) {
    if (static_cast<unsigned char>(c) < 0x80 && Below(3) == 0) {
      char escape[8];
      std::snprintf(escape, sizeof(escape), Below(2) == 0 ? "\\u%04x" : "\\u%04X", static_cast<unsigned>(c));
      spelled += escape;
    } else if (c == '/' && Below(2) == 0) {
      spelled += "\\/";
    } else {
      const std::string quoted = Quoted({&c, 1});
      spelled.append(quoted, 1, quoted.size() - 2);
    }
  }
  return spelled + '"';
}

std::string JsonModelMaker::Spell(const JsonModel& value) {
  std::string out = Space();
  if (value.kind == Kind::kString) {
    out += SpellString(value.text);
  } else if (value.kind != Kind::kArray && value.kind != Kind::kObject) {
    out += value.Compact();
  } else {
    const bool is_object = value.kind == Kind::kObject;
    out += is_object ? '{' : '[';
    for (size_t i = 0; i < value.members.size(); i++) {
      if (i != 0) out += ',';
      if (is_object) out += Space() + SpellString(value.members[i].first) + Space() + ':';
      out += Spell(value.members[i].second);
    }
    out += Space();
    out += is_object ? '}' : ']';
  }
  return out + Space();
}

}  // namespace scaup
