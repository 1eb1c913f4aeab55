// Several files as one relation: its columns, and where each file has them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "format/files/file_list.hpp"
#include "function/table_function.hpp"

namespace scaup {

/// A file with the columns that are stored in it.
struct StoredFile {
  std::string path;
  std::vector<std::string> names;
  std::vector<LogicalType> types;
};

/// The source in one file of a column of the relation.
struct FileColumn {
  enum class Source : uint8_t {
    kStored,    ///< column `column` of the file, cast where its type is another one
    kConstant,  ///< `constant`: of the file's name, or NULL where the file has no such column
    kRowNumber  ///< the rows of the file, counted from 0
  };
  Source source = Source::kConstant;
  size_t column = 0;
  Value constant = {};
};

/// Files that were bound as a relation.
struct BoundFiles : BoundTableFunction {
  std::vector<std::vector<FileColumn>> sources;  ///< by file, then by column of the relation
  /// The names that the first columns have in the files, where a relation's names must differ.
  std::vector<std::string> stored_names;
};

struct FileRelationOptions {
  FileColumnOptions file_columns;
  bool union_by_name = false;    ///< files may have different columns, which are found by name
  bool file_row_number = false;  ///< adds the column of that name
  bool are_texts = false;        ///< values are texts, so types that have none in common become VARCHAR
};

/// The named arguments that set these options: filename, hive_partitioning, hive_types_autocast,
/// union_by_name, file_row_number.
std::map<std::string, LogicalType> FileRelationArguments();
/// Returns these arguments without file_row_number, for files whose rows nobody counts before they are read.
std::map<std::string, LogicalType> TextRelationArguments();
/// Reads one of them. Returns false for any other name. Throws Error(kBinder, 22023).
bool ReadFileRelationOption(const std::string& name, const Value& value, FileRelationOptions& options);

/// The arguments of a call that are not of the relation, which go to the format.
std::vector<std::pair<std::string, Value>> TakeRelationOptions(const TableFunctionArguments& arguments,
                                                               FileRelationOptions& options);

/// Finds the columns of the relation: those of the first file, or of all, and then those that paths and
/// options add. Throws Error(kBinder) for files that do not fit together, Error(kIo, 22P04) if there are no
/// columns. REQUIRES: at least one file.
void UniteFiles(const std::vector<StoredFile>& files, const FileRelationOptions& options, BoundFiles& bound);

/// Makes the relation have exactly these columns, found by name, and cast to their types. `first_path` is
/// named in errors. Throws Error(kBinder): 42703 for one that is not there, 42804 for one without a cast.
void SelectFileColumns(const std::string& first_path, const std::vector<std::string>& names,
                       const std::vector<LogicalType>& types, BoundFiles& bound);

}  // namespace scaup
