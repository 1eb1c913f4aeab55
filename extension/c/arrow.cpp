// Arrow streams: results as streams, and streams as tables.
#include <cerrno>
#include <system_error>

#include "arrow_guard.hpp"
#include "edge.hpp"
#include "handles.hpp"
#include "scaup/arrow.h"

using scaup::c::ArrowGuard;
using scaup::c::Guard;
using scaup::c::Require;
using scaup::c::ThrowUsage;

namespace {

scaup::ArrowOptions OptionsOf(uint32_t options, size_t batch_rows) {
  constexpr uint32_t kKnown = SCAUP_ARROW_STRING_VIEWS | SCAUP_ARROW_PLAIN_ENUMS | SCAUP_ARROW_PLAIN_TYPES;
  if ((options & ~kKnown) != 0) ThrowUsage("22023", "unknown options for Arrow arrays");
  scaup::ArrowOptions made;
  made.string_views = (options & SCAUP_ARROW_STRING_VIEWS) != 0;
  made.dictionaries = (options & SCAUP_ARROW_PLAIN_ENUMS) == 0;
  made.extensions = (options & SCAUP_ARROW_PLAIN_TYPES) == 0;
  if (batch_rows != 0) made.batch_rows = batch_rows;
  return made;
}

/// A table of the program. Owned by the factory that reads it.
struct ProgramTable {
  ProgramTable(scaup_arrow_open open_in, void* context_in, void (*destroy_in)(void*))
      : open(open_in), context(context_in), destroy(destroy_in) {}
  ProgramTable(ProgramTable&& other) noexcept : ProgramTable(other.open, other.context, other.destroy) {
    other.destroy = nullptr;
  }
  ~ProgramTable() {
    if (destroy != nullptr) destroy(context);
  }

  /// Opens a pass. Throws Error(kIo, 58030) if the program cannot.
  void Open(const scaup::ArrowRequest& request, ArrowArrayStream* out) const {
    std::vector<const char*> columns;
    for (const std::string& column : request.columns) columns.push_back(column.c_str());
    *out = {};
    const int code = open(context, columns.data(), columns.size(), out);
    if (code == 0 && out->release != nullptr) return;
    const std::string reason =
        code == 0 ? "it gave no stream" : std::error_code(code, std::generic_category()).message();
    throw scaup::Error(code == ENOMEM ? scaup::ErrorKind::kOutOfMemory : scaup::ErrorKind::kIo,
                       code == ENOMEM ? "53200" : "58030",
                       "the program could not open its registered table: " + reason);
  }

  scaup_arrow_open open;
  void* context;
  void (*destroy)(void*);
};

}  // namespace

scaup_status scaup_result_export_arrow(const scaup_result* result, uint32_t options, size_t batch_rows,
                                       struct ArrowArrayStream* out, scaup_error** error) {
  return Guard(error, [&] {
    Require(out, "the output");
    Require(result, "the result").result.ExportArrow(out, OptionsOf(options, batch_rows));
  });
}

scaup_status scaup_stream_export_arrow(scaup_stream* stream, uint32_t options, size_t batch_rows,
                                       struct ArrowArrayStream* out, scaup_error** error) {
  return Guard(error, [&] {
    Require(out, "the output");
    Require(stream, "the stream");
    const scaup::ArrowOptions wanted = OptionsOf(options, batch_rows);
    std::move(stream->stream).ExportArrow(out, wanted);
  });
}

scaup_status scaup_register_arrow(scaup_connection* connection, const char* name,
                                  struct ArrowArrayStream* stream, scaup_error** error) {
  return Guard(error, [&] {
    const ArrowGuard owned(stream);
    Require(name, "the table's name");
    scaup::c::RequireUnreleased(stream, "stream");
    Require(connection, "the connection").connection.RegisterArrow(name, stream);
  });
}

scaup_status scaup_register_arrow_table(scaup_connection* connection, const char* name, scaup_arrow_open open,
                                        void* context, void (*destroy)(void* context), scaup_error** error) {
  return Guard(error, [&] {
    ProgramTable table(open, context, destroy);
    Require(name, "the table's name");
    if (open == nullptr) ThrowUsage("22004", "the function that opens the table is NULL");
    Require(connection, "the connection");
    const auto shared = std::make_shared<ProgramTable>(std::move(table));
    connection->connection.RegisterArrow(
        name,
        [shared](const scaup::ArrowRequest& request, ArrowArrayStream* out) { shared->Open(request, out); });
  });
}

scaup_status scaup_unregister_arrow(scaup_connection* connection, const char* name, bool* removed,
                                    scaup_error** error) {
  return Guard(error, [&] {
    Require(name, "the table's name");
    const bool was_there = Require(connection, "the connection").connection.Unregister(name);
    if (removed != nullptr) *removed = was_there;
  });
}
