// Walks over the tokens of a JSON text and stores its values in record format.
#include "document/document_scanner.hpp"

#include <algorithm>
#include <cstring>

#include "common/throw.hpp"
#include "document/document_parser.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_parser.hpp"

namespace scaup {

namespace {

bool IsSpace(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

}  // namespace

DocumentScanner::DocumentScanner(std::shared_ptr<AttributeDictionary> dictionary)
    : keys_(std::move(dictionary)) {}

bool DocumentScanner::Scan(std::string_view text, PathId path, DocumentValues& values) {
  values.Clear();
  values_ = &values;
  text_ = text;
  events_.clear();
  first_event_ = event_ + 1;
  has_equal_keys_ = false;
  has_fault_ = false;
  open_.clear();
  base_depth_ = keys_.dictionary().DepthOf(path);
  token_ = 0;
  token_count_ = 0;
  if (text.size() > kMaxDocumentBytes) return Fail(kMaxDocumentBytes, "it is longer than 64 MiB");
  const bool is_indexed = structure_.Index(text);
  if (is_indexed) {
    begins_ = structure_.begins();
    token_count_ = structure_.size();
    // Most documents have no escapes; then their strings need not be searched for any.
    has_escapes_ = std::memchr(text.data(), '\\', text.size()) != nullptr;
    keys_.MakeKnown(path);
  }
  if (!is_indexed || (path == kRootPath && Peek(0) != '{') || !ScanTree(path)) {
    values.Clear();
    FindFault(path);
    return false;
  }
  if (has_equal_keys_) DropEqualKeys();
  return true;
}

bool DocumentScanner::Fail(size_t offset, const char* reason) {
  fault_ = {offset, reason};
  has_fault_ = true;
  return false;
}

// Finds the first fault of a text. Slow, and only called for malformed text.
void DocumentScanner::FindFault(PathId path) {
  JsonFault grammar{SIZE_MAX, ""};
  if (!IsJsonText(text_, &grammar)) {
    fault_ = grammar;
    has_fault_ = true;
  }
  const std::optional<size_t> bad_utf8 = FindBadUtf8(text_);
  if (bad_utf8 && (!has_fault_ || *bad_utf8 <= fault_.offset)) Fail(*bad_utf8, "it is not UTF-8");
  if (has_fault_) return;
  if (path != kRootPath || JsonKindOf(text_) == JsonKind::kObject)
    ThrowInternal("a JSON text was refused that is one");
  Fail(static_cast<size_t>(TrimJson(text_).data() - text_.data()),
       "a document is an object and begins with {");
}

bool DocumentScanner::ScanTree(PathId path) {
  while (true) {
    const char first = Peek(token_);
    if (first == '{') {
      if (base_depth_ + open_.size() >= kMaxDocumentDepth)
        return Fail(begins_[token_], "it is nested too deeply");
      token_++;
      if (Peek(token_) != '}') {
        open_.push_back({path, KeyCache::kNoPath});
        if (!ScanKey(path)) return false;
        continue;
      }
      token_++;
      // The document itself has no empty-object attribute: it has no parent that could lack it.
      if (path != kRootPath) End(path, AttributeType::kEmptyObject);
    } else if (first == '[') {
      if (!ScanArray(path)) return false;
    } else if (!ScanScalar(path)) {
      return false;
    }
    // After a value.
    while (true) {
      if (open_.empty()) return token_ == token_count_;
      const char next = Peek(token_++);
      if (next == ',') {
        if (!ScanKey(path)) return false;
        break;
      }
      if (next != '}') return false;
      open_.pop_back();
    }
  }
}

// Reads a key, up to its member's value. `path` becomes the member's path.
bool DocumentScanner::ScanKey(PathId& path) {
  if (Peek(token_) != '"') return false;
  OpenObject& object = open_.back();
  const bool is_first = object.last_key == KeyCache::kNoPath;
  const PathId guess = is_first ? keys_.path(object.path).first : keys_.path(object.last_key).next;
  const size_t begin = begins_[token_] + 1;
  path = KeyCache::kNoPath;
  // Similar documents have their keys in the same order, so the key that came next the last time is tried
  // before a lookup.
  if (guess != KeyCache::kNoPath) {
    const KeyCache::Path& known = keys_.path(guess);
    if (known.is_plain && known.key_size < text_.size() - begin && text_[begin + known.key_size] == '"' &&
        std::memcmp(text_.data() + begin, known.key, known.key_size) == 0) {
      path = guess;
      token_++;
    }
  }
  if (path == KeyCache::kNoPath) {
    std::string_view key;
    if (!ScanString(key)) return false;
    path = keys_.Find(object.path, key);
    (is_first ? keys_.path(object.path).first : keys_.path(object.last_key).next) = path;
  }
  object.last_key = path;
  KeyCache::Path& known = keys_.path(path);
  if (known.last_event >= first_event_) has_equal_keys_ = true;
  known.last_event = ++event_;
  return Peek(token_++) == ':';
}

void DocumentScanner::End(PathId path, AttributeType type) {
  values_->EndEntry(keys_.AttributeOf(path, type));
  events_.push_back(event_);
}

bool DocumentScanner::ScanWord(std::string_view word) {
  const size_t begin = begins_[token_];
  if (text_.substr(begin, word.size()) != word) return false;
  const size_t end = begin + word.size();
  token_++;
  // The word must be followed by the next token, or by white space.
  const size_t next = token_ < token_count_ ? begins_[token_] : text_.size();
  return end == next || (end < next && IsSpace(text_[end]));
}

bool DocumentScanner::ScanString(std::string_view& content) {
  const size_t begin = begins_[token_];
  token_++;
  // The closing quote is before the next token, with only white space between.
  size_t end = (token_ < token_count_ ? begins_[token_] : text_.size()) - 1;
  while (end > begin && IsSpace(text_[end])) end--;
  if (end <= begin || text_[end] != '"') return false;
  content = text_.substr(begin + 1, end - begin - 1);
  if (!has_escapes_ || content.empty() || std::memchr(content.data(), '\\', content.size()) == nullptr)
    return true;
  unescaped_.clear();
  JsonParser parser(text_.substr(begin, end + 1 - begin), nullptr);
  if (!parser.UnescapeInto(unescaped_)) return Fail(begin + parser.fault().offset, parser.fault().reason);
  content = unescaped_;
  return true;
}

bool DocumentScanner::ScanNumber(JsonNumber& number) {
  if (!ReadJsonNumber(text_.data() + begins_[token_], text_.data() + text_.size(), number)) return false;
  token_++;
  return true;
}

void DocumentScanner::AddNumber(PathId path, const JsonNumber& number) {
  char* out = values_->Reserve(sizeof(int128_t));
  switch (number.type) {
    case AttributeType::kInteger:
    case AttributeType::kLongInteger:
      values_->Advance(StoreInteger(static_cast<int64_t>(number.integer), out));
      break;
    case AttributeType::kHugeInteger:
      std::memcpy(out, &number.integer, sizeof(int128_t));
      values_->Advance(sizeof(int128_t));
      break;
    case AttributeType::kDouble:
      std::memcpy(out, &number.number, sizeof(double));
      values_->Advance(sizeof(double));
      break;
    default: {
      const char* const begin = text_.data() + begins_[token_ - 1];
      values_->AppendBytes({begin, static_cast<size_t>(number.end - begin)});
    }
  }
  End(path, number.type);
}

bool DocumentScanner::ScanScalar(PathId path) {
  switch (Peek(token_)) {
    case '"': {
      std::string_view content;
      if (!ScanString(content)) return false;
      values_->AppendBytes(content);
      End(path, AttributeType::kString);
      return true;
    }
    case 't':
    case 'f': {
      const bool value = Peek(token_) == 't';
      if (!ScanWord(value ? "true" : "false")) return false;
      values_->AppendBytes({value ? "\1" : "\0", 1});
      End(path, AttributeType::kBoolean);
      return true;
    }
    case 'n':
      if (!ScanWord("null")) return false;
      End(path, AttributeType::kNull);
      return true;
    default: {
      JsonNumber number;
      if (token_ >= token_count_ || !ScanNumber(number)) return false;
      AddNumber(path, number);
      return true;
    }
  }
}

bool DocumentScanner::ScanArray(PathId path) {
  const size_t first = token_;
  if (base_depth_ + open_.size() >= kMaxDocumentDepth) return Fail(begins_[first], "it is nested too deeply");
  if (Peek(first + 1) == ']') {
    token_ += 2;
    End(path, AttributeType::kEmptyArray);
    return true;
  }
  // The first element that is not null tells which array type is possible.
  size_t told = first + 1;
  while (Peek(told) == 'n' && Peek(told + 1) == ',') told += 2;
  AttributeType candidates[2];
  size_t candidate_count = 0;
  switch (Peek(told)) {
    case '"': candidates[candidate_count++] = AttributeType::kStringArray; break;
    case 't':
    case 'f': candidates[candidate_count++] = AttributeType::kBooleanArray; break;
    case 'n':
    case '[':
    case '{':
    case '\0': break;
    default:
      candidates[candidate_count++] = AttributeType::kIntegerArray;
      candidates[candidate_count++] = AttributeType::kDoubleArray;
  }
  const size_t size = values_->size();
  // The narrower type first. A failed attempt is discarded, and the next one starts again at the first
  // element.
  for (size_t i = 0; i < candidate_count; i++) {
    const AttributeType type = candidates[i];
    token_ = first + 1;
    has_long_element_ = false;
    if (ScanArrayAs(type)) {
      End(path, has_long_element_ ? AttributeType::kLongIntegerArray : type);
      return true;
    }
    values_->Shrink(size);
  }
  token_ = first;
  compact_.clear();
  if (!WriteCompact()) return false;
  values_->AppendBytes(compact_);
  End(path, AttributeType::kArray);
  return true;
}

// Scans from the first element past the closing bracket. Returns false if an element has another type, or the
// array is malformed.
bool DocumentScanner::ScanArrayAs(AttributeType type) {
  while (true) {
    if (!ScanElement(type)) return false;
    const char next = Peek(token_++);
    if (next == ']') return true;
    if (next != ',' || token_ >= token_count_) return false;
  }
}

bool DocumentScanner::ScanElement(AttributeType type) {
  const char first = Peek(token_);
  constexpr size_t kLargestFixed = 1 + sizeof(int64_t);
  if (first == 'n') {
    if (!ScanWord("null")) return false;
    const size_t size = type == AttributeType::kStringArray    ? 1
                        : type == AttributeType::kBooleanArray ? 1 + sizeof(uint8_t)
                                                               : kLargestFixed;
    char* out = values_->Reserve(size);
    std::memset(out, 0, size);
    *out = kSlotNull;
    values_->Advance(size);
    return true;
  }
  if (type == AttributeType::kStringArray) {
    std::string_view content;
    if (first != '"' || !ScanString(content)) return false;
    char* out = values_->Reserve(content.size() + 2);
    *out = kSlotValue;
    if (!content.empty()) std::memcpy(out + 1, content.data(), content.size());  // has no zero bytes
    out[content.size() + 1] = kSlotEnd;
    values_->Advance(content.size() + 2);
    return true;
  }
  char* out = values_->Reserve(kLargestFixed);
  *out = kSlotValue;
  auto* const payload = reinterpret_cast<std::byte*>(out + 1);
  if (type == AttributeType::kBooleanArray) {
    if ((first != 't' && first != 'f') || !ScanWord(first == 't' ? "true" : "false")) return false;
    StoreSortable<uint8_t>(first == 't', payload);
    values_->Advance(1 + sizeof(uint8_t));
    return true;
  }
  JsonNumber number;
  if ((first != '-' && (first < '0' || first > '9')) || !ScanNumber(number)) return false;
  if (type == AttributeType::kIntegerArray) {
    if (number.type == AttributeType::kLongInteger) {
      has_long_element_ = true;
    } else if (number.type != AttributeType::kInteger) {
      return false;
    }
    StoreSortable(static_cast<int64_t>(number.integer), payload);
  } else if (number.type == AttributeType::kInteger && IsWrittenAsDouble(number.integer)) {
    StoreSortable(static_cast<double>(static_cast<int64_t>(number.integer)), payload);
  } else {
    // List slots have a single zero, so -0.0 would be lost.
    if (number.type != AttributeType::kDouble || number.number == 0) return false;
    StoreSortable(number.number, payload);
  }
  values_->Advance(kLargestFixed);
  return true;
}

// Appends the value at the next token to `compact_`.
bool DocumentScanner::WriteCompact() {
  compact_open_.clear();
  while (true) {
    const char first = Peek(token_);
    if (first == '{' || first == '[') {
      if (base_depth_ + open_.size() + compact_open_.size() >= kMaxDocumentDepth)
        return Fail(begins_[token_], "it is nested too deeply");
      token_++;
      compact_ += first;
      const char closing = first == '{' ? '}' : ']';
      if (Peek(token_) != closing) {
        compact_open_.push_back(closing);
        if (first == '{' && !WriteCompactKey()) return false;
        continue;
      }
      token_++;
      compact_ += closing;
    } else if (first == '"') {
      std::string_view content;
      if (!ScanString(content)) return false;
      AppendJsonString(content, compact_);
    } else if (first == 't' || first == 'f' || first == 'n') {
      const std::string_view word = first == 't' ? "true" : first == 'f' ? "false" : "null";
      if (!ScanWord(word)) return false;
      compact_ += word;
    } else {
      JsonNumber number;
      if (token_ >= token_count_ || !ScanNumber(number)) return false;
      const char* const begin = text_.data() + begins_[token_ - 1];
      compact_.append(begin, static_cast<size_t>(number.end - begin));
    }
    while (true) {
      if (compact_open_.empty()) return true;
      const char next = Peek(token_++);
      if (next != ',' && next != compact_open_.back()) return false;
      compact_ += next;
      if (next == ',') {
        if (compact_open_.back() == '}' && !WriteCompactKey()) return false;
        break;
      }
      compact_open_.pop_back();
    }
  }
}

bool DocumentScanner::WriteCompactKey() {
  std::string_view key;
  if (Peek(token_) != '"' || !ScanString(key)) return false;
  AppendJsonString(key, compact_);
  compact_ += ':';
  return Peek(token_++) == ':';
}

std::string_view DocumentScanner::CompactText() {
  token_ = 0;
  open_.clear();
  compact_.clear();
  SCAUP_CHECK(WriteCompact());
  return compact_;
}

void DocumentScanner::DropEqualKeys() {
  const AttributeDictionary& dictionary = keys_.dictionary();
  const auto counts = [&](size_t i) {
    for (PathId path = dictionary.attribute(values_->entries[i].id).path; path != kRootPath;
         path = dictionary.ParentOf(path)) {
      const uint64_t last = keys_.path(path).last_event;
      if (last > events_[i]) return false;
    }
    return true;
  };
  DocumentValues kept;
  for (size_t i = 0; i < values_->entries.size(); i++) {
    if (!counts(i)) continue;
    kept.AppendBytes(values_->value(i));
    kept.EndEntry(values_->entries[i].id);
  }
  std::swap(*values_, kept);
}

}  // namespace scaup
