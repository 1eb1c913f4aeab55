// Whether a database is the same again after EXPORT DATABASE and IMPORT DATABASE.
#include "export_check.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <vector>

#include "comparison.hpp"

namespace scaup::test {
namespace {

/// The lists of the catalog; rows in any order.
constexpr const char* kListings[] = {
    "SELECT schema_name FROM information_schema.schemata",
    "SELECT schema_name, table_name, comment FROM scaup_tables()",
    "SELECT table_schema, table_name, constraint_name, constraint_type FROM "
    "information_schema.table_constraints",
    "SELECT constraint_schema, constraint_name, table_name, column_name, ordinal_position, "
    "position_in_unique_constraint FROM information_schema.key_column_usage",
    "SELECT constraint_schema, constraint_name, unique_constraint_name, match_option, update_rule, "
    "delete_rule "
    "FROM information_schema.referential_constraints",
    "SELECT constraint_schema, constraint_name, check_clause FROM information_schema.check_constraints",
    "SELECT sequence_schema, sequence_name, data_type, start_value, minimum_value, maximum_value, increment, "
    "cycle_option FROM information_schema.sequences",
    "SELECT schemaname, tablename, indexname, indexdef FROM pg_catalog.pg_indexes",
    "SELECT n.nspname, t.typname, e.enumsortorder, e.enumlabel FROM pg_catalog.pg_enum e JOIN "
    "pg_catalog.pg_type t ON t.oid = e.enumtypid JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace",
    "SELECT description FROM pg_catalog.pg_description",
};

/// Columns, but for those of collections, which depend on documents that are gone: their names follow.
constexpr const char* kColumns =
    "SELECT table_schema, table_name, column_name, ordinal_position, column_default, is_nullable, data_type, "
    "is_identity, identity_generation, is_generated, generation_expression FROM information_schema.columns "
    "WHERE table_schema || '.' || table_name NOT IN (''";

/// Rows as lines, or the error that a query ends with.
std::vector<std::string> Answer(Connection& connection, const std::string& sql) {
  try {
    const QueryResult result = connection.Query(sql);
    return JoinRows(PrintResult(result, std::string(result.column_count(), 'T')));
  } catch (const Error& error) {
    return {std::string("error ") + error.sqlstate() + ": " + error.message()};
  }
}

std::string FirstDifference(const std::vector<std::string>& before, const std::vector<std::string>& after) {
  const size_t common = std::min(before.size(), after.size());
  size_t row = 0;
  while (row < common && before[row] == after[row]) row++;
  const auto line = [row](const std::vector<std::string>& lines) {
    return row < lines.size() ? lines[row].substr(0, 500) : std::string("(no row)");
  };
  return std::to_string(before.size()) + " rows before, " + std::to_string(after.size()) + " after; row " +
         std::to_string(row) + ":\n    before: " + line(before) + "\n    after:  " + line(after) + "\n";
}

std::string Quoted(const std::string& text, char quote) {
  std::string quoted(1, quote);
  for (const char c : text) quoted.append(c == quote ? 2 : 1, c);
  return quoted + quote;
}

class Comparison {
 public:
  Comparison(Connection& before, Connection& after) : before_(before), after_(after) {}

  std::string Run() {
    for (const char* sql : kListings) CompareListing(sql);
    const QueryResult relations =
        before_.Query("SELECT schema_name, table_name, row_count IS NULL AS is_view FROM scaup_tables()");
    std::string columns = kColumns;
    for (size_t i = 0; i < relations.row_count(); i++) {
      const std::string schema = relations.GetValue(0, i).GetString();
      const std::string name = relations.GetValue(1, i).GetString();
      const std::string relation = Quoted(schema, '"') + "." + Quoted(name, '"');
      const bool is_view = relations.GetValue(2, i).GetBoolean();
      const auto info =
          Answer(before_, "SELECT * FROM pragma_collection_info(" + Quoted(relation, '\'') + ")");
      const bool is_table = info.size() == 1 && info[0].starts_with("error 42809");
      if (!is_view && !is_table) columns += ", " + Quoted(schema + "." + name, '\'');
      CompareRows(relation, Quoted(name, '"'), is_view, is_table);
    }
    CompareListing(columns + ")");
    return std::move(differences_);
  }

