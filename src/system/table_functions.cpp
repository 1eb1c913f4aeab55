// The list of built-in table functions.
#include "system/table_functions.hpp"

#include "format/csv/read_csv.hpp"
#include "format/json/read_json.hpp"
#include "function/table/generate_series.hpp"
#include "system/pragma_listings.hpp"
#include "system/system_listings.hpp"
#include "system/system_relations.hpp"

namespace scaup {

std::vector<TableFunction> BuiltinTableFunctions() {
  std::vector<TableFunction> functions;
  functions.push_back(MakeReadCsv());
  functions.push_back(MakeReadJsonDocuments());
  functions.push_back(MakeGenerateSeries());
  functions.push_back(MakeRange());
  functions.push_back(MakeFunctionListing());
  functions.push_back(MakeSettingListing());
  functions.push_back(MakeTableListing());
  functions.push_back(MakeColumnListing());
  functions.push_back(MakeDatabaseSizePragma());
  functions.push_back(MakeStorageInfoPragma());
  functions.push_back(MakeCollectionInfoPragma());
  functions.push_back(MakeIntegrityCheckPragma());
  functions.push_back(MakeTableInfoPragma());
  functions.push_back(MakeShowTablesPragma());
  for (TableFunction& relation : InformationSchemaRelations()) functions.push_back(std::move(relation));
  for (TableFunction& relation : PgCatalogRelations()) functions.push_back(std::move(relation));
  return functions;
}

}  // namespace scaup
