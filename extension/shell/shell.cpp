// Shell: the main loop, scripts, and the execution of statements.
#include "shell.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <new>
#include <sstream>

#include "commands.hpp"
#include "copy_input.hpp"
#include "error_printer.hpp"
#include "progress_bar.hpp"
#include "result_writer.hpp"
#include "sql_text.hpp"
#include "statement_timer.hpp"

namespace scaup::shell {

namespace {

constexpr size_t kInteractiveRows = 40;
constexpr size_t kMostScriptDepth = 16;  // ends scripts that read themselves

bool MayReturnManyRows(const std::string& keyword) {
  return keyword == "select" || keyword == "with" || keyword == "values" || keyword == "table" ||
         keyword == "from" || keyword == "(";
}

bool ChangesRows(const std::string& keyword) {
  return keyword == "insert" || keyword == "update" || keyword == "delete" || keyword == "copy" ||
         keyword == "merge";
}

}  // namespace

Shell::Shell(const Options& options, SignalWatcher& watcher)
    : watcher_(watcher),
      settings_(options.settings),
      config_(options.read_only ? Config{{"access_mode", "read_only"}} : Config{}),
      path_(options.database),
      database_(path_, config_),
      connection_(database_) {
  reads_input_ = options.actions.empty();
  settings_.interactive = reads_input_ && isatty(STDIN_FILENO);
  if (settings_.interactive) {
    settings_.max_rows = kInteractiveRows;
    settings_.changes = true;
  }
}

int Shell::Run(const Options& options) {
  for (const std::string& command : options.first_commands) RunText(command);
  for (const Action& action : options.actions) {
    if (stopping()) break;
    if (action.kind == Action::Kind::kSql) {
      RunText(action.text);
    } else if (!RunFile(action.text)) {
      PrintShellError("cannot open " + action.text + ": " + std::strerror(errno));
      CountError();
    }
  }
  if (options.actions.empty() && !stopping()) {
    if (settings_.interactive) {
      std::printf("Scaup %s. Enter \".help\" for help; statements end with a semicolon.\n",
                  Database::Version());
      RunLines(*MakeTerminalReader(watcher_), true);
    } else {
      RunLines(*MakeFileReader(stdin), false);
    }
  }
  if (!output_.Flush()) {
    PrintShellError("the output could not be written");
    return 1;
  }
  if (leave_) return leave_status_ != 0 ? leave_status_ : (failed_ && !settings_.interactive ? 1 : 0);
  return failed_ && !settings_.interactive ? 1 : 0;
}

void Shell::RunText(const std::string& text) {
  std::FILE* file = fmemopen(const_cast<char*>(text.data()), text.size(), "rb");
  if (file == nullptr) return;  // The text is empty.
  RunLines(*MakeFileReader(file), false);
  std::fclose(file);
}

bool Shell::RunFile(const std::string& path) {
  if (script_depth_ >= kMostScriptDepth) {
    errno = ELOOP;
    return false;
  }
  std::FILE* file = std::fopen(path.c_str(), "rb");
  if (file == nullptr) return false;
  ++script_depth_;
  RunLines(*MakeFileReader(file), false);
  --script_depth_;
  std::fclose(file);
  return true;
}

void Shell::RunLines(LineReader& reader, bool interactive) {
  StatementBuffer buffer;
  std::string line;
  while (!stopping()) {
    const LineEvent event = reader.ReadLine(buffer.IsBlank() ? "scaup> " : "   ...> ", line);
    if (event == LineEvent::kEnd) break;
    if (event == LineEvent::kInterrupted) {
      buffer.Clear();
      continue;
    }
    if (interactive) watcher_.ForgetInterrupt();
    HandleLine(reader, interactive, buffer, line);
    if (!interactive && watcher_.interrupted()) return;
  }
  if (stopping() || interactive) return;
  if (const auto last = buffer.Finish()) RunStatement(last->text, last->first_line);
}

void Shell::HandleLine(LineReader& reader, bool interactive, StatementBuffer& buffer,
                       const std::string& line) {
  if (buffer.IsBlank() && !line.empty() && line[0] == '.') {
    reader.AddHistory(line);
    if (settings_.echo && !interactive) output_.Write(line + "\n");
    buffer.AddLine("");  // counts the line
    if (!RunCommand(*this, line)) CountError();
    output_.Flush();
    return;
  }
  buffer.AddLine(line);
  while (!stopping()) {
    const auto statement = buffer.Next();
    if (!statement) break;
    if (interactive) {
      // A statement of several lines is one history entry if it can be on one line, else an entry per line.
      if (const auto entry = OnOneLine(statement->text)) {
        reader.AddHistory(*entry + ";");
      } else {
        std::istringstream lines(statement->text + ";");
        for (std::string part; std::getline(lines, part);) reader.AddHistory(part);
      }
    }
    RunStatement(statement->text, interactive ? 0 : statement->first_line);
    if (watcher_.interrupted() && !interactive) return;
  }
}

bool Shell::RunStatement(const std::string& sql, size_t first_line) {
  if (settings_.echo) output_.Write(sql + ";\n");
  const StatementTimer timer;
  bool succeeded = false;
  {
    QueryScope scope(watcher_, connection_);
    try {
      Execute(sql);
      succeeded = true;
      output_.Flush();
    } catch (const Error& error) {
      output_.Flush();
      PrintError(error, sql, first_line);
    } catch (const std::bad_alloc&) {
      output_.Flush();
      PrintShellError("out of memory");
    }
  }
  if (settings_.timer) output_.Write(timer.Report() + "\n");
  output_.Flush();
  if (!succeeded) CountError();
  // Ctrl-C ends a script, and the shell, too, unless it is interactive. 130 is the status of a process that
  // SIGINT has ended.
  if (watcher_.interrupted() && !settings_.interactive) Leave(130);
  return succeeded;
}

void Shell::Execute(const std::string& sql) {
  const std::string keyword = FirstKeyword(sql);
  // Rows of a large result are written while they are computed, if the mode allows it.
  if (!NeedsWholeResult(settings_.mode) && MayReturnManyRows(keyword)) {
    ExecuteStreaming(sql);
    return;
  }
  // The standard input has no rows for COPY if the statements themselves come from it.
  const bool may_read_input = keyword == "copy" && !reads_input_;
  const std::optional<std::string> copy = may_read_input ? CopyOfInput(sql) : std::nullopt;
  ProgressBar progress(connection_, settings_.progress);
  const QueryResult result = connection_.Query(copy.value_or(sql));
  progress.Stop();
  if (result.column_count() != 0) {
    const auto writer = MakeResultWriter(settings_, output_);
    writer->Begin(result.columns());
    writer->Rows(result);
    writer->End();
  } else if (settings_.changes && ChangesRows(keyword)) {
    output_.Write("changes: " + std::to_string(result.rows_changed()) + "\n");
  }
}

void Shell::ExecuteStreaming(const std::string& sql) {
  ProgressBar progress(connection_, settings_.progress);
  StreamingResult stream = connection_.Stream(sql);
  QueryResult rows;
  bool more = stream.Fetch(rows);
  // On a terminal, rows and progress bar would overwrite each other. Into a file, the bar goes on.
  if (output_.IsTerminal()) progress.Stop();
  if (stream.columns().empty()) return;
  const auto writer = MakeResultWriter(settings_, output_);
  writer->Begin(stream.columns());
  for (; more; more = stream.Fetch(rows)) {
    writer->Rows(rows);
    // Ctrl-C may come while rows are written, when the library computes nothing that it could interrupt.
    if (watcher_.interrupted()) throw Error(ErrorKind::kInterrupted, "57014", "the query was interrupted");
  }
  writer->End();
}

std::optional<QueryResult> Shell::TryQuery(const std::string& sql) {
  QueryScope scope(watcher_, connection_);
  try {
    return connection_.Query(sql);
  } catch (const Error& error) {
    PrintError(error, sql, 0);
    return std::nullopt;
  }
}

void Shell::Open(const std::string& path) {
  // A file can be open only once in a process, so the open database gets a new session.
  if (path == path_ && path != ":memory:" && !path.empty()) {
    connection_ = Connection(database_);
    return;
  }
  // Both are opened before anything changes, in case that fails. The connection is replaced first, since it
  // uses the old database.
  Database database(path, config_);
  Connection connection(database);
  connection_ = std::move(connection);
  database_ = std::move(database);
  path_ = path;
}

void Shell::Leave(int status) {
  leave_ = true;
  leave_status_ = status;
}

void Shell::CountError() { failed_ = true; }

}  // namespace scaup::shell