 private:
  void Note(const std::string& what, const std::string& difference) {
    differences_ += "  " + what + ": " + difference;
  }

  void CompareListing(const std::string& sql) {
    std::vector<std::string> before = Answer(before_, sql), after = Answer(after_, sql);
    std::sort(before.begin(), before.end());
    std::sort(after.begin(), after.end());
    if (before != after) Note(sql, FirstDifference(before, after));
    if (before.size() == 1 && before[0].starts_with("error")) Note(sql, before[0] + "\n");
  }

  /// The rows of a view may be of any order, and change from one time to the next. Of a collection documents
  /// are compared, as * depends on those that are gone, too.
  void CompareRows(const std::string& relation, const std::string& name, bool is_view, bool is_table) {
    constexpr size_t kMostRows = 50'000;
    const std::string most = " LIMIT " + std::to_string(kMostRows);
    std::vector<std::string> queries;
    if (is_view || is_table) queries.push_back("SELECT * FROM " + relation + (is_view ? "" : most));
    if (!is_view) queries.push_back("SELECT count(*) FROM " + relation);
    if (!is_view) queries.push_back("SELECT " + name + " FROM " + relation + most);
    for (const std::string& sql : queries) {
      std::vector<std::string> before = Answer(before_, sql), after = Answer(after_, sql);
      // A test may have left less memory than the rows take.
      if (before.size() == 1 && before[0].starts_with("error 53200")) continue;
      if (is_view) {
        std::vector<std::string> again = Answer(before_, sql);
        std::sort(before.begin(), before.end());
        std::sort(after.begin(), after.end());
        std::sort(again.begin(), again.end());
        if (again != before) return;
      }
      // Messages may tell places in memory or files.
      const bool are_errors = before.size() == 1 && before[0].starts_with("error ") && after.size() == 1 &&
                              after[0].starts_with(before[0].substr(0, 11));
      if (before != after && !are_errors) Note(sql, FirstDifference(before, after));
    }
  }

  Connection& before_;
  Connection& after_;
  std::string differences_;
};

std::string ReadFile(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// The differences between the files of two exports.
std::string CompareFiles(const std::string& before, const std::string& after) {
  std::string differences;
  size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(before)) {
    count++;
    const std::string name = entry.path().filename().string();
    const std::string first = ReadFile(entry.path()), second = ReadFile(after + "/" + name);
    if (first == second) continue;
    const size_t common = std::min(first.size(), second.size());
    const auto at = static_cast<size_t>(
        std::mismatch(first.begin(), first.begin() + static_cast<std::ptrdiff_t>(common), second.begin())
            .first -
        first.begin());
    const size_t from = at - std::min<size_t>(at, 100);
    differences += "  " + name + " is not exported again as it was, from byte " + std::to_string(at) +
                   ":\n    before: " + first.substr(from, 300) + "\n    after:  " + second.substr(from, 300) +
                   "\n";
  }
  const auto entries = std::filesystem::directory_iterator(after);
  if (std::distance(begin(entries), end(entries)) != static_cast<std::ptrdiff_t>(count))
    differences += "  the second export has another number of files\n";
  return differences;
}

}  // namespace

std::string FindExportDifferences(Database& database, const Config& config, const std::string& directory) {
  Connection before(database);
  before.Query("EXPORT DATABASE '" + directory + "'");
  Database imported(":memory:", config);
  Connection after(imported);
  after.Query("IMPORT DATABASE '" + directory + "'");
  std::string differences = Comparison(before, after).Run();
  const std::string again = directory + "_again";
  after.Query("EXPORT DATABASE '" + again + "'");
  return differences + CompareFiles(directory, again);
}

}  // namespace scaup::test
