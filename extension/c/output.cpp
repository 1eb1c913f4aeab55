// Functions by which bodies set their results and read their tables.
#include "arrow_guard.hpp"
#include "edge.hpp"
#include "function_handles.hpp"
#include "handles.hpp"
#include "value.hpp"

using scaup::c::ArrowGuard;
using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;
using scaup::c::ThrowUsage;

namespace {

/// Runs `body` for a function of an output, and notes its error there, so that the body of the program's
/// function need not hand it on.
template <typename Output, typename Body>
scaup_status GuardNoting(Output* output, scaup_error** error, Body&& body) {
  return Guard(error, [&] {
    Require(output, "the output");
    try {
      body();
    } catch (const scaup::Error& caught) {
      if (!output->error) output->error = caught;
      throw;
    }
  });
}

scaup::FunctionOutput& ValuesOf(scaup_output& output) {
  if (output.values == nullptr) ThrowUsage("55000", "this output is for errors alone");
  return *output.values;
}

scaup::Error MakeError(const char* sqlstate, const char* message) {
  const bool is_state = sqlstate != nullptr && std::string_view(sqlstate).size() == 5;
  return {scaup::ErrorKind::kIo, is_state ? sqlstate : "38000",
          message == nullptr ? "a function of the program has failed" : message};
}

}  // namespace

size_t scaup_output_row_count(const scaup_output* output) {
  return output == nullptr || output->values == nullptr ? 0 : output->values->row_count();
}

scaup_status scaup_output_data(scaup_output* output, void** out, scaup_error** error) {
  return GuardNoting(output, error, [&] { RequireOutput(out) = ValuesOf(*output).Data(); });
}

scaup_status scaup_output_set_null(scaup_output* output, size_t row, scaup_error** error) {
  return GuardNoting(output, error, [&] { ValuesOf(*output).SetNull(row); });
}

scaup_status scaup_output_set_text(scaup_output* output, size_t row, const char* bytes, size_t length,
                                   scaup_error** error) {
  return GuardNoting(output, error, [&] { ValuesOf(*output).SetText(row, scaup::c::TextOf(bytes, length)); });
}

scaup_status scaup_output_set_value(scaup_output* output, size_t row, const scaup_value* value,
                                    scaup_error** error) {
  return GuardNoting(output, error, [&] {
    ValuesOf(*output).SetValue(row, scaup::c::ToValue(Require(value, "the value")));
  });
}

scaup_status scaup_output_set_arrow(scaup_output* output, struct ArrowSchema* schema,
                                    struct ArrowArray* array, scaup_error** error) {
  const ArrowGuard owned_schema(schema);
  const ArrowGuard owned_array(array);
  return GuardNoting(output, error, [&] {
    scaup::c::RequireUnreleased(schema, "schema");
    scaup::c::RequireUnreleased(array, "array");
    ValuesOf(*output).SetArrow(schema, array);
  });
}

void scaup_output_fail(scaup_output* output, const char* sqlstate, const char* message) {
  if (output == nullptr) return;
  Guard(nullptr, [&] { output->error = MakeError(sqlstate, message); });
}

scaup_status scaup_table_input_next(scaup_table_input* input, size_t row_count, scaup_result** out,
                                    scaup_error** error) {
  return GuardNoting(input, error, [&] {
    RequireOutput(out);
    scaup::QueryResult rows = row_count == 0 ? input->input.Next() : input->input.Next(row_count);
    if (rows.row_count() == 0) return;
    auto made = std::make_unique<scaup_result>();
    made->result = std::move(rows);
    *out = made.release();
  });
}

scaup_status scaup_table_output_begin(scaup_table_output* output, size_t row_count, scaup_error** error) {
  return GuardNoting(output, error, [&] {
    output->rows.SetRowCount(row_count);
    output->columns.clear();
    output->columns.reserve(output->rows.columns().size());
    for (size_t i = 0; i < output->rows.columns().size(); i++)
      output->columns.emplace_back(&output->rows.Column(i));
  });
}

scaup_output* scaup_table_output_column(scaup_table_output* output, size_t column) {
  return output == nullptr || column >= output->columns.size() ? nullptr : &output->columns[column];
}

void scaup_table_output_fail(scaup_table_output* output, const char* sqlstate, const char* message) {
  if (output == nullptr) return;
  Guard(nullptr, [&] { output->error = MakeError(sqlstate, message); });
}

scaup_status scaup_query_within(const char* sql, size_t length, const scaup_value* values, size_t value_count,
                                scaup_result** out, scaup_error** error) {
  return Guard(error, [&] {
    if (out != nullptr) *out = nullptr;
    Require(sql, "the SQL text");
    if (value_count != 0) Require(values, "the values");
    std::vector<scaup::Value> given;
    for (size_t i = 0; i < value_count; i++) given.push_back(scaup::c::ToValue(values[i]));
    auto made = std::make_unique<scaup_result>();
    made->result = scaup::CallingStatement::Query(scaup::c::TextOf(sql, length), given);
    if (out != nullptr) *out = made.release();
  });
}
