// Program columns: what the body of a program's function has set as its result.
#pragma once

#include <memory>
#include <string>
#include <variant>
#include <vector>

#include "common/memory/arena.hpp"
#include "execution/foreign/foreign_function.hpp"
#include "format/arrow/arrow_type.hpp"
#include "scaup/function.hpp"

namespace scaup {

/// The results of one call in one of three forms: values that were set row by row, or a foreign column or
/// array, whose memory is shared. Used by one thread.
class ProgramColumn final : public ForeignColumn {
 public:
  /// `function` is its name. Borrows the context for as long as rows are read.
  ProgramColumn(const std::string& function, LogicalType type, size_t row_count,
                const FunctionContext& context);

  size_t row_count() const { return row_count_; }
  const LogicalType& type() const { return type_; }
  // The ways of FunctionOutput to set values.
  void* Data();
  void SetText(size_t row, std::string_view text);
  void SetValue(size_t row, const Value& value);
  void SetNull(size_t row);
  void SetColumn(ColumnView column);
  void SetArrow(ArrowSchema* schema, ArrowArray* array);

  void Read(size_t begin, size_t count, Vector& output) const override;

 private:
  /// Values that were set row by row.
  struct OwnValues {
    MemoryReservation reservation;
    std::vector<std::byte> values;  // of the physical type; texts are StringRefs into `texts`
    std::vector<uint8_t> nulls;     // empty: none
    std::unique_ptr<Arena> texts;
  };
  struct ArrowColumn {
    ArrowType type;
    std::shared_ptr<const ArrowArray> array;
  };

  OwnValues& own_values();
  void CheckRow(size_t row) const;
  void CheckRows(size_t given) const;
  void CheckType(const LogicalType& given) const;
  void ReadAs(const LogicalType& given, size_t begin, size_t count, Vector& output) const;
  void Convert(const LogicalType& given, size_t count, Vector& source, Vector& output) const;

  const std::string& function_;
  const LogicalType type_;
  const size_t row_count_;
  const FunctionContext& context_;
  std::variant<std::monostate, OwnValues, ColumnView, ArrowColumn> rows_;
};

}  // namespace scaup
