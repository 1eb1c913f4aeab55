// Pragma listings: the table functions behind PRAGMA. Binding only checks the arguments, so that EXPLAIN of
// an integrity check does not run it.
#include "system/pragma_listings.hpp"

#include <fmt/format.h>

#include "common/throw.hpp"
#include "function/database_listing.hpp"
#include "function/scalar/collation/collation.hpp"
#include "system/listing.hpp"
#include "type/schema_name.hpp"
#include "type/type_modifier.hpp"

namespace scaup {
namespace {

using Rows = ListingRows;

/// A bound listing with a table as its argument.
struct BoundTableListing : BoundListing {
  TableListing table;
};

Value BigInt(uint64_t number) { return Value::BigInt(static_cast<int64_t>(number)); }

// --- Finding the table that an argument names
// ---------------------------------------------------------------------

std::string Lower(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c += 'a' - 'A';
  }
  return text;
}

/// Splits name or schema.name at its dots. Parts in double quotes are taken literally; others are lowercased,
/// as in SQL.
std::vector<std::string> SplitName(const std::string& text) {
  std::vector<std::string> parts(1);
  bool is_quoted = false;
  for (size_t i = 0; i < text.size(); i++) {
    if (text[i] == '"') {
      const bool is_doubled = is_quoted && i + 1 < text.size() && text[i + 1] == '"';
      if (is_doubled) parts.back() += text[i++];
      if (!is_doubled) is_quoted = !is_quoted;
    } else if (text[i] == '.' && !is_quoted) {
      parts.emplace_back();
    } else {
      parts.back() += is_quoted ? std::string(1, text[i]) : Lower(std::string(1, text[i]));
    }
  }
  return parts;
}

TableListing FindTable(const DatabaseListing& listing, const Value& argument) {
  if (argument.is_null()) {
    ThrowError(ErrorKind::kBinder, sqlstate::kInvalidParameterValue, "the name of a table must not be NULL");
  }
  const std::string& text = argument.GetString();
  std::vector<TableListing> tables = listing.Relations();
  const auto find = [&](const std::string& schema, const std::string& name) {
    return std::find_if(tables.begin(), tables.end(), [&](const TableListing& table) {
      return SchemaNamed(table.schema) == SchemaNamed(schema) && table.name == name;
    });
  };
  const std::vector<std::string> name = SplitName(text);
  // A name that matches literally takes precedence, because names may contain dots and capitals.
  for (const std::string& written : {text, name.back()}) {
    for (const std::string& schema : listing.SearchedSchemas().all) {
      const auto found = find(schema, written);
      if (found != tables.end()) return std::move(*found);
    }
    if (name.size() != 1) break;
  }
  if (name.size() == 2) {
    const auto found = find(name[0], name[1]);
    if (found != tables.end()) return std::move(*found);
  }
  ThrowError(ErrorKind::kCatalog, sqlstate::kUndefinedTable,
             fmt::format("table \"{}\" does not exist; PRAGMA show_tables lists those that do", text));
}

bool IsInPrimaryKey(const TableListing& table, const std::string& column) {
  for (const ConstraintListing& constraint : table.constraints) {
    if (constraint.kind != ConstraintListing::Kind::kPrimaryKey) continue;
    for (const std::string& name : constraint.columns) {
      if (name == column) return true;
    }
  }
  return false;
}

// --- The pragmas
// --------------------------------------------------------------------------------------------------

std::unique_ptr<BoundTableFunction> BindDatabaseSize(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"database_name", "database_path"});
  bound->AddColumns(TypeId::kBigInt, {"database_size", "block_size", "total_blocks", "used_blocks",
                                      "free_blocks", "wal_size", "memory_usage", "memory_limit"});
  bound->AddColumns(TypeId::kVarchar, {"last_checkpoint_error"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing&) {
    const DatabaseSizeListing size = context.listing.DatabaseSize();
    return Rows{{Value::Varchar(size.name), TextOrNull(size.path), BigInt(size.database_size_bytes),
                 BigInt(size.block_size_bytes), BigInt(size.total_blocks), BigInt(size.used_blocks),
                 BigInt(size.free_blocks), BigInt(size.log_size_bytes), BigInt(size.memory_usage_bytes),
                 BigInt(size.memory_limit_bytes), TextOrNull(size.checkpoint_error)}};
  };
  return bound;
}

