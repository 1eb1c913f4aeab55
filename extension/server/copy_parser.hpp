// CopyParser: rows in the forms of COPY, from bytes that come in parts.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "copy_options.hpp"

namespace scaup::server {

/// The place of parsed values: texts of columns.
class FieldSink {
 public:
  virtual ~FieldSink() = default;
  /// Adds the text of the next column; nullopt for NULL.
  virtual void AddField(std::optional<std::string_view> text) = 0;
  virtual void EndRow() = 0;
};

/// Parses rows. Borrows the options and the sink. Used by one thread at a time. Throws Error(kIo, 22P04) for
/// malformed data, with the number of the line.
class CopyParser {
 public:
  /// `oids` are the numbers of the columns' types, for the binary form.
  CopyParser(const CopyOptions& options, std::vector<std::string> columns, std::vector<uint32_t> oids,
             FieldSink& sink);

  void Add(std::string_view bytes) { data_.append(bytes); }
  /// Parses a row. Returns false if it is not complete, or after the last. `is_end`: no more bytes will come.
  bool ParseRow(bool is_end);
  /// Forgets the bytes of parsed rows.
  void Compact();
  /// Throws if bytes are left that are no row. Called at the end.
  void Finish() const;
  uint64_t line() const { return line_; }

 private:
  /// Finds the fields of the next line. Returns false if it is not complete.
  bool SplitText(bool is_end);
  bool SplitCsv(bool is_end);
  bool ParseBinaryRow();
  void EmitLine();
  void EmitField(size_t column, std::string_view raw, bool is_quoted);
  [[noreturn]] void Refuse(const std::string& what) const;

  struct Field {
    size_t begin, end;
    bool is_quoted;
  };
  const CopyOptions& options_;
  const std::vector<std::string> columns_;
  const std::vector<uint32_t> oids_;
  std::vector<bool> never_null_, quoted_null_;
  FieldSink& sink_;
  std::string data_;
  size_t position_ = 0;
  std::vector<Field> fields_;
  std::string text_;  ///< of a field without escapes and quotes
  uint64_t line_ = 0;
  bool has_begun_ = false;
  bool has_ended_ = false;  ///< the mark of the end has come
};

}  // namespace scaup::server
