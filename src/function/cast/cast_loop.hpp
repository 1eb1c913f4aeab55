// The loops of all casts: over any vector form, with NULLs preserved, and an error for the first bad value.
#pragma once

#include <cstring>
#include <memory>

#include "function/cast_function.hpp"

namespace scaup {

/// Throws the error for row `row` of `source`; for a TRY_CAST it sets that row of `result` to NULL instead.
void RefuseRow(const CastCall& call, const Vector& source, size_t row, Vector& result);
/// Sets rows of the flat `result` to NULL where `view` is NULL.
void CopyNulls(const UnifiedView& view, bool is_flat, size_t count, Vector& result);
/// Whether converting a dictionary's entries is cheaper than converting the rows that refer to them.
bool IsSmallDictionary(const Vector& source, size_t count);
/// Makes `result` the dictionary vector over `entries` with the selection of `source`.
void ReferenceEntries(const Vector& source, std::shared_ptr<Vector> entries, Vector& result);

/// The kernel of rare conversions, which CastValue does value by value.
void CastBoxed(const CastCall& call, Vector& source, size_t row_count, Vector& result);

/// The loop for cheap conversions that are defined for every input: bool convert(From, To&). It converts all
/// rows, even those under NULLs, without branches. Only if one failed are the rows examined one by one.
template <typename From, typename To, typename Convert>
void CastNumbers(const CastCall& call, Vector& source, size_t count, Vector& result, const Convert& convert) {
  if (count == 0) return;
  To* out = result.MutableData<To>();
  if (source.is_constant()) {
    const bool is_null = source.is_null_constant();
    if (!is_null && !convert(source.Data<From>()[0], out[0])) RefuseRow(call, source, 0, result);
    if (is_null) result.SetNull(0);
    result.SetConstant();
    return;
  }
  const UnifiedView view = source.View(count);
  const TypedView<From> typed = view.As<From>();
  const bool is_flat = source.is_flat();
  bool all_good = true;
  if (is_flat) {
    const From* in = typed.data;
    for (size_t row = 0; row < count; row++) all_good &= convert(in[row], out[row]);
  } else {
    for (size_t row = 0; row < count; row++) all_good &= convert(typed[row], out[row]);
  }
  CopyNulls(view, is_flat, count, result);
  if (all_good) return;
  for (size_t row = 0; row < count; row++) {
    To ignored;
    if (view.IsValid(row) && !convert(typed[row], ignored)) RefuseRow(call, source, row, result);
  }
}

/// The loop for conversions that are expensive or must not see garbage: bool convert(const From&, To&,
/// Vector& target), which makes strings on target's heap. Converts the entries of a small dictionary once.
template <typename From, typename To, typename Convert>
void CastRows(const CastCall& call, Vector& source, size_t count, Vector& result, const Convert& convert) {
  if (count == 0) return;
  if (source.is_constant()) {
    if (source.is_null_constant()) {
      result.SetNull(0);
    } else if (!convert(source.Data<From>()[0], result.MutableData<To>()[0], result)) {
      RefuseRow(call, source, 0, result);
    }
    result.SetConstant();
    return;
  }
  if (IsSmallDictionary(source, count)) {
    const Dictionary& dictionary = source.dictionary();
    const From* in = reinterpret_cast<const From*>(dictionary.data);
    auto entries = std::make_shared<Vector>(result.type());
    entries->AccountStrings(result.string_memory());
    entries->Reset();
    To* out = entries->template MutableData<To>();
    bool all_good = true;
    for (size_t i = 0; i < dictionary.size && all_good; i++) {
      if (dictionary.validity != nullptr && !TestValid(dictionary.validity, i)) {
        entries->SetNull(i);
      } else {
        all_good = convert(in[i], out[i], *entries);
      }
    }
    // A bad entry may have no row that refers to it; then the rows decide, below.
    if (all_good) return ReferenceEntries(source, std::move(entries), result);
  }
  const UnifiedView view = source.View(count);
  const TypedView<From> typed = view.As<From>();
  To* out = result.MutableData<To>();
  for (size_t row = 0; row < count; row++) {
    if (!view.IsValid(row)) {
      result.SetNull(row);
    } else if (!convert(typed[row], out[row], result)) {
      RefuseRow(call, source, row, result);
    }
  }
}

/// A C++ type as a value, to select template instantiations.
template <typename T>
struct TypeTag {
  using Type = T;
};

/// Calls function(TypeTag<T>) with the C++ type that stores an integer or decimal.
template <typename Function>
auto WithIntegerType(PhysicalType type, Function&& function) {
  switch (type) {
    case PhysicalType::kInt8: return function(TypeTag<int8_t>());
    case PhysicalType::kUInt8: return function(TypeTag<uint8_t>());
    case PhysicalType::kUInt16: return function(TypeTag<uint16_t>());
    case PhysicalType::kUInt32: return function(TypeTag<uint32_t>());
    case PhysicalType::kUInt64: return function(TypeTag<uint64_t>());
    case PhysicalType::kInt16: return function(TypeTag<int16_t>());
    case PhysicalType::kInt32: return function(TypeTag<int32_t>());
    case PhysicalType::kInt64: return function(TypeTag<int64_t>());
    default: return function(TypeTag<int128_t>());
  }
}

template <typename Function>
auto WithDecimalType(PhysicalType type, Function&& function) {
  switch (type) {
    case PhysicalType::kInt16: return function(TypeTag<int16_t>());
    case PhysicalType::kInt32: return function(TypeTag<int32_t>());
    case PhysicalType::kInt64: return function(TypeTag<int64_t>());
    default: return function(TypeTag<int128_t>());
  }
}

}  // namespace scaup
