// Updates values within records.
#include "document/document_change.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "document/attribute/document_path.hpp"
#include "document/document_scanner.hpp"
#include "document/document_text.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

/// A value of the document during the change. Its bytes are in the old record or in a new value.
struct Item {
  AttributeId id;
  PathId path;
  std::string_view value;
};

/// Throws for a value where an object must be; setting the member would lose it.
[[noreturn]] void ThrowNoObject(const std::string& path, const std::string& above, std::string_view json) {
  const char* kind = "";
  switch (JsonKindOf(json)) {
    case JsonKind::kArray: kind = "an array"; break;
    case JsonKind::kString: kind = "a string"; break;
    case JsonKind::kNumber: kind = "a number"; break;
    default: kind = "a boolean"; break;
  }
  ThrowError(
      ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
      fmt::format("cannot set \"{0}\": \"{1}\" is {2} in a document, not an object; set \"{1}\" itself "
                  "there, or leave such documents out",
                  path, above, kind));
}

std::string NameOf(std::span<const std::string_view> keys) {
  std::string name;
  for (const std::string_view key : keys) AppendPathKey(key, name);
  return name;
}

/// Whether the value may be replaced by an object without losing anything.
bool GivesWay(AttributeType type) {
  return type == AttributeType::kNull || type == AttributeType::kEmptyObject;
}

/// Writes the text of `object` with `value` (nullopt: removed) at the keys path[first ..]. An empty `object`
/// means that there is none. `path` holds all keys, for error messages.
void ChangeText(std::string_view object, std::span<const std::string_view> path, size_t first,
                std::optional<std::string_view> value, std::string& out) {
  CheckStack();
  const std::span<const std::string_view> keys = path.subspan(first);
  bool is_first = true;
  const auto add = [&](std::string_view quoted_name) {
    if (!is_first) out += ',';
    is_first = false;
    out += quoted_name;
    out += ':';
  };
  std::string name;
  const auto is_key = [&](std::string_view quoted_name) {
    name.clear();
    AppendJsonUnescaped(quoted_name, name);
    return name == keys[0];
  };
  const bool is_last_key = keys.size() == 1;
  size_t matches = 0;
  if (!object.empty()) {
    for (JsonIterator member(object); member.Next();) matches += is_key(member.quoted_name()) ? 1 : 0;
  }
  const bool is_new = matches == 0;
  out += '{';
  if (!object.empty()) {
    for (JsonIterator member(object); member.Next();) {
      const bool is_one = is_key(member.quoted_name());
      // If an object has a key several times, its last value counts.
      const bool counts = is_one && --matches == 0;
      if (is_one && is_last_key && !(counts && value)) continue;
      add(member.quoted_name());
      const bool is_object = JsonKindOf(member.value()) == JsonKind::kObject;
      if (!counts || (!is_last_key && !is_object && !value)) {
        out += member.value();
      } else if (is_last_key) {
        out += *value;
      } else {
        if (!is_object && JsonKindOf(member.value()) != JsonKind::kNull)
          ThrowNoObject(NameOf(path), NameOf(path.first(first + 1)), member.value());
        ChangeText(is_object ? member.value() : std::string_view(), path, first + 1, value, out);
      }
    }
  }
  if (is_new && value) {
    std::string quoted;
    AppendJsonString(keys[0], quoted);
    add(quoted);
    if (is_last_key) {
      out += *value;
    } else {
      ChangeText({}, path, first + 1, value, out);
    }
  }
  out += '}';
}

}  // namespace

class DocumentChange::Work {
 public:
  Work(std::shared_ptr<AttributeDictionary> dictionary, std::vector<PathId> paths);
  void Apply(std::string_view record, std::span<const std::optional<std::string_view>> values,
             std::string& changed);

 private:
  /// A path to set, and the objects on the way to it.
  struct Place {
    std::vector<PathId> way;  // from the root to the path itself
    DocumentValues values;
  };

