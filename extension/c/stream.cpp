// Results that are fetched in batches.
#include <memory>

#include "column.hpp"
#include "edge.hpp"
#include "handles.hpp"

using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::RequireOutput;

size_t scaup_stream_column_count(const scaup_stream* stream) {
  return stream == nullptr ? 0 : stream->columns.size();
}

scaup_status scaup_stream_column(const scaup_stream* stream, size_t column, scaup_column* out,
                                 scaup_error** error) {
  return Guard(error, [&] { scaup::c::DescribeColumn(Require(stream, "the stream").columns, column, out); });
}

uint64_t scaup_stream_rows_changed(const scaup_stream* stream) {
  return stream == nullptr ? 0 : stream->rows_changed;
}

scaup_status scaup_stream_fetch(scaup_stream* stream, size_t row_count, scaup_result** out,
                                scaup_error** error) {
  return Guard(error, [&] {
    scaup_result*& fetched = RequireOutput(out);
    scaup::StreamingResult& rows_of = Require(stream, "the stream").stream;
    auto made = std::make_unique<scaup_result>();  // before the rows are taken from the stream
    const bool has_rows =
        row_count == 0 ? rows_of.Fetch(made->result) : rows_of.Fetch(made->result, row_count);
    if (has_rows) fetched = made.release();
  });
}

void scaup_stream_free(scaup_stream* stream) { delete stream; }
