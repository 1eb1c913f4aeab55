// Result writer: the interface of all output modes, which format a result batch by batch.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "output.hpp"
#include "scaup/result.hpp"
#include "shell_settings.hpp"

namespace scaup::shell {

/// Writes one result by Begin, any number of Rows, and End. Cannot be used again. Borrows output and
/// settings. Used by one thread.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  virtual void Begin(const std::vector<ResultColumn>& columns) = 0;
  virtual void Rows(const QueryResult& rows) = 0;
  virtual void End() = 0;
};

/// Returns a writer of the mode in the settings.
std::unique_ptr<ResultWriter> MakeResultWriter(const ShellSettings& settings, Output& output);

/// Returns whether the mode needs all rows before it can write the first, as for the column widths of a
/// table.
bool NeedsWholeResult(OutputMode mode);

/// Return a writer of one kind of mode; each has a file of its own.
std::unique_ptr<ResultWriter> MakeTableWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeDelimitedWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeJsonWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeInsertWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeLineWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeMarkdownWriter(const ShellSettings& settings, Output& output);

}  // namespace scaup::shell
