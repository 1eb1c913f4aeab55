// Time zones that are named by an argument.
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "function/function_context.hpp"
#include "type/time/time_zone.hpp"
#include "vector/vector.hpp"

namespace scaup {

/// The zone of a name, an abbreviation or a POSIX rule. Throws Error(22023) if there is none.
std::shared_ptr<const TimeZone> RequireZone(const FunctionContext& context, std::string_view name);

/// Looks up the zone of each row, once per run of rows that share it. It borrows the vector of names.
class ZoneReader {
 public:
  ZoneReader(const FunctionContext& context, Vector& names, size_t count)
      : context_(context), names_(names.ViewAs<StringRef>(count)) {}
  bool IsValid(size_t row) const { return names_.IsValid(row); }
  /// REQUIRES: IsValid(row). The converter is valid until the next call.
  TimeZoneConverter& operator[](size_t row) {
    SCAUP_ASSERT(IsValid(row));
    const std::string_view name = names_[row].view();
    if (!converter_ || name != last_name_) {
      zone_ = RequireZone(context_, name);
      converter_.emplace(*zone_);
      last_name_ = name;
    }
    return *converter_;
  }

 private:
  const FunctionContext& context_;
  TypedView<StringRef> names_;
  std::string last_name_;
  std::shared_ptr<const TimeZone> zone_;
  std::optional<TimeZoneConverter> converter_;
};

}  // namespace scaup
