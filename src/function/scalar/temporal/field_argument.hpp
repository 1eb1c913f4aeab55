// The field name argument of date_part, date_trunc and date_diff; a constant is resolved at bind time.
#pragma once

#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

struct FieldData final : FunctionData {
  DateField field;
};

/// Calls function.template operator()<field>() for the most common fields; returns false for others.
template <typename Function>
bool VisitCommonField(DateField field, Function&& function) {
  switch (field) {
    case DateField::kYear: function.template operator()<DateField::kYear>(); return true;
    case DateField::kQuarter: function.template operator()<DateField::kQuarter>(); return true;
    case DateField::kMonth: function.template operator()<DateField::kMonth>(); return true;
    case DateField::kWeek: function.template operator()<DateField::kWeek>(); return true;
    case DateField::kDay: function.template operator()<DateField::kDay>(); return true;
    case DateField::kDayOfWeek: function.template operator()<DateField::kDayOfWeek>(); return true;
    case DateField::kHour: function.template operator()<DateField::kHour>(); return true;
    case DateField::kMinute: function.template operator()<DateField::kMinute>(); return true;
    default: return false;
  }
}

/// Stores a constant field name as FieldData; throws if it does not name a field.
std::unique_ptr<FunctionData> BindField(ScalarFunction& function, std::span<const BindArgument> arguments);

/// The field of each row: the constant one, or the one named in the row.
class FieldReader {
 public:
  FieldReader(const ScalarCall& call, Vector& names, size_t count, const char* type_name)
      : constant_(static_cast<const FieldData*>(call.data)),
        names_(names.ViewAs<StringRef>(count)),
        type_name_(type_name) {}
  /// The field of all rows, if it is constant.
  std::optional<DateField> constant() const {
    return constant_ == nullptr ? std::nullopt : std::optional(constant_->field);
  }
  bool IsValid(size_t row) const { return names_.IsValid(row); }
  DateField operator[](size_t row) const {
    if (constant_ != nullptr) return constant_->field;
    const auto field = FindDateField(names_[row].view());
    if (!field) ThrowUnknownField(names_[row].view(), type_name_);
    return *field;
  }
  [[noreturn]] void ThrowUnknown(size_t row) const { ThrowUnknownField(names_[row].view(), type_name_); }
  /// Throws for a field that exists, but not in values of this type.
  [[noreturn]] void ThrowUnsupported(size_t row) const {
    ThrowUnsupportedField(names_[row].view(), type_name_);
  }

 private:
  const FieldData* constant_;
  TypedView<StringRef> names_;
  const char* type_name_;
};

}  // namespace scaup
