// current_setting and set_config: the session's settings.
#include <fmt/format.h>

#include <optional>
#include <string>

#include "common/settings/settings.hpp"
#include "common/throw.hpp"
#include "function/scalar/scalar_functions.hpp"
#include "function/setting_access.hpp"
#include "vector/vectorized.hpp"

namespace scaup {
namespace {

/// The setting's value, and NULL for an unknown setting if the second argument allows it.
void CurrentSetting(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto names = arguments.column(0).ViewAs<StringRef>(arguments.size());
  std::optional<TypedView<bool>> may_miss;
  if (arguments.column_count() == 2) may_miss = arguments.column(1).ViewAs<bool>(arguments.size());
  const auto texts = result.MutableData<StringRef>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!names.IsValid(row) || (may_miss && !may_miss->IsValid(row))) {
      result.SetNull(row);
      continue;
    }
    const SettingDefinition* setting = FindSetting(std::string(names[row].view()));
    if (setting != nullptr) {
      texts[row] = result.AddString(setting->get(call.context.settings));
    } else if (may_miss && (*may_miss)[row]) {
      result.SetNull(row);
    } else {
      ThrowError(
          ErrorKind::kBinder, sqlstate::kUndefinedObject,
          fmt::format("setting \"{}\" does not exist; SHOW ALL lists those that do", names[row].view()));
    }
  }
}

void SetConfig(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  if (call.context.setting_access == nullptr) ThrowNotSupported("settings cannot be changed here");
  const auto names = arguments.column(0).ViewAs<StringRef>(arguments.size());
  const auto values = arguments.column(1).ViewAs<StringRef>(arguments.size());
  const auto locals = arguments.column(2).ViewAs<bool>(arguments.size());
  const auto texts = result.MutableData<StringRef>();
  for (size_t row = 0; row < arguments.size(); row++) {
    if (!names.IsValid(row))
      ThrowError(ErrorKind::kUsage, sqlstate::kNullValueNotAllowed, "set_config() needs the setting's name");
    std::optional<std::string> value;
    if (values.IsValid(row)) value = values[row].view();
    texts[row] = result.AddString(call.context.setting_access->Set(std::string(names[row].view()), value,
                                                                   locals.IsValid(row) && locals[row]));
  }
}

}  // namespace

ScalarFunctionList SettingFunctions() {
  constexpr TypeId kText = TypeId::kVarchar, kSwitch = TypeId::kBoolean;
  ScalarFunctionList list;
  const auto add = [&](const char* name, std::vector<LogicalType> types, ScalarKernel kernel,
                       Volatility volatility, const char* description,
                       const char* example) -> ScalarFunction& {
    list.push_back({.name = name,
                    .argument_types = std::move(types),
                    .return_type = kText,
                    .kernel = kernel,
                    .description = description,
                    .example = example,
                    .volatility = volatility});
    return list.back();
  };
  add("current_setting", {kText}, &CurrentSetting, Volatility::kStable, "The value of a setting.",
      "current_setting('recovery_mode')");
  add("current_setting", {kText, kSwitch}, &CurrentSetting, Volatility::kStable,
      "The same; with true, NULL for a setting that does not exist.", "current_setting('work_mem', true)");
  add("set_config", {kText, kText, kSwitch}, &SetConfig, Volatility::kVolatile,
      "Changes a setting as SET does, or with true as SET LOCAL.", "set_config('jit', 'off', false)")
      .nulls = NullHandling::kSpecial;
  return list;
}

}  // namespace scaup
