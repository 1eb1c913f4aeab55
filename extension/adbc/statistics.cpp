// The nested table of AdbcConnectionGetStatistics.
#include <utility>

#include "arrow_builder.hpp"
#include "catalog_reader.hpp"
#include "edge.hpp"
#include "metadata.hpp"
#include "names.hpp"

namespace scaup::adbc {

namespace {

// The type codes of the union of values.
constexpr int8_t kInt64 = 0;
constexpr int8_t kFloat64 = 2;
constexpr int8_t kBinary = 3;

std::vector<Field> StatisticColumns() {
  const Field value{"statistic_value",
                    "+ud:0,1,2,3",
                    false,
                    {{"int64", "l", true, {}},
                     {"uint64", "L", true, {}},
                     {"float64", "g", true, {}},
                     {"binary", "z", true, {}}}};
  const Field statistics{"db_schema_statistics",
                         "+l",
                         false,
                         {{"item",
                           "+s",
                           true,
                           {{"table_name", "u", false, {}},
                            {"column_name", "u", true, {}},
                            {"statistic_key", "s", false, {}},
                            value,
                            {"statistic_is_approximate", "b", false, {}}}}}};
  const Field schemas{"catalog_db_schemas",
                      "+l",
                      false,
                      {{"item", "+s", true, {{"db_schema_name", "u", true, {}}, statistics}}}};
  return {{"catalog_name", "u", true, {}}, schemas};
}

bool IsInteger(const std::string& type) {
  return type == "TINYINT" || type == "SMALLINT" || type == "INTEGER" || type == "BIGINT";
}
bool IsFloating(const std::string& type) { return type == "REAL" || type == "DOUBLE"; }
/// Returns whether values have a smallest one.
bool HasOrder(const std::string& type) {
  return !type.ends_with("[]") && !type.starts_with("STRUCT") && type != "JSON" && type != "JSONB";
}

/// Appends the statistics of one table.
class StatisticsAppender {
 public:
  StatisticsAppender(ArrayBuilder& to, const std::string& table, bool is_approximate)
      : to_(to), table_(table), is_approximate_(is_approximate) {}

  void AddCount(const std::string* column, int16_t key, double count) {
    Add(column, key, [&](ArrayBuilder& value) {
      if (is_approximate_) {
        value.child(kFloat64).AppendDouble(count);
      } else {
        value.child(kInt64).AppendInteger(static_cast<int64_t>(count));
      }
      value.EndUnion(is_approximate_ ? kFloat64 : kInt64);
    });
  }
  /// Adds the least or greatest value of a column: integers and floating-point numbers as such, others as
  /// text.
  void AddBound(const std::string* column, const std::string& type, int16_t key, const QueryResult& row,
                size_t from) {
    if (row.IsNull(from, 0)) return;
    std::string text;
    row.AppendText(from, 0, text);
    Add(column, key, [&](ArrayBuilder& value) {
      const int8_t code = IsInteger(type) ? kInt64 : IsFloating(type) ? kFloat64 : kBinary;
      ArrayBuilder& child = value.child(static_cast<size_t>(code));
      if (code == kInt64) {
        child.AppendInteger(row.GetValue(from, 0).GetBigInt());
      } else if (code == kFloat64) {
        child.AppendDouble(row.GetValue(from, 0).GetDouble());
      } else {
        child.AppendBytes(text);
      }
      value.EndUnion(code);
    });
  }

 private:
  template <typename Append>
  void Add(const std::string* column, int16_t key, Append&& append) {
    to_.child(0).AppendBytes(table_);
    if (column == nullptr) {
      to_.child(1).AppendNull();
    } else {
      to_.child(1).AppendBytes(*column);
    }
    to_.child(2).AppendInteger(key);
    append(to_.child(3));
    to_.child(4).AppendInteger(is_approximate_ ? 1 : 0);
    to_.EndStruct();
  }

