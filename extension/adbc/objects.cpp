// The nested table of AdbcConnectionGetObjects.
#include "arrow_builder.hpp"
#include "catalog_reader.hpp"
#include "edge.hpp"
#include "metadata.hpp"
#include "xdbc.hpp"

namespace scaup::adbc {

namespace {

Field ListOf(const char* name, bool is_nullable, std::vector<Field> fields) {
  return {name, "+l", is_nullable, {{"item", "+s", true, std::move(fields)}}};
}

std::vector<Field> ColumnFields() {
  return {{"column_name", "u", false, {}},
          {"ordinal_position", "i", true, {}},
          {"remarks", "u", true, {}},
          {"xdbc_data_type", "s", true, {}},
          {"xdbc_type_name", "u", true, {}},
          {"xdbc_column_size", "i", true, {}},
          {"xdbc_decimal_digits", "s", true, {}},
          {"xdbc_num_prec_radix", "s", true, {}},
          {"xdbc_nullable", "s", true, {}},
          {"xdbc_column_def", "u", true, {}},
          {"xdbc_sql_data_type", "s", true, {}},
          {"xdbc_datetime_sub", "s", true, {}},
          {"xdbc_char_octet_length", "i", true, {}},
          {"xdbc_is_nullable", "u", true, {}},
          {"xdbc_scope_catalog", "u", true, {}},
          {"xdbc_scope_schema", "u", true, {}},
          {"xdbc_scope_table", "u", true, {}},
          {"xdbc_is_autoincrement", "b", true, {}},
          {"xdbc_is_generatedcolumn", "b", true, {}}};
}

std::vector<Field> ConstraintFields() {
  return {{"constraint_name", "u", true, {}},
          {"constraint_type", "u", false, {}},
          {"constraint_column_names", "+l", false, {{"item", "u", true, {}}}},
          ListOf("constraint_column_usage", true,
                 {{"fk_catalog", "u", true, {}},
                  {"fk_db_schema", "u", true, {}},
                  {"fk_table", "u", false, {}},
                  {"fk_column_name", "u", false, {}}})};
}

std::vector<Field> ObjectColumns() {
  const Field tables = ListOf("db_schema_tables", true,
                              {{"table_name", "u", false, {}},
                               {"table_type", "u", false, {}},
                               ListOf("table_columns", true, ColumnFields()),
                               ListOf("table_constraints", true, ConstraintFields())});
  return {{"catalog_name", "u", true, {}},
          ListOf("catalog_db_schemas", true, {{"db_schema_name", "u", true, {}}, tables})};
}

/// Appends the fields of a struct from left to right.
class StructAppender {
 public:
  explicit StructAppender(ArrayBuilder& to) : to_(to) {}
  StructAppender& Text(const std::optional<std::string>& text) {
    if (!text) return Null();
    to_.child(field_++).AppendBytes(*text);
    return *this;
  }
  template <typename Number>
  StructAppender& Integer(const std::optional<Number>& number) {
    if (!number) return Null();
    to_.child(field_++).AppendInteger(*number);
    return *this;
  }
  StructAppender& Null() {
    to_.child(field_++).AppendNull();
    return *this;
  }
  ArrayBuilder& Next() { return to_.child(field_++); }
  void End() { to_.EndStruct(); }

 private:
  ArrayBuilder& to_;
  size_t field_ = 0;
};

void AppendColumn(const ColumnEntry& column, ArrayBuilder& to) {
  const XdbcType type = XdbcTypeOf(column.type);
  const std::optional<int32_t> size = column.precision         ? column.precision
                                      : column.character_count ? column.character_count
                                                               : column.datetime_precision;
  StructAppender(to)
      .Text(column.name)
      .Integer(std::optional(column.position))
      .Text(column.remarks)
      .Integer(type.data_type)
      .Text(column.type)
      .Integer(size)
      .Integer(column.scale)
      .Integer(column.radix)
      .Integer(std::optional(column.is_nullable ? 1 : 0))
      .Text(column.default_text)
      .Integer(type.sql_data_type)
      .Integer(type.datetime_sub)
      .Integer(column.character_bytes)
      .Text(column.is_nullable ? "YES" : "NO")
      .Null()
      .Null()
      .Null()
      .Integer(std::optional(column.is_identity ? 1 : 0))
      .Integer(std::optional(column.is_generated ? 1 : 0))
      .End();
}

void AppendConstraint(const ConstraintEntry& constraint, const std::string& catalog, ArrayBuilder& to) {
  StructAppender fields(to);
  fields.Text(constraint.name).Text(constraint.type);
  ArrayBuilder& names = fields.Next();
  for (const std::string& name : constraint.columns) names.child(0).AppendBytes(name);
  names.EndList();
  ArrayBuilder& usages = fields.Next();
  for (const UsageEntry& usage : constraint.usages)
    StructAppender(usages.child(0))
        .Text(catalog)
        .Text(usage.schema)
        .Text(usage.table)
        .Text(usage.column)
        .End();
  if (constraint.type == "FOREIGN KEY") {
    usages.EndList();
  } else {
    usages.AppendNull();
  }
  fields.End();
}

void AppendTable(const TableEntry& table, int depth, const std::string& catalog, ArrayBuilder& to) {
  StructAppender fields(to);
  fields.Text(table.name).Text(table.type);
  if (depth == ADBC_OBJECT_DEPTH_TABLES) {
    fields.Null().Null();
  } else {
    ArrayBuilder& columns = fields.Next();
    for (const ColumnEntry& column : table.columns) AppendColumn(column, columns.child(0));
    columns.EndList();
    ArrayBuilder& constraints = fields.Next();
    for (const ConstraintEntry& constraint : table.constraints)
      AppendConstraint(constraint, catalog, constraints.child(0));
    constraints.EndList();
  }
  fields.End();
}

void AppendSchema(const SchemaEntry& schema, int depth, const std::string& catalog, ArrayBuilder& to) {
  StructAppender fields(to);
  fields.Text(schema.name);
  if (depth == ADBC_OBJECT_DEPTH_DB_SCHEMAS) {
    fields.Null();
  } else {
    ArrayBuilder& tables = fields.Next();
    for (const TableEntry& table : schema.tables) AppendTable(table, depth, catalog, tables.child(0));
    tables.EndList();
  }
  fields.End();
}

}  // namespace

OwnedStream ObjectsTable(Operation& operation, int depth, const ObjectFilter& filter) {
  if (depth < ADBC_OBJECT_DEPTH_ALL || depth > ADBC_OBJECT_DEPTH_TABLES)
    ThrowInvalidArgument("there is no depth " + std::to_string(depth) + ": it is 0 to 3");
  const std::vector<Field> columns = ObjectColumns();
  ArrayBuilder table(TableField(columns));
  const std::string catalog = CatalogName(operation);
  if (PassesCatalog(operation, catalog, filter)) {
    StructAppender fields(table);
    fields.Text(catalog);
    if (depth == ADBC_OBJECT_DEPTH_CATALOGS) {
      fields.Null();
    } else {
      ArrayBuilder& schemas = fields.Next();
      for (const SchemaEntry& schema : ReadCatalog(operation, depth, filter))
        AppendSchema(schema, depth, catalog, schemas.child(0));
      schemas.EndList();
    }
    fields.End();
  }
  return MakeTable(columns, table);
}

}  // namespace scaup::adbc
