// EXPORT DATABASE and IMPORT DATABASE.
#include "main/transfer/database_export.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "common/file/file_system.hpp"
#include "common/throw.hpp"
#include "main/transfer/database_texts.hpp"
#include "parser/parser.hpp"
#include "type/text/quoted_text.hpp"

namespace scaup {

namespace {

constexpr const char* kSchemaFile = "schema.sql";
constexpr const char* kLoadFile = "load.sql";
constexpr const char* kFileHeader = "-- Written by EXPORT DATABASE; IMPORT DATABASE reads it.\n";
// The most bytes of a schema's or table's name in a file name. Two names, a number and endings stay below 255
// bytes, the limit of common file systems.
constexpr size_t kMostNameBytes = 60;

// --- EXPORT
// --------------------------------------------------------------------------------------------------------

/// Makes the directory, or checks that an existing one is empty. Returns whether it was made.
bool PrepareDirectory(FileSystem& files, const std::string& directory) {
  if (!files.Exists(directory)) {
    files.CreateDirectory(directory);
    return true;
  }
  // The path "file/." does not exist, which tells files from directories.
  if (!files.Exists(directory + "/.")) {
    ThrowError(ErrorKind::kIo, sqlstate::kDuplicateFile,
               fmt::format("cannot export into \"{}\": it is a file, not a directory", directory));
  }
  if (files.Exists(directory + "/" + kSchemaFile)) {
    ThrowError(
        ErrorKind::kIo, sqlstate::kDuplicateFile,
        fmt::format("directory \"{}\" holds an export already; remove it or name another one", directory));
  }
  // Files of others could be taken for files of the export.
  if (!files.Glob(directory + "/*").empty() || !files.Glob(directory + "/.*").empty()) {
    ThrowError(ErrorKind::kIo, sqlstate::kDuplicateFile,
               fmt::format("directory \"{}\" is not empty; EXPORT DATABASE needs one of its own", directory));
  }
  return false;
}

/// Returns a file name that any file system accepts. It need not be unique, as a number follows it.
std::string SafeName(std::string_view name) {
  std::string safe(name.substr(0, kMostNameBytes));
  for (char& c : safe) {
    const bool is_safe =
        (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
    if (!is_safe) c = '_';
  }
  return safe;
}

/// The files of an export. Removes them when it is destroyed, unless Complete was called, and the directory
/// if it was made. Used by one thread; borrows everything.
class ExportFiles {
 public:
  ExportFiles(FileSystem& files, const std::string& directory)
      : files_(files), directory_(directory), has_made_directory_(PrepareDirectory(files, directory)) {}
  ~ExportFiles() {
    if (is_complete_) return;
    for (const std::string& path : paths_) Remove(path);
    if (has_made_directory_) Remove(directory_);
  }
  ExportFiles(const ExportFiles&) = delete;
  ExportFiles& operator=(const ExportFiles&) = delete;

  /// Notes a file that is about to be made, and returns its path.
  const std::string& Add(const std::string& name) { return paths_.emplace_back(directory_ + "/" + name); }

  void Write(const std::string& name, const std::string& text) {
    const auto file = files_.Open(Add(name), OpenMode::kCreateNew);
    file->Write(0, text.data(), text.size());
    file->Sync();
  }
  void Complete() {
    // The files were synced one by one; their names become durable with the directory.
    files_.SyncDirectory(directory_);
    is_complete_ = true;
  }

 private:
  void Remove(const std::string& path) noexcept {
    try {
      if (files_.Exists(path)) files_.Remove(path);
    } catch (const std::exception&) {
      // The error that ended the export is reported, not this one.
    }
  }

  FileSystem& files_;
  const std::string& directory_;
  const bool has_made_directory_;
  std::vector<std::string> paths_;
  bool is_complete_ = false;
};

using CopyOptions = std::vector<std::pair<std::string, std::string>>;

/// The files of one table: their options for COPY TO and FROM, and their ending.
struct TableFormat {
  std::string extension;
  CopyOptions options, load_options;
  bool has_typed_columns = false;  ///< those of some types are written as texts
};

/// Whether files with typed columns do not have all values of a type, which are texts there, then.
bool IsText(const LogicalType& type) {
  if (type.id() == TypeId::kHugeInt || type.id() == TypeId::kNumeric || type.id() == TypeId::kInterval ||
      type.id() == TypeId::kTimeTz || IsRangeOrMultirange(type.id()))
    return true;
  if (type.id() == TypeId::kList) return IsText(type.element());
  if (type.id() != TypeId::kStruct) return false;
  return std::ranges::any_of(type.fields(), [](const auto& field) { return IsText(field.type); });
}

/// Whether files would not have the members of unions: texts do not tell them, and Arrow has no unions that
/// are not NULL with a member that is.
bool LosesMembers(const LogicalType& type, CopyFormat format) {
  return HasUnion(type) && (format != CopyFormat::kParquet || IsText(type));
}

/// Beside CSV, documents are JSON, in other formats columns of JSON; unions are where members would be lost.
TableFormat FormatOf(const TableEntry& table, const BoundExportDatabase& statement) {
  const bool loses_members = std::ranges::any_of(table.columns, [&](const ColumnDefinition& column) {
    return LosesMembers(column.type, statement.format);
  });
  const bool has_documents = table.is_collection() && statement.format == CopyFormat::kCsv;
  if (!has_documents && !loses_members)
    return {statement.extension, statement.options, statement.load_options,
            statement.format != CopyFormat::kCsv};
  const CopyOptions options = {{"format", "json"},
                               {"compression", statement.is_compressed ? "gzip" : "none"}};
  return {statement.is_compressed ? "jsonl.gz" : "jsonl", options, options};
}

std::string QualifiedName(const TableEntry& table) {
  return QuotedIdentifier(table.schema) + "." + QuotedIdentifier(table.name);
}

std::string OptionList(const CopyOptions& options) {
  std::string list;
  for (const auto& [name, value] : options)
    list += fmt::format("{}{} {}", list.empty() ? "" : ", ", name, QuotedText(value));
  return list.empty() ? "" : " (" + list + ")";
}

/// Returns the COPY ... FROM of a table for load.sql.
std::string LoadStatement(const TableEntry& table, const std::string& file_name, const CopyOptions& options) {
  std::string columns =
      ColumnList(table, [](const ColumnDefinition& column) { return QuotedIdentifier(column.name); });
  if (!columns.empty()) columns = fmt::format(" ({})", columns);
  return fmt::format("COPY {}{} FROM {}{};\n", QualifiedName(table), columns, QuotedText(file_name),
                     OptionList(options));
}

/// Returns the COPY ... TO of a table.
std::string SaveStatement(const TableEntry& table, const std::string& path, const TableFormat& format) {
  const std::string columns = ColumnList(table, [&](const ColumnDefinition& column) {
    const std::string name = QuotedIdentifier(column.name);
    if (!format.has_typed_columns || !IsText(column.type)) return name;
    return fmt::format("CAST({} AS VARCHAR) AS {}", name, name);
  });
  const std::string rows = columns.empty()
                               ? QualifiedName(table)
                               : fmt::format("(SELECT {} FROM {})", columns, QualifiedName(table));
  return fmt::format("COPY {} TO {}{}", rows, QuotedText(path), OptionList(format.options));
}

/// Returns a statement that sets the position of a sequence.
std::string PositionStatement(const SequenceEntry& sequence) {
  const SequenceState::Position position = sequence.state->position();
  const std::string name = QuotedIdentifier(sequence.schema) + "." + QuotedIdentifier(sequence.name);
  return fmt::format("SELECT setval({}, {}, {});\n", QuotedText(name), position.value, position.is_called);
}

// --- IMPORT
// --------------------------------------------------------------------------------------------------------

std::string ReadText(FileSystem& files, const std::string& path) {
  const auto file = files.Open(path, OpenMode::kRead);
  std::string text(file->Size(), '\0');
  text.resize(file->Read(0, text.data(), text.size()));
  return text;
}

void ResolvePath(ast::Statement& statement, const std::string& directory) {
  if (statement.kind != ast::StatementKind::kCopy) return;
  auto& copy = statement.As<ast::CopyStatement>();
  if (!copy.path.starts_with('/')) copy.path = directory + "/" + copy.path;
}

/// Returns whether a statement adds constraints that are there last: foreign keys, and checks which rows may
/// break.
bool AddsLateConstraints(const ast::Statement& statement) {
  if (statement.kind != ast::StatementKind::kAlterTable) return false;
  const auto& actions = statement.As<ast::AlterTableStatement>().actions;
  return std::all_of(actions.begin(), actions.end(), [](const ast::AlterAction& action) {
    using Kind = ast::TableConstraint::Kind;
    if (action.kind != ast::AlterAction::Kind::kAddConstraint) return false;
    const ast::TableConstraint& added = action.constraints.at(0);
    return added.kind == Kind::kForeignKey || (added.kind == Kind::kCheck && added.not_valid);
  });
}

/// Returns whether a statement makes a trigger, or enables or disables one.
bool IsTriggerStatement(const ast::Statement& statement) {
  if (statement.kind == ast::StatementKind::kTrigger)
    return statement.As<ast::TriggerStatement>().action == ast::TriggerStatement::Action::kCreate;
  if (statement.kind != ast::StatementKind::kAlterTable) return false;
  const auto& actions = statement.As<ast::AlterTableStatement>().actions;
  return std::all_of(actions.begin(), actions.end(), [](const ast::AlterAction& action) {
    return action.kind == ast::AlterAction::Kind::kSetTriggerMode;
  });
}

/// Checks that a file contains only what it may. schema.sql makes things; load.sql fills them and does what
/// is faster, or only possible, once tables are full. Other statements, such as COMMIT, could break the
/// promise that an import is done as a whole or not at all.
void CheckStatement(const ast::Statement& statement, bool is_schema) {
  bool is_allowed = false;
  if (is_schema) {
    is_allowed = statement.kind == ast::StatementKind::kCreateTable ||
                 statement.kind == ast::StatementKind::kCreateSchema ||
                 statement.kind == ast::StatementKind::kCreateView ||
                 statement.kind == ast::StatementKind::kCreateType ||
                 statement.kind == ast::StatementKind::kCreateDomain ||
                 statement.kind == ast::StatementKind::kCreateSequence ||
                 statement.kind == ast::StatementKind::kCreateFunction;
  } else {
    is_allowed = statement.kind == ast::StatementKind::kInsert ||
                 statement.kind == ast::StatementKind::kSelect ||         // setval
                 statement.kind == ast::StatementKind::kAlterSequence ||  // of identity columns
                 statement.kind == ast::StatementKind::kCreateIndex || AddsLateConstraints(statement) ||
                 statement.kind == ast::StatementKind::kComment || IsTriggerStatement(statement) ||
                 statement.kind == ast::StatementKind::kAlterFunction ||  // comments on functions
                 statement.kind == ast::StatementKind::kCreateView ||     // views of documents
                 (statement.kind == ast::StatementKind::kCopy && statement.As<ast::CopyStatement>().is_from);
  }
  if (!is_allowed) {
    ThrowNotSupported(
        is_schema
            ? "this file may have only CREATE SCHEMA, CREATE TYPE, CREATE SEQUENCE, CREATE "
              "TABLE, CREATE COLLECTION, CREATE VIEW, CREATE FUNCTION and CREATE MACRO"
            : "this file may have only COPY ... FROM, INSERT, SELECT, CREATE INDEX, "
              "CREATE VIEW, CREATE TRIGGER, COMMENT, ALTER SEQUENCE and ALTER TABLE ... ADD FOREIGN KEY and "
              "ADD CHECK ... NOT VALID",
        statement.position);
  }
  if (statement.parameter_count == 0) return;
  ThrowError(ErrorKind::kSyntax, sqlstate::kUndefinedParameter, "a file cannot have parameters",
             statement.position);
}

/// Throws `error` with the file and line in its message, as the user's statement has no position for it.
[[noreturn]] void ThrowInFile(const Error& error, const std::string& path, const std::string& text,
                              size_t statement_begin) {
  const size_t position = std::min(error.position().value_or(statement_begin), text.size());
  const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n') + 1;
  throw Error(error.kind(), error.sqlstate(),
              fmt::format("in \"{}\", line {}: {}", path, line, error.message()));
}

void RunFile(QueryContext& context, const std::string& directory, const char* name, const RunStatement& run) {
  const std::string path = directory + "/" + name;
  const bool is_schema = std::string_view(name) == kSchemaFile;
  const std::string text = ReadText(context.functions.files, path);
  size_t position = 0;
  try {
    for (const auto& statement : Parser(context.settings().max_expression_depth).Parse(text)) {
      position = statement->position;
      CheckStatement(*statement, is_schema);
      ResolvePath(*statement, directory);
      run(*statement);
    }
  } catch (const Error& error) {
    // An interruption has no place in the file.
    if (error.kind() == ErrorKind::kInterrupted) throw;
    ThrowInFile(error, path, text, position);
  }
}

}  // namespace

void ExportDatabase(QueryContext& context, const BoundExportDatabase& statement, const RunStatement& run) {
  FileSystem& files = context.functions.files;
  ExportFiles written(files, statement.directory);
  const DatabaseTexts texts = TextsOf({context.catalog, context.transaction});
  std::string load_text = kFileHeader + texts.sequence_options;
  size_t number = 0;
  for (const SequenceEntryRef& sequence : texts.sequences) load_text += PositionStatement(*sequence);
  for (const TableEntryRef& table : texts.tables) {
    const TableFormat format = FormatOf(*table, statement);
    const std::string name = fmt::format("{}_{}_{}.{}", SafeName(table->schema), SafeName(table->name),
                                         number++, format.extension);
    load_text += LoadStatement(*table, name, format.load_options);
    for (const auto& save : Parser(context.settings().max_expression_depth)
                                .Parse(SaveStatement(*table, written.Add(name), format)))
      run(*save);
  }
  written.Write(kLoadFile, load_text + texts.after_rows);
  written.Write(kSchemaFile, kFileHeader + texts.definitions);
  written.Complete();
}

void ImportDatabase(QueryContext& context, const BoundImportDatabase& statement, const RunStatement& run) {
  FileSystem& files = context.functions.files;
  // Both files are looked for before either is run, so that an incomplete export does nothing.
  for (const char* name : {kSchemaFile, kLoadFile}) {
    if (files.Exists(statement.directory + "/" + name)) continue;
    ThrowError(
        ErrorKind::kIo, sqlstate::kUndefinedFile,
        fmt::format("\"{}\" is no export of a database: it has no file {}", statement.directory, name));
  }
  RunFile(context, statement.directory, kSchemaFile, run);
  RunFile(context, statement.directory, kLoadFile, run);
}

}  // namespace scaup
