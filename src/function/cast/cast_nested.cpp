// Casts of lists, structs and maps: to each other element by element, from and to VARCHAR, and from JSON.
#include <deque>

#include "function/cast/cast_families.hpp"
#include "function/cast/cast_loop.hpp"
#include "type/json_nested.hpp"
#include "type/nested_text.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "type/value_cast.hpp"
#include "vector/slot_vectors.hpp"

namespace scaup {

namespace {

/// The form of elements after their cast.
enum class PieceForm : uint8_t { kSlot, kListText, kStructText, kMapText };

/// Casts the elements of many lists, or one field of many structs, 1024 at a time, and stores the results.
class ElementCast {
 public:
  ElementCast(const CastCall& call, const LogicalType& from, const LogicalType& to, PieceForm form)
      : from_(from),
        to_(to),
        call_{call.context, from_, to_, call.is_try},
        form_(form),
        cast_(FindCast(from, to)->kernel),
        load_(FindSlotLoader(from)),
        append_(FindSlotAppender(to)),
        source_(from),
        result_(to) {
    source_.Reset();
  }
  ElementCast(const ElementCast&) = delete;

  size_t size() const { return size_; }
  void AddSlot(std::string_view slot) {
    load_(from_, slot, source_, pending_);
    Advance();
  }
  void AddText(const TextItem& item) {
    source_.MutableData<StringRef>()[pending_] = source_.AddString(item.text);
    if (item.is_null) source_.SetNull(pending_);
    Advance();
  }
  /// Casts what is pending. Call it before reading results.
  void Flush() {
    if (pending_ == 0) return;
    // BOOLEAN has a shorter text within lists.
    if (form_ != PieceForm::kSlot && from_.id() == TypeId::kBoolean) {
      AppendBooleans();
    } else {
      result_.Reset();
      cast_(call_, source_, pending_, result_);
      AppendPieces();
    }
    pending_ = 0;
    source_.Reset();
  }
  /// The results from `begin` to before `end`, which are contiguous.
  std::string_view Pieces(size_t begin, size_t end) const {
    const size_t first = begin == 0 ? 0 : ends_[begin - 1];
    const size_t last = end == 0 ? 0 : ends_[end - 1];
    return std::string_view(pieces_).substr(first, last - first);
  }
  /// Whether one of the results is NULL because of a TRY_CAST.
  bool HasFailed(size_t begin, size_t end) const {
    for (size_t i = begin; i < end && !has_failed_.empty(); i++) {
      if (has_failed_[i]) return true;
    }
    return false;
  }

 private:
  void Advance() {
    size_++;
    if (++pending_ == kVectorSize) Flush();
  }
  void AppendText(std::string_view text) {
    if (form_ == PieceForm::kListText) {
      AppendListItem(text, from_, pieces_);
    } else if (form_ == PieceForm::kMapText) {
      AppendMapItem(text, from_, pieces_);
    } else {
      AppendStructItem(text, pieces_);
    }
  }
  void AppendNull() {
    if (form_ == PieceForm::kListText || form_ == PieceForm::kMapText) pieces_ += "NULL";
  }
  void AppendBooleans() {
    const auto values = source_.ViewAs<uint8_t>(pending_);
    for (size_t i = 0; i < pending_; i++) {
      if (values.IsValid(i)) {
        AppendText(ShortBooleanText(values[i] != 0));
      } else {
        AppendNull();
      }
      ends_.push_back(pieces_.size());
    }
  }
  void AppendPieces() {
    const UnifiedView given = source_.View(pending_);
    const UnifiedView converted = result_.View(pending_);
    for (size_t i = 0; i < pending_; i++) {
      if (form_ == PieceForm::kSlot) {
        append_(to_, converted, i, pieces_);
      } else if (converted.IsValid(i)) {
        AppendText(converted.As<StringRef>()[i].view());
      } else {
        AppendNull();
      }
      ends_.push_back(pieces_.size());
      if (call_.is_try) has_failed_.push_back(given.IsValid(i) && !converted.IsValid(i));
    }
  }