std::unique_ptr<BoundTableFunction> BindMemory(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"owner"});
  bound->AddColumns(TypeId::kBigInt,
                    {"transaction", "tasks", "granted_bytes", "used_bytes", "spilled_bytes"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing&) {
    const auto number = [](const std::optional<uint64_t>& value) {
      return value ? BigInt(*value) : Value(LogicalType(TypeId::kBigInt));
    };
    Rows rows;
    for (const MemoryListing& memory : context.listing.Memory()) {
      rows.push_back({Value::Varchar(memory.owner), number(memory.transaction), number(memory.task_count),
                      number(memory.granted_bytes), BigInt(memory.used_bytes), number(memory.spilled_bytes)});
    }
    return rows;
  };
  return bound;
}

Rows StorageRows(const FunctionContext& context, const BoundListing& listing) {
  const auto& bound = static_cast<const BoundTableListing&>(listing);
  Rows rows;
  const auto text = [](const std::optional<std::string>& value) {
    return value ? Value::Varchar(*value) : Value(LogicalType(TypeId::kVarchar));
  };
  for (const auto& segment : context.listing.StorageSegments(bound.table.schema, bound.table.name)) {
    // The columns of an element table behind its records are no one's business.
    if (bound.table.is_collection && segment.column > 0) continue;
    rows.push_back({BigInt(segment.row_group), Value::Varchar(segment.column_name), BigInt(segment.column),
                    Value::Varchar(DeclaredTypeName(segment.type)), BigInt(segment.row_count),
                    Value::Varchar(segment.encoding), BigInt(segment.size_bytes), text(segment.minimum),
                    text(segment.maximum), BigInt(segment.null_count), Value::Boolean(segment.is_persistent),
                    TextOrNull(fmt::format("{}", fmt::join(segment.block_ids, ", ")))});
  }
  return rows;
}

std::unique_ptr<BoundTableFunction> BindStorageInfo(const FunctionContext& context,
                                                    const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundTableListing>();
  bound->table = FindTable(context.listing, arguments.positional[0]);
  bound->AddColumns(TypeId::kBigInt, {"row_group_id"});
  bound->AddColumns(TypeId::kVarchar, {"column_name"});
  bound->AddColumns(TypeId::kBigInt, {"column_id"});
  bound->AddColumns(TypeId::kVarchar, {"column_type"});
  bound->AddColumns(TypeId::kBigInt, {"row_count"});
  bound->AddColumns(TypeId::kVarchar, {"encoding"});
  bound->AddColumns(TypeId::kBigInt, {"size_bytes"});
  bound->AddColumns(TypeId::kVarchar, {"minimum", "maximum"});
  bound->AddColumns(TypeId::kBigInt, {"null_count"});
  bound->AddColumns(TypeId::kBoolean, {"persistent"});
  bound->AddColumns(TypeId::kVarchar, {"block_ids"});
  bound->make_rows = StorageRows;
  return bound;
}

std::unique_ptr<BoundTableFunction> BindCollectionInfo(const FunctionContext& context,
                                                       const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundTableListing>();
  bound->table = FindTable(context.listing, arguments.positional[0]);
  bound->AddColumns(TypeId::kVarchar, {"path", "type"});
  bound->AddColumns(TypeId::kBigInt, {"count"});
  bound->AddColumns(TypeId::kDouble, {"density"});
  bound->AddColumns(TypeId::kVarchar, {"place"});
  bound->AddColumns(TypeId::kBigInt, {"distinct_values"});
  bound->AddColumns(TypeId::kVarchar, {"minimum", "maximum"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing& listing) {
    const TableListing& table = static_cast<const BoundTableListing&>(listing).table;
    const CollectionListing collection = context.listing.Attributes(context, table.schema, table.name);
    Rows rows;
    for (const AttributeListing& attribute : collection.attributes) {
      const double density =
          static_cast<double>(attribute.count) / static_cast<double>(collection.document_count);
      rows.push_back({Value::Varchar(attribute.path), Value::Varchar(attribute.type), BigInt(attribute.count),
                      Value::Double(density), Value::Varchar(attribute.place()),
                      BigInt(attribute.distinct_count), TextOrNull(attribute.minimum),
                      TextOrNull(attribute.maximum)});
    }
    return rows;
  };
  return bound;
}

std::unique_ptr<BoundTableFunction> BindIntegrityCheck(const FunctionContext&,
                                                       const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"integrity_check"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing&) {
    Rows rows;
    for (const std::string& problem : context.listing.IntegrityProblems())
      rows.push_back({Value::Varchar(problem)});
    if (rows.empty()) rows.push_back({Value::Varchar("ok")});
    return rows;
  };
  return bound;
}

