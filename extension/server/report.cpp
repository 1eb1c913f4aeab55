// Writes the fields of errors and notices.
#include "report.hpp"

#include <algorithm>
#include <new>

#include "wire.hpp"

namespace scaup::server {

namespace {

void AppendReport(char type, std::string_view severity, std::string_view sqlstate, std::string_view message,
                  size_t position, std::string& out) {
  const MessageScope scope(type, out);
  const auto field = [&](char code, std::string_view text) {
    out.push_back(code);
    PutCString(text, out);
  };
  field('S', severity);
  field('V', severity);
  field('C', sqlstate);
  // The hint stands behind the first line of a message.
  const size_t line = message.find('\n');
  field('M', message.substr(0, line));
  if (line != std::string_view::npos) field('D', message.substr(line + 1));
  if (position != 0) field('P', std::to_string(position));
  out.push_back('\0');
}

/// Positions of the protocol count characters, from 1.
size_t CharacterPosition(std::string_view sql, size_t byte) {
  const std::string_view before = sql.substr(0, std::min(byte, sql.size()));
  return 1 + static_cast<size_t>(std::count_if(before.begin(), before.end(), [](char c) {
           return (static_cast<unsigned char>(c) & 0xC0) != 0x80;
         }));
}

}  // namespace

void AppendError(const Error& error, std::string_view sql, size_t offset, std::string& out) {
  const auto position = error.position();
  AppendReport('E', "ERROR", error.sqlstate(), error.message(),
               position ? CharacterPosition(sql, offset + *position) : 0, out);
}

void AppendFatal(const char* sqlstate, std::string_view message, std::string& out) {
  AppendReport('E', "FATAL", sqlstate, message, 0, out);
}

void AppendWarning(const char* sqlstate, std::string_view message, std::string& out) {
  AppendReport('N', "WARNING", sqlstate, message, 0, out);
}

Error CurrentError() {
  try {
    throw;
  } catch (const Error& error) {
    return error;
  } catch (const ConnectionLost&) {
    throw;
  } catch (const ProtocolError&) {
    throw;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::kOutOfMemory, "53200", "out of memory");
  } catch (const std::exception& error) {
    return Error(ErrorKind::kInternal, "XX000", error.what());
  }
}

}  // namespace scaup::server
