// Formats rows as JSON objects.
#include "format/json/json_writer.hpp"

#include <utility>

#include "function/scalar/json/json_printer.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

JsonWriter::JsonWriter(const FunctionContext& context, NewFilePath path, const JsonOptions& options,
                       const std::vector<std::string>& names, bool is_documents)
    : context_(context),
      file_(context.files, std::move(path), options.compression),
      is_documents_(is_documents),
      is_array_(options.array) {
  for (const std::string& name : names) {
    std::string& key = keys_.emplace_back();
    AppendJsonString(name, key);
    key += ':';
  }
  if (is_array_) file_.Write("[");
}

void JsonWriter::Format(DataChunk& chunk, std::string& buffer) const {
  std::vector<JsonPrinter> printers;
  for (Vector& column : chunk.columns()) printers.emplace_back(context_, column, chunk.size());
  for (size_t row = 0; row < chunk.size(); row++) {
    // Each line of an array begins with its separator, so that threads can format independently. Write
    // removes the first comma.
    if (is_array_) buffer += ",\n";
    const size_t begin = buffer.size();
    for (size_t i = 0; i < printers.size(); i++) {
      if (!is_documents_) {
        buffer += i == 0 ? '{' : ',';
        buffer += keys_[i];
      }
      printers[i].Append(row, buffer);
    }
    if (!is_documents_) buffer += printers.empty() ? "{}" : "}";
    // The type JSON retains the line ends of its text. They are white space, because strings contain none.
    for (size_t i = begin; i < buffer.size(); i++) {
      if (buffer[i] == '\n' || buffer[i] == '\r') buffer[i] = ' ';
    }
    if (!is_array_) buffer += '\n';
  }
}

void JsonWriter::Write(std::string_view text) {
  if (text.empty()) return;
  if (is_array_ && is_empty_) text.remove_prefix(1);
  is_empty_ = false;
  file_.Write(text);
}

void JsonWriter::Finish() {
  if (is_array_) file_.Write(is_empty_ ? "]\n" : "\n]\n");
  file_.Finish();
}

}  // namespace scaup