std::unique_ptr<BoundTableFunction> BindTableInfo(const FunctionContext& context,
                                                  const TableFunctionArguments& arguments) {
  auto bound = std::make_unique<BoundTableListing>();
  bound->table = FindTable(context.listing, arguments.positional[0]);
  bound->AddColumns(TypeId::kInteger, {"cid"});
  bound->AddColumns(TypeId::kVarchar, {"name", "type"});
  bound->AddColumns(TypeId::kBoolean, {"notnull"});
  bound->AddColumns(TypeId::kVarchar, {"dflt_value"});
  bound->AddColumns(TypeId::kBoolean, {"pk"});
  bound->make_rows = [](const FunctionContext&, const BoundListing& listing) {
    const auto& self = static_cast<const BoundTableListing&>(listing);
    Rows rows;
    for (const ColumnListing& column : self.table.columns) {
      rows.push_back({Value::Integer(static_cast<int32_t>(rows.size())), Value::Varchar(column.name),
                      Value::Varchar(DeclaredTypeName(column.type)), Value::Boolean(column.not_null),
                      TextOrNull(column.default_text),
                      Value::Boolean(IsInPrimaryKey(self.table, column.name))});
    }
    return rows;
  };
  return bound;
}

std::unique_ptr<BoundTableFunction> BindShowTables(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"name"});
  bound->make_rows = [](const FunctionContext& context, const BoundListing&) {
    Rows rows;
    for (const TableListing& table : context.listing.Relations()) {
      rows.push_back({Value::Varchar(
          SchemaNamed(table.schema) == kDefaultSchemaName ? table.name : table.schema + "." + table.name)});
    }
    return rows;
  };
  return bound;
}

std::unique_ptr<BoundTableFunction> BindCollations(const FunctionContext&, const TableFunctionArguments&) {
  auto bound = std::make_unique<BoundListing>();
  bound->AddColumns(TypeId::kVarchar, {"collname"});
  bound->make_rows = [](const FunctionContext&, const BoundListing&) {
    Rows rows;
    for (CollationListing& collation : ListCollations())
      rows.push_back({Value::Varchar(std::move(collation.name))});
    return rows;
  };
  return bound;
}

}  // namespace

TableFunction MakeDatabaseSizePragma() {
  return MakeListing("pragma_database_size", "Sizes of the file, its log and the memory in use.",
                     "SELECT * FROM pragma_database_size()", {}, BindDatabaseSize);
}
TableFunction MakeMemoryPragma() {
  return MakeListing("pragma_memory", "Who holds memory: operators of running statements, cache, tables.",
                     "SELECT * FROM pragma_memory()", {}, BindMemory);
}
TableFunction MakeStorageInfoPragma() {
  return MakeListing("pragma_storage_info", "How every column of every row group of a table is kept.",
                     "SELECT * FROM pragma_storage_info('t')", {TypeId::kVarchar}, BindStorageInfo);
}
TableFunction MakeCollectionInfoPragma() {
  return MakeListing("pragma_collection_info",
                     "Which key paths the documents of a collection have, and how many.",
                     "SELECT * FROM pragma_collection_info('c')", {TypeId::kVarchar}, BindCollectionInfo);
}
TableFunction MakeIntegrityCheckPragma() {
  return MakeListing("pragma_integrity_check", "'ok', or a row for each thing that is wrong in the database.",
                     "SELECT * FROM pragma_integrity_check()", {}, BindIntegrityCheck);
}
TableFunction MakeTableInfoPragma() {
  return MakeListing("pragma_table_info", "The columns of a table.", "SELECT * FROM pragma_table_info('t')",
                     {TypeId::kVarchar}, BindTableInfo);
}
TableFunction MakeShowTablesPragma() {
  return MakeListing("pragma_show_tables", "The names of all tables.", "SELECT * FROM pragma_show_tables()",
                     {}, BindShowTables);
}
TableFunction MakeCollationsPragma() {
  return MakeListing("pragma_collations", "The names of all collations, which COLLATE takes.",
                     "SELECT * FROM pragma_collations()", {}, BindCollations);
}

}  // namespace scaup
