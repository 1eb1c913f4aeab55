// Table function registry: the list of built-in table functions.
#include "system/table_function_registry.hpp"

#include <algorithm>

#include "format/arrow/file/read_arrow.hpp"
#include "format/csv/csv_rejects.hpp"
#include "format/csv/read_csv.hpp"
#include "format/files/whole_files.hpp"
#include "format/foreign/postgres_scan.hpp"
#include "format/foreign/sqlite_scan.hpp"
#include "format/json/read_json.hpp"
#include "format/parquet/read_parquet.hpp"
#include "function/table/generate_series.hpp"
#include "system/csv_listings.hpp"
#include "system/parquet_listings.hpp"
#include "system/pragma_listings.hpp"
#include "system/system_listings.hpp"
#include "system/system_relations.hpp"

namespace scaup {

namespace {

std::vector<TableFunction> BuiltinTableFunctions() {
  std::vector<TableFunction> functions;
  functions.push_back(MakeReadCsv());
  functions.push_back(MakeReadCsv());
  functions.back().name = "read_csv_auto";  // the same, since read_csv finds options by itself
  functions.push_back(MakeReadCsvRejects());
  functions.push_back(MakeSniffCsv());
  functions.push_back(MakeReadJsonDocuments());
  for (const char* name : {"read_json_objects", "read_ndjson_objects"}) {
    functions.push_back(MakeReadJsonObjects());
    functions.back().name = name;
  }
  functions.push_back(MakeReadJson());
  functions.push_back(MakeReadJson());
  functions.back().name = "read_ndjson";
  functions.push_back(MakeReadJson());
  functions.back().name = "read_json_auto";  // likewise
  functions.push_back(MakeReadParquet());
  functions.push_back(MakeParquetScan());
  functions.push_back(MakeReadArrow());
  functions.push_back(MakeReadText());
  functions.push_back(MakeReadBlob());
  functions.push_back(MakeGlob());
  functions.push_back(MakeSqliteScan());
  functions.push_back(MakePostgresScan());
  functions.push_back(MakePostgresQuery());
  for (TableFunction& listing : ParquetListings()) functions.push_back(std::move(listing));
  functions.push_back(MakeGenerateSeries());
  functions.push_back(MakeRange());
  functions.push_back(MakeFunctionListing());
  functions.push_back(MakeDuckdbFunctionListing());
  functions.push_back(MakeSettingListing());
  functions.push_back(MakePgSettingListing());
  functions.push_back(MakeKeywordListing());
  functions.push_back(MakeTableListing());
  functions.push_back(MakeColumnListing());
  functions.push_back(MakeDatabaseSizePragma());
  functions.push_back(MakeMemoryPragma());
  functions.push_back(MakeStorageInfoPragma());
  functions.push_back(MakeCollectionInfoPragma());
  functions.push_back(MakeIntegrityCheckPragma());
  functions.push_back(MakeTableInfoPragma());
  functions.push_back(MakeShowTablesPragma());
  functions.push_back(MakeCollationsPragma());
  for (const auto make :
       {InformationSchemaRelations, PgCatalogRelations, PgSettingRelations, FunctionRelations,
        PgFixedRelations, PgMaterializedRelations, PgTriggerRelations, PgTypeRelations, PgRoleRelations,
        PgDependencyRelations, PgStatisticRelations, PrivilegeRelations, UsageRelations, EmptyRelations}) {
    for (TableFunction& relation : make()) functions.push_back(std::move(relation));
  }
  return functions;
}

bool NameIsLess(const TableFunction& function, std::string_view name) { return function.name < name; }

}  // namespace

TableFunctionRegistry::TableFunctionRegistry() : functions_(BuiltinTableFunctions()) {
  std::stable_sort(functions_.begin(), functions_.end(),
                   [](const TableFunction& a, const TableFunction& b) { return a.name < b.name; });
}

const TableFunctionRegistry& TableFunctionRegistry::Builtin() {
  static const TableFunctionRegistry& registry =
      *new TableFunctionRegistry;  // Never destroyed, see CONTRIBUTING.md.
  return registry;
}

const TableFunction* TableFunctionRegistry::Find(std::string_view name) const {
  const auto found = std::lower_bound(functions_.begin(), functions_.end(), name, NameIsLess);
  return found == functions_.end() || found->name != name ? nullptr : &*found;
}

}  // namespace scaup