  ArrayBuilder& to_;
  const std::string& table_;
  const bool is_approximate_;
};

std::string NameOf(const std::string& schema, const TableEntry& table) {
  return QuotedName(schema) + "." + QuotedName(table.name);
}

double CountOf(const QueryResult& row, size_t column) {
  std::string text;
  if (row.row_count() == 0 || row.IsNull(column, 0)) return 0;
  row.AppendText(column, 0, text);
  return std::stod(text);
}

void AppendExact(Connection& session, const std::string& schema, const TableEntry& table,
                 StatisticsAppender& to) {
  const std::string name = NameOf(schema, table);
  const double row_count = CountOf(session.Query("SELECT count(*) FROM " + name), 0);
  to.AddCount(nullptr, ADBC_STATISTIC_ROW_COUNT_KEY, row_count);
  for (const ColumnEntry& column : table.columns) {
    const std::string quoted = QuotedName(column.name);
    const bool has_order = HasOrder(column.type);
    std::string sql = "SELECT count(" + quoted + ")";
    if (has_order) sql += ", count(DISTINCT " + quoted + "), min(" + quoted + "), max(" + quoted + ")";
    const QueryResult row = session.Query(sql + " FROM " + name);
    to.AddCount(&column.name, ADBC_STATISTIC_NULL_COUNT_KEY, row_count - CountOf(row, 0));
    if (!has_order) continue;
    to.AddCount(&column.name, ADBC_STATISTIC_DISTINCT_COUNT_KEY, CountOf(row, 1));
    to.AddBound(&column.name, column.type, ADBC_STATISTIC_MIN_VALUE_KEY, row, 2);
    to.AddBound(&column.name, column.type, ADBC_STATISTIC_MAX_VALUE_KEY, row, 3);
  }
}

/// Appends what zone maps tell. Their texts are cut, so texts have no bounds here; neither have enums.
void AppendApproximate(Connection& session, const std::string& schema, const TableEntry& table,
                       StatisticsAppender& to) {
  const std::string info = "pragma_storage_info(" + QuotedText(NameOf(schema, table)) + ")";
  const Value names[] = {Value::Varchar(schema), Value::Varchar(table.name)};
  to.AddCount(
      nullptr, ADBC_STATISTIC_ROW_COUNT_KEY,
      CountOf(session.Query("SELECT row_count FROM scaup_tables() WHERE schema_name = $1 AND table_name = $2",
                            names),
              0));
  for (const ColumnEntry& column : table.columns) {
    const bool has_bounds = column.radix.has_value() || column.datetime_precision.has_value();
    std::string sql = "SELECT sum(null_count)";
    if (has_bounds)
      sql += ", min(CAST(minimum AS " + column.type + ")), max(CAST(maximum AS " + column.type + "))";
    const Value parameters[] = {Value::Varchar(column.name)};
    const QueryResult row = session.Query(sql + " FROM " + info + " WHERE column_name = $1", parameters);
    to.AddCount(&column.name, ADBC_STATISTIC_NULL_COUNT_KEY, CountOf(row, 0));
    if (!has_bounds) continue;
    to.AddBound(&column.name, column.type, ADBC_STATISTIC_MIN_VALUE_KEY, row, 1);
    to.AddBound(&column.name, column.type, ADBC_STATISTIC_MAX_VALUE_KEY, row, 2);
  }
}

}  // namespace

OwnedStream StatisticsTable(Operation& operation, const ObjectFilter& filter, bool is_approximate) {
  const std::vector<Field> columns = StatisticColumns();
  ArrayBuilder result(TableField(columns));
  const std::string catalog = CatalogName(operation);
  if (PassesCatalog(operation, catalog, filter)) {
    result.child(0).AppendBytes(catalog);
    ArrayBuilder& schemas = result.child(1);
    for (const SchemaEntry& schema : ReadCatalog(operation, ADBC_OBJECT_DEPTH_ALL, filter)) {
      schemas.child(0).child(0).AppendBytes(schema.name);
      ArrayBuilder& statistics = schemas.child(0).child(1);
      for (const TableEntry& table : schema.tables) {
        if (table.type == "VIEW") continue;
        StatisticsAppender to(statistics.child(0), table.name, is_approximate);
        if (is_approximate) {
          AppendApproximate(operation.session(), schema.name, table, to);
        } else {
          AppendExact(operation.session(), schema.name, table, to);
        }
      }
      statistics.EndList();
      schemas.child(0).EndStruct();
    }
    schemas.EndList();
    result.EndStruct();
  }
  return MakeTable(columns, result);
}

}  // namespace scaup::adbc
