// Result writer: chooses the writer of an output mode.
#include "result_writer.hpp"

namespace scaup::shell {

std::unique_ptr<ResultWriter> MakeResultWriter(const ShellSettings& settings, Output& output) {
  switch (settings.mode) {
    case OutputMode::kBox:
    case OutputMode::kAscii:
    case OutputMode::kTable: return MakeTableWriter(settings, output);
    case OutputMode::kCsv:
    case OutputMode::kTsv:
    case OutputMode::kList: return MakeDelimitedWriter(settings, output);
    case OutputMode::kJson:
    case OutputMode::kJsonLines: return MakeJsonWriter(settings, output);
    case OutputMode::kLine: return MakeLineWriter(settings, output);
    case OutputMode::kMarkdown: return MakeMarkdownWriter(settings, output);
    case OutputMode::kInsert: return MakeInsertWriter(settings, output);
  }
  return MakeTableWriter(settings, output);
}

bool NeedsWholeResult(OutputMode mode) {
  return mode == OutputMode::kBox || mode == OutputMode::kAscii || mode == OutputMode::kTable;
}

}  // namespace scaup::shell
