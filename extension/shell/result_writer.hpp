// The interface of all output modes: a result goes in piece by piece, text comes out.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "output.hpp"
#include "scaup/result.hpp"
#include "shell_settings.hpp"

namespace scaup::shell {

/// Writes one result. Used once: Begin, any number of Rows, End. Borrows output and settings. One thread.
class ResultWriter {
 public:
  virtual ~ResultWriter() = default;
  virtual void Begin(const std::vector<ResultColumn>& columns) = 0;
  virtual void Rows(const QueryResult& rows) = 0;
  virtual void End() = 0;
};

/// The writer of the mode that is set.
std::unique_ptr<ResultWriter> MakeResultWriter(const ShellSettings& settings, Output& output);

/// True for modes that need all rows before they can write the first: the tables.
bool NeedsWholeResult(OutputMode mode);

/// The writers, each in a file of its own.
std::unique_ptr<ResultWriter> MakeTableWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeDelimitedWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeJsonWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeInsertWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeLineWriter(const ShellSettings& settings, Output& output);
std::unique_ptr<ResultWriter> MakeMarkdownWriter(const ShellSettings& settings, Output& output);

}  // namespace scaup::shell