  bool ReadNewValues(std::span<const std::optional<std::string_view>> values);
  void ReadItems(const DocumentRecord& record);
  size_t SharedDepth(PathId path, const Place& place) const;
  void Set(const Place& place);
  void Remove(const Place& place);
  void Replace(size_t begin, size_t end, const DocumentValues& values);
  void ApplyToText(std::string_view record, std::span<const std::optional<std::string_view>> values,
                   std::string& changed);
  [[noreturn]] void ThrowFault() const;

  std::shared_ptr<AttributeDictionary> dictionary_;
  std::vector<Place> places_;
  DocumentScanner scanner_;
  DocumentRecordWriter writer_;
  std::vector<Item> items_;  // in the order of the document
  std::vector<Item> new_items_;
  DocumentValues result_;
};

DocumentChange::Work::Work(std::shared_ptr<AttributeDictionary> dictionary, std::vector<PathId> paths)
    : dictionary_(std::move(dictionary)), scanner_(dictionary_) {
  for (PathId path : paths) {
    SCAUP_CHECK(path != kRootPath);
    Place& place = places_.emplace_back();
    place.way.resize(dictionary_->DepthOf(path) + 1);
    for (size_t depth = place.way.size(); depth-- > 0; path = dictionary_->ParentOf(path))
      place.way[depth] = path;
  }
}

void DocumentChange::Work::ThrowFault() const {
  ThrowError(ErrorKind::kConversion, sqlstate::kInvalidTextRepresentation,
             std::string("a document cannot have this value: ") + scanner_.fault().reason);
}

// Reads the new values. Returns false if an object has equal keys, because attributes then do not represent
// the text.
bool DocumentChange::Work::ReadNewValues(std::span<const std::optional<std::string_view>> values) {
  bool is_regular = true;
  for (size_t i = 0; i < places_.size(); i++) {
    if (!values[i]) continue;
    if (!scanner_.Scan(*values[i], places_[i].way.back(), places_[i].values)) ThrowFault();
    is_regular &= !scanner_.has_equal_keys();
  }
  return is_regular;
}

void DocumentChange::Work::ReadItems(const DocumentRecord& record) {
  items_.clear();
  const size_t attribute_count = dictionary_->attribute_count();
  for (size_t place = 0; place < record.size(); place++) {
    const size_t i = record.InOrder(place);
    const AttributeId id = record.id(i);
    if (id >= attribute_count) ThrowBadRecord("it has an attribute that nobody knows");
    items_.push_back({id, dictionary_->attribute(id).path, record.value(i)});
  }
}

/// The depth up to which `path` and the way to the place agree; way.size() - 1 if `path` is at or below it.
size_t DocumentChange::Work::SharedDepth(PathId path, const Place& place) const {
  size_t depth = dictionary_->DepthOf(path);
  for (; depth >= place.way.size(); depth--) path = dictionary_->ParentOf(path);
  for (; place.way[depth] != path; depth--) path = dictionary_->ParentOf(path);
  return depth;
}

void DocumentChange::Work::Replace(size_t begin, size_t end, const DocumentValues& values) {
  new_items_.clear();
  for (size_t i = 0; i < values.entries.size(); i++) {
    const AttributeId id = values.entries[i].id;
    new_items_.push_back({id, dictionary_->attribute(id).path, values.value(i)});
  }
  const auto at = items_.erase(items_.begin() + static_cast<ptrdiff_t>(begin),
                               items_.begin() + static_cast<ptrdiff_t>(end));
  items_.insert(at, new_items_.begin(), new_items_.end());
}

