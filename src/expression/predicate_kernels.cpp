// Predicate kernels: comparison, NOT, IS NULL, and converting a BOOLEAN vector to a selection.
#include <cmath>
#include <cstring>

#include "common/throw.hpp"
#include "expression/expression_node.hpp"
#include "type/time/date_time.hpp"
#include "type/visit_physical_type.hpp"
#include "vector/kernel_type.hpp"

namespace scaup {

namespace {

/// Returns a negative number, zero or a positive number. NaN equals NaN and is above all other numbers.
template <typename T>
int Order(const T& a, const T& b) {
  if constexpr (std::is_floating_point_v<T>) {
    if (std::isnan(a) || std::isnan(b)) return int{std::isnan(a)} - int{std::isnan(b)};
    return int{a > b} - int{a < b};
  } else if constexpr (std::is_same_v<T, StringRef>) {
    const auto order = a <=> b;
    return int{order > 0} - int{order < 0};
  } else if constexpr (std::is_same_v<T, Interval>) {
    return Order(IntervalSortKey(a), IntervalSortKey(b));
  } else {
    return int{a > b} - int{a < b};
  }
}

template <typename T>
bool AreEqual(const T& a, const T& b) {
  if constexpr (std::is_same_v<T, StringRef>) return a == b;
  return Order(a, b) == 0;
}

template <typename T, typename F>
void CompareRows(Vector& left, Vector& right, size_t count, Vector& result, F&& test) {
  const auto a = left.ViewAs<T>(count);
  const auto b = right.ViewAs<T>(count);
  uint8_t* out = result.MutableData<uint8_t>();
  if (a.all_valid() && b.all_valid()) {
    for (size_t row = 0; row < count; row++) out[row] = test(a[row], b[row]);
    return;
  }
  for (size_t row = 0; row < count; row++) {
    if (a.IsValid(row) && b.IsValid(row)) {
      out[row] = test(a[row], b[row]);
    } else {
      out[row] = 0;
      result.SetNull(row);
    }
  }
}

template <typename T>
void CompareDistinct(Vector& left, Vector& right, size_t count, bool wants_distinct, Vector& result) {
  const auto a = left.ViewAs<T>(count);
  const auto b = right.ViewAs<T>(count);
  uint8_t* out = result.MutableData<uint8_t>();
  for (size_t row = 0; row < count; row++) {
    const bool a_valid = a.IsValid(row), b_valid = b.IsValid(row);
    const bool same = a_valid == b_valid && (!a_valid || AreEqual(a[row], b[row]));
    out[row] = same != wants_distinct;
  }
}

template <typename T>
void CompareTyped(ComparisonOp op, Vector& left, Vector& right, size_t count, Vector& result) {
  switch (op) {
    case ComparisonOp::kEqual:
      return CompareRows<T>(left, right, count, result,
                            [](const T& a, const T& b) { return AreEqual(a, b); });
    case ComparisonOp::kNotEqual:
      return CompareRows<T>(left, right, count, result,
                            [](const T& a, const T& b) { return !AreEqual(a, b); });
    case ComparisonOp::kLess:
      return CompareRows<T>(left, right, count, result,
                            [](const T& a, const T& b) { return Order(a, b) < 0; });
    case ComparisonOp::kLessEqual:
      return CompareRows<T>(left, right, count, result,
                            [](const T& a, const T& b) { return Order(a, b) <= 0; });
    case ComparisonOp::kGreater:
      return CompareRows<T>(left, right, count, result,
                            [](const T& a, const T& b) { return Order(a, b) > 0; });
    case ComparisonOp::kGreaterEqual:
      return CompareRows<T>(left, right, count, result,
                            [](const T& a, const T& b) { return Order(a, b) >= 0; });
    case ComparisonOp::kDistinctFrom: return CompareDistinct<T>(left, right, count, true, result);
    case ComparisonOp::kNotDistinctFrom: return CompareDistinct<T>(left, right, count, false, result);
  }
}

void CopyValidity(const ValidityWord* validity, bool is_constant, size_t count, Vector& result) {
  if (validity == nullptr || is_constant) return;
  ValidityWord* words = result.MutableValidity();
  for (size_t i = 0; i < (count + 63) / 64; i++) words[i] &= validity[i];
}

/// Compares flat values of a type with kernels; the right side is flat or constant.
void CompareByKernel(const KernelTable& kernels, KernelType type, ComparisonOp op, Vector& left,
                     Vector& right, size_t count, Vector& result) {
  uint8_t* out = result.MutableData<uint8_t>();
  kernels.compare[static_cast<size_t>(op)][static_cast<size_t>(type)](
      left.Data<std::byte>(), right.Data<std::byte>(), out, count, right.is_constant());
  CopyValidity(left.Validity(), false, count, result);
  CopyValidity(right.Validity(), right.is_constant(), count, result);
}

}  // namespace

void CompareVectors(const KernelTable& kernels, ComparisonOp op, Vector& left, Vector& right, size_t count,
                    Vector& result) {
  const bool null_aware = op == ComparisonOp::kDistinctFrom || op == ComparisonOp::kNotDistinctFrom;
  if (!null_aware) {
    if (left.is_null_constant() || right.is_null_constant()) {
      result.SetConstantNull();
      return;
    }
    if (const auto type = KernelTypeOf(left.physical_type())) {
      // A selection over a flat vector is gathered first: the comparison itself is then cheap.
      if (!left.is_constant()) left.Flatten(count);
      if (!right.is_constant()) right.Flatten(count);
      if (!left.is_constant()) return CompareByKernel(kernels, *type, op, left, right, count, result);
      if (!right.is_constant())
        return CompareByKernel(kernels, *type, FlipComparison(op), right, left, count, result);
    }
  }
  VisitPhysicalType(left.physical_type(),
                    [&]<typename T>() { CompareTyped<T>(op, left, right, count, result); });
}

void NegateVector(Vector& input, size_t count, Vector& result) {
  const auto view = input.ViewAs<uint8_t>(count);
  uint8_t* out = result.MutableData<uint8_t>();
  for (size_t row = 0; row < count; row++) {
    out[row] = !view[row];
    if (!view.IsValid(row)) result.SetNull(row);
  }
}

void TestNull(Vector& input, bool negated, size_t count, Vector& result) {
  const UnifiedView view = input.View(count);
  uint8_t* out = result.MutableData<uint8_t>();
  const bool is_unknown_type = input.type().id() == TypeId::kNull;
  for (size_t row = 0; row < count; row++) out[row] = (is_unknown_type || !view.IsValid(row)) != negated;
}

size_t SelectTrue(const KernelTable& kernels, Vector& input, size_t count, sel_t* selection) {
  if (input.is_constant()) {
    if (input.is_null_constant() || input.Data<uint8_t>()[0] == 0) return 0;
    std::memcpy(selection, IdentitySelection(), count * sizeof(sel_t));
    return count;
  }
  if (input.is_flat() && input.Validity() == nullptr)
    return kernels.select(input.Data<uint8_t>(), count, selection);
  const auto view = input.ViewAs<uint8_t>(count);
  size_t selected = 0;
  for (size_t row = 0; row < count; row++) {
    selection[selected] = static_cast<sel_t>(row);
    selected += view.IsValid(row) && view[row] != 0;
  }
  return selected;
}

}  // namespace scaup
