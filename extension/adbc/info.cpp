// Information about the driver: codes, table types, and names of statistics.
#include "arrow_builder.hpp"
#include "edge.hpp"
#include "metadata.hpp"
#include "names.hpp"
#include "scaup/arrow_schema.hpp"
#include "scaup/database.hpp"

namespace scaup::adbc {

namespace {

// The type codes of the union of info values.
constexpr int8_t kText = 0;
constexpr int8_t kBoolean = 1;
constexpr int8_t kInteger = 2;

std::vector<Field> InfoColumns() {
  const Field integers{"item", "i", true, {}};
  return {{"info_name", "I", false, {}},
          {"info_value",
           "+ud:0,1,2,3,4,5",
           true,
           {{"string_value", "u", true, {}},
            {"bool_value", "b", true, {}},
            {"int64_value", "l", true, {}},
            {"int32_bitmask", "i", true, {}},
            {"string_list", "+l", true, {{"item", "u", true, {}}}},
            {"int32_to_int32_list_map",
             "+m",
             true,
             {{"entries", "+s", false, {{"key", "i", false, {}}, {"value", "+l", true, {integers}}}}}}}}};
}

void AppendInfo(uint32_t code, ArrayBuilder& table) {
  ArrayBuilder& value = table.child(1);
  const auto add = [&](int8_t type, auto&& append) {
    table.child(0).AppendInteger(code);
    append(value.child(static_cast<size_t>(type)));
    value.EndUnion(type);
    table.EndStruct();
  };
  const auto text = [&](const char* given) { add(kText, [&](ArrayBuilder& to) { to.AppendBytes(given); }); };
  const auto integer = [&](int8_t type, int64_t given) {
    add(type, [&](ArrayBuilder& to) { to.AppendInteger(given); });
  };
  switch (code) {
    case ADBC_INFO_VENDOR_NAME: return text("Scaup");
    case ADBC_INFO_DRIVER_NAME: return text("ADBC Scaup Driver");
    case ADBC_INFO_VENDOR_VERSION:
    case ADBC_INFO_DRIVER_VERSION: return text(Database::Version());
    case ADBC_INFO_VENDOR_SQL: return integer(kBoolean, 1);
    case ADBC_INFO_VENDOR_SUBSTRAIT: return integer(kBoolean, 0);
    case ADBC_INFO_DRIVER_ADBC_VERSION: return integer(kInteger, ADBC_VERSION_1_1_0);
    default: return;
  }
}

constexpr uint32_t kCodes[] = {
    ADBC_INFO_VENDOR_NAME, ADBC_INFO_VENDOR_VERSION, ADBC_INFO_VENDOR_SQL,         ADBC_INFO_VENDOR_SUBSTRAIT,
    ADBC_INFO_DRIVER_NAME, ADBC_INFO_DRIVER_VERSION, ADBC_INFO_DRIVER_ADBC_VERSION};

}  // namespace

OwnedStream InfoTable(std::optional<std::span<const uint32_t>> codes) {
  const std::vector<Field> columns = InfoColumns();
  ArrayBuilder table(TableField(columns));
  for (const uint32_t code : codes.value_or(kCodes)) AppendInfo(code, table);
  return MakeTable(columns, table);
}

OwnedStream TableTypesTable() {
  const std::vector<Field> columns = {{"table_type", "u", false, {}}};
  ArrayBuilder table(TableField(columns));
  for (const char* type : {"BASE TABLE", "LOCAL TEMPORARY", "VIEW"}) {
    table.child(0).AppendBytes(type);
    table.EndStruct();
  }
  return MakeTable(columns, table);
}

OwnedStream StatisticNamesTable() {
  const std::vector<Field> columns = {{"statistic_name", "u", false, {}}, {"statistic_key", "s", false, {}}};
  ArrayBuilder table(TableField(columns));
  return MakeTable(columns, table);
}

void TableSchema(Operation& operation, const char* catalog, const char* schema, const char* table,
                 ArrowSchema* out) {
  if (catalog != nullptr && *catalog != '\0') operation.RequireCatalog(catalog);
  const bool has_schema = schema != nullptr && *schema != '\0';
  const std::string name =
      (has_schema ? QuotedName(schema) + "." : "") + QuotedName(&Require(table, "the table"));
  const PreparedStatement prepared = operation.session().Prepare("SELECT * FROM " + name);
  ExportArrowSchema(prepared.columns(), operation.TimeZone(), out, operation.connection().arrow());
}

}  // namespace scaup::adbc
