// pg_catalog: settings, as a relation and as a function.
#include "common/settings/settings.hpp"
#include "system/system_relations.hpp"

namespace scaup {
namespace {

ListingRows SettingRows(const FunctionContext& context, const BoundListing& bound) {
  SystemRows rows(bound);
  for (const SettingDefinition& setting : AllSettings()) {
    rows.Add({{"name", TextValue(setting.name)},
              {"setting", TextValue(setting.get(context.settings))},
              {"short_desc", TextValue(setting.description)},
              {"context", TextValue(setting.is_for_opening ? "postmaster" : "user")},
              {"vartype", TextValue("string")},
              {"source", TextValue("session")},
              {"pending_restart", Value::Boolean(false)}});
  }
  return rows.Take();
}

constexpr SystemRelation kSettings = {"pg_catalog.pg_settings",
                                      "name setting unit category short_desc extra_desc context vartype "
                                      "source min_val max_val enumvals boot_val "
                                      "reset_val sourcefile sourceline:int pending_restart:bool",
                                      SettingRows, "Settings and their values."};

}  // namespace

TableFunction MakePgSettingListing() {
  return MakeListing(
      "pg_show_all_settings", "Settings and their values, as pg_settings lists them.",
      "SELECT name, setting FROM pg_show_all_settings()", {},
      [](const FunctionContext&, const TableFunctionArguments&) { return BindSystemRelation(kSettings); });
}

std::vector<TableFunction> PgSettingRelations() { return {MakeSystemRelation<kSettings>()}; }

}  // namespace scaup