  LogicalType from_;
  LogicalType to_;
  CastCall call_;
  PieceForm form_;
  CastKernel cast_;
  SlotLoader load_;
  SlotAppender append_;
  Vector source_;
  Vector result_;
  size_t pending_ = 0;
  size_t size_ = 0;
  std::string pieces_;
  std::vector<size_t> ends_;  // the end of each result
  std::vector<bool> has_failed_;
};

/// The type of the pieces that a text or a JSON value is split into, for pieces of type `to`.
LogicalType PieceType(const LogicalType& from, const LogicalType& to) {
  return IsJson(from) ? JsonPieceType(from, to) : LogicalType(TypeId::kVarchar);
}

/// Whether a call makes or reads maps, which have a cast of their keys and one of their values.
bool IsOfMaps(const CastCall& call) { return IsMap(call.source_type) || IsMap(call.target_type); }

std::deque<ElementCast> MakeMapCasts(const CastCall& call) {
  const LogicalType &from = call.source_type, &to = call.target_type;
  const LogicalType text = TypeId::kVarchar;
  const PieceForm form = IsMap(to) ? PieceForm::kSlot : PieceForm::kMapText;
  std::deque<ElementCast> casts;
  casts.emplace_back(call, IsMap(from) ? MapKeyType(from) : text, IsMap(to) ? MapKeyType(to) : text, form);
  casts.emplace_back(call, IsMap(from) ? MapValueType(from) : PieceType(from, MapValueType(to)),
                     IsMap(to) ? MapValueType(to) : text, form);
  return casts;
}

/// Makes the casts of the elements, or of each field.
std::deque<ElementCast> MakeElementCasts(const CastCall& call) {
  if (IsOfMaps(call)) return MakeMapCasts(call);
  const LogicalType &from = call.source_type, &to = call.target_type;
  const LogicalType text = TypeId::kVarchar;
  const LogicalType& nested = from.IsNested() ? from : to;
  const bool is_list = nested.id() == TypeId::kList;
  const PieceForm form = to.IsNested() ? PieceForm::kSlot
                         : is_list     ? PieceForm::kListText
                                       : PieceForm::kStructText;
  std::deque<ElementCast> casts;
  if (is_list) {
    casts.emplace_back(call, from.IsNested() ? from.element() : PieceType(from, to.element()),
                       to.IsNested() ? to.element() : text, form);
    return casts;
  }
  for (size_t i = 0; i < nested.fields().size(); i++) {
    casts.emplace_back(call, from.IsNested() ? from.fields()[i].type : PieceType(from, to.fields()[i].type),
                       to.IsNested() ? to.fields()[i].type : text, form);
  }
  return casts;
}

/// Passes the keys and values of one value to their casts. Returns false if it is a text or JSON that is no
/// map.
bool SplitEntries(const CastCall& call, std::string_view value, std::deque<ElementCast>& casts,
                  std::vector<TextItem>& items) {
  const LogicalType& from = call.source_type;
  if (IsMap(from)) {
    while (!value.empty()) {
      const MapEntry entry = TakeMapEntry(from, value);
      casts[0].AddSlot(entry.key);
      casts[1].AddSlot(entry.value);
    }
    return true;
  }
  const bool is_map =
      IsJson(from) ? SplitJson(value, call.target_type, items) : SplitMapText(value, call.target_type, items);
  for (size_t i = 0; is_map && i < items.size(); i++) casts[i % 2].AddText(items[i]);
  return is_map;
}

/// Joins the cast keys and values from `begin` to `end` into one map or its text.
void JoinEntries(const CastCall& call, const std::deque<ElementCast>& casts, size_t begin, size_t end,
                 std::string& value) {
  const bool is_text = !call.target_type.IsNested();
  value = is_text ? "{" : "";
  for (size_t i = begin; i < end; i++) {
    const std::string_view mapped = casts[1].Pieces(i, i + 1);
    if (!is_text) {
      AppendMapEntry(casts[0].Pieces(i, i + 1), mapped, value);
      continue;
    }
    if (i != begin) value += ", ";
    value += casts[0].Pieces(i, i + 1);
    value += '=';
    value += mapped;
  }
  if (is_text) value += '}';
}

/// Passes the elements of one value to their casts. Returns false if it is a text or JSON that is not a list
/// or struct.
bool Split(const CastCall& call, std::string_view value, std::deque<ElementCast>& casts,
           std::vector<TextItem>& items) {
  if (IsOfMaps(call)) return SplitEntries(call, value, casts, items);
  const LogicalType& from = call.source_type;
  if (from.id() == TypeId::kList) {
    const LogicalType& element = from.element();
    while (!value.empty()) casts[0].AddSlot(TakeSlot(element, value));
    return true;
  }
  if (from.id() == TypeId::kStruct) {
    for (size_t i = 0; i < casts.size(); i++) casts[i].AddSlot(TakeSlot(from.fields()[i].type, value));
    return true;
  }
  if (IsJson(from)) {
    if (!SplitJson(value, call.target_type, items)) return false;
    const bool is_list = call.target_type.id() == TypeId::kList;
    for (size_t i = 0; i < items.size(); i++) casts[is_list ? 0 : i].AddText(items[i]);
    return true;
  }
  if (call.target_type.id() == TypeId::kList) {
    if (!SplitListText(value, call.target_type.element(), items)) return false;
    for (const TextItem& item : items) casts[0].AddText(item);
    return true;
  }
  if (!SplitStructText(value, casts.size(), items)) return false;
  for (size_t i = 0; i < casts.size(); i++) casts[i].AddText(items[i]);
  return true;
}

/// Joins the cast elements from `begin` to `end` into one value; structs have one cast per field.
void Join(const CastCall& call, const std::deque<ElementCast>& casts, size_t begin, size_t end,
          std::string& value) {
  if (IsOfMaps(call)) return JoinEntries(call, casts, begin, end, value);
  value.clear();
  const bool is_text = !call.target_type.IsNested();
  const bool is_list = (is_text ? call.source_type : call.target_type).id() == TypeId::kList;
  if (is_list && !is_text) {
    value = casts[0].Pieces(begin, end);
  } else if (is_list) {
    value = "{";
    for (size_t i = begin; i < end; i++) {
      if (i != begin) value += ',';
      value += casts[0].Pieces(i, i + 1);
    }
    value += '}';
  } else {
    for (const ElementCast& cast : casts) {
      if (is_text) value += value.empty() ? '(' : ',';
      value += cast.Pieces(begin, begin + 1);
    }
    if (is_text) value += ')';
  }
}

/// Returns whether the keys are good; if not, throws unless the cast is a TRY_CAST.
bool IsGoodMap(const CastCall& call, std::string_view map) {
  if (!call.is_try) CheckMapKeys(call.target_type, map);
  return !call.is_try || HasGoodKeys(call.target_type, map);
}

void CastNestedRows(const CastCall& call, Vector& source, size_t row_count, Vector& result) {
  if (row_count == 0) return;
  const size_t count = source.is_constant() ? 1 : row_count;
  const auto values = source.ViewAs<StringRef>(count);
  const bool is_json = IsJson(call.source_type);
  std::deque<ElementCast> casts = MakeElementCasts(call);
  std::vector<TextItem> items;
  std::vector<size_t> begins(count + 1);
  for (size_t row = 0; row < count; row++) {
    begins[row] = casts[0].size();
    if (!values.IsValid(row) || (is_json && JsonKindOf(values[row].view()) == JsonKind::kNull)) {
      result.SetNull(row);
    } else if (!Split(call, values[row].view(), casts, items)) {
      RefuseRow(call, source, row, result);
    }
  }
  begins[count] = casts[0].size();
  for (ElementCast& cast : casts) cast.Flush();
  auto* out = result.MutableData<StringRef>();
  std::string value;
  for (size_t row = 0; row < count; row++) {
    const size_t begin = begins[row], end = begins[row + 1];
    if (result.Validity() != nullptr && !TestValid(result.Validity(), row)) continue;
    // A TRY_CAST of JSON keeps what fits: only the field or element that does not is NULL.
    for (const ElementCast& cast : casts) {
      if (!is_json && cast.HasFailed(begin, end)) result.SetNull(row);
    }
    Join(call, casts, begin, end, value);
    if (IsMap(call.target_type) && !IsGoodMap(call, value)) {
      result.SetNull(row);
    } else {
      out[row] = result.AddString(value);
    }
  }
  if (source.is_constant()) result.SetConstant();
}

/// Whether the conversion of an element or field can fail.
bool CanFail(const LogicalType& from, const LogicalType& to) {
  if (!to.IsNested()) return false;
  if (!from.IsNested() || IsMap(to)) return true;
  if (to.id() == TypeId::kList) return FindCast(from.element(), to.element())->can_fail;
  for (size_t i = 0; i < to.fields().size(); i++) {
    if (FindCast(from.fields()[i].type, to.fields()[i].type)->can_fail) return true;
  }
  return false;
}

}  // namespace

CastFunction FindNestedCast(const LogicalType& from, const LogicalType& to) {
  // One by one: the fields have types of their own.
  if (from.id() == TypeId::kStruct && IsMap(to)) return {CastBoxed, true};
  return {CastNestedRows, CanFail(from, to)};
}

}  // namespace scaup
