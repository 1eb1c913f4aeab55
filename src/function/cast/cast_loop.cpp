// The type-independent parts of the cast loops.
#include "function/cast/cast_loop.hpp"

#include "type/value_cast.hpp"

namespace scaup {

void RefuseRow(const CastCall& call, const Vector& source, size_t row, Vector& result) {
  if (!call.is_try) ThrowCastError(source.GetValue(row), call.target_type);
  result.SetNull(row);
}

void CopyNulls(const UnifiedView& view, bool is_flat, size_t count, Vector& result) {
  if (view.validity == nullptr) return;
  if (is_flat) {
    std::memcpy(result.MutableValidity(), view.validity, (count + 63) / 64 * sizeof(ValidityWord));
    return;
  }
  for (size_t row = 0; row < count; row++) {
    if (!view.IsValid(row)) result.SetNull(row);
  }
}

bool IsSmallDictionary(const Vector& source, size_t count) {
  return source.kind() == VectorKind::kDictionary && source.dictionary().is_distinct &&
         source.dictionary().size <= count / 2;
}

void ReferenceEntries(const Vector& source, std::shared_ptr<Vector> entries, Vector& result) {
  Dictionary dictionary;
  dictionary.data = entries->Data<std::byte>();
  dictionary.validity = entries->Validity();
  dictionary.size = source.dictionary().size;
  // Two entries may have become equal, but the saved work is the same.
  dictionary.is_distinct = true;
  dictionary.owner = std::move(entries);
  result.ReferenceDictionary(std::move(dictionary), source.selection());
}

void CastBoxed(const CastCall& call, Vector& source, size_t row_count, Vector& result) {
  if (row_count == 0) return;
  const size_t count = source.is_constant() ? 1 : row_count;
  const UnifiedView values = source.View(count);
  Value converted;
  for (size_t row = 0; row < count; row++) {
    if (!values.IsValid(row)) {
      result.SetNull(row);
    } else if (CastValue(source.GetValue(row), call.target_type, converted, &call.context.Zone())) {
      result.SetValue(row, converted);
    } else {
      RefuseRow(call, source, row, result);
    }
  }
  if (source.is_constant()) result.SetConstant();
}

}  // namespace scaup