void DocumentChange::Work::Set(const Place& place) {
  // The items that share most of the way are adjacent.
  size_t depth = 0, begin = items_.size(), end = items_.size();
  for (size_t i = 0; i < items_.size(); i++) {
    const size_t shared = SharedDepth(items_[i].path, place);
    if (shared == 0 || shared < depth) continue;
    if (shared > depth) begin = i;
    depth = shared;
    end = i + 1;
  }
  // An existing item is replaced: the value itself, or a value where an object must be. Otherwise the new
  // member follows the last one of its object.
  const bool gives_way =
      begin < end && (depth + 1 == place.way.size() || items_[begin].path == place.way[depth]);
  if (gives_way && depth + 1 < place.way.size()) {
    const AttributeType type = dictionary_->attribute(items_[begin].id).type;
    if (!GivesWay(type)) {
      std::string text;
      AppendValueText(type, items_[begin].value, text);
      ThrowNoObject(dictionary_->NameOf(place.way.back()), dictionary_->NameOf(place.way[depth]), text);
    }
  }
  Replace(gives_way ? begin : end, end, place.values);
}

void DocumentChange::Work::Remove(const Place& place) {
  const size_t depth = place.way.size() - 1;
  size_t begin = items_.size(), end = items_.size(), siblings = 0;
  for (size_t i = 0; i < items_.size(); i++) {
    const size_t shared = SharedDepth(items_[i].path, place);
    if (shared == depth) {
      begin = std::min(begin, i);
      end = i + 1;
    } else if (shared + 1 == depth) {
      siblings++;
    }
  }
  if (begin == items_.size()) return;
  items_.erase(items_.begin() + static_cast<ptrdiff_t>(begin), items_.begin() + static_cast<ptrdiff_t>(end));
  const PathId object = place.way[depth - 1];
  if (siblings != 0 || object == kRootPath) return;
  items_.insert(items_.begin() + static_cast<ptrdiff_t>(begin),
                {dictionary_->AddAttribute(object, AttributeType::kEmptyObject), object, {}});
}

void DocumentChange::Work::Apply(std::string_view record,
                                 std::span<const std::optional<std::string_view>> values,
                                 std::string& changed) {
  SCAUP_CHECK(values.size() == places_.size());
  const DocumentRecord view(record, dictionary_->attribute_count());
  if (!ReadNewValues(values) || view.has_text()) return ApplyToText(record, values, changed);
  ReadItems(view);
  for (size_t i = 0; i < places_.size(); i++) {
    if (values[i]) {
      Set(places_[i]);
    } else {
      Remove(places_[i]);
    }
  }
  result_.Clear();
  for (const Item& item : items_) {
    result_.AppendBytes(item.value);
    result_.EndEntry(item.id);
  }
  writer_.Append(result_.entries, result_.bytes(), {}, changed);
}

void DocumentChange::Work::ApplyToText(std::string_view record,
                                       std::span<const std::optional<std::string_view>> values,
                                       std::string& changed) {
  std::string text, next;
  AppendDocumentText(*dictionary_, record, text);
  if (!IsJsonText(text) || JsonKindOf(text) != JsonKind::kObject) ThrowBadRecord("its text is no document");
  for (size_t i = 0; i < places_.size(); i++) {
    std::vector<std::string_view> keys;
    for (size_t depth = 1; depth < places_[i].way.size(); depth++)
      keys.push_back(dictionary_->KeyViewOf(places_[i].way[depth]));
    next.clear();
    ChangeText(text, keys, 0, values[i], next);
    text.swap(next);
  }
  if (!scanner_.Scan(text, kRootPath, result_)) ThrowFault();
  writer_.Append(result_.entries, result_.bytes(),
                 scanner_.has_equal_keys() ? scanner_.CompactText() : std::string_view(), changed);
}

DocumentChange::DocumentChange(std::shared_ptr<AttributeDictionary> dictionary, std::vector<PathId> paths)
    : work_(std::make_unique<Work>(std::move(dictionary), std::move(paths))) {}
DocumentChange::~DocumentChange() = default;

void DocumentChange::Apply(std::string_view record, std::span<const std::optional<std::string_view>> values,
                           std::string& changed) {
  work_->Apply(record, values, changed);
}

}  // namespace scaup
