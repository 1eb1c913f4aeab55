// The first argument of date_part, date_trunc and date_diff: a field's name, known at bind when it is a
// constant.
#pragma once

#include "function/scalar/temporal/date_field.hpp"
#include "function/scalar_function.hpp"

namespace scaup {

struct FieldData final : FunctionData {
  DateField field;
};

/// Keeps a constant field name as FieldData; throws for a name that is no field.
std::unique_ptr<FunctionData> BindField(ScalarFunction& function, std::span<const BindArgument> arguments);

/// Gives the field of each row: the constant one, or the one that the row names.
class FieldReader {
 public:
  FieldReader(const ScalarCall& call, Vector& names, size_t count, const char* type_name)
      : constant_(static_cast<const FieldData*>(call.data)),
        names_(names.ViewAs<StringRef>(count)),
        type_name_(type_name) {}
  bool IsValid(size_t row) const { return names_.IsValid(row); }
  DateField operator[](size_t row) const {
    if (constant_ != nullptr) return constant_->field;
    const auto field = FindDateField(names_[row].view());
    if (!field) ThrowUnknownField(names_[row].view(), type_name_);
    return *field;
  }
  [[noreturn]] void ThrowUnsupported(size_t row) const { ThrowUnknownField(names_[row].view(), type_name_); }

 private:
  const FieldData* constant_;
  TypedView<StringRef> names_;
  const char* type_name_;
};

}  // namespace scaup
