// What tests of the log share: payloads, a directory on disk, reading a log to its end.
#pragma once

#include <catch2/catch.hpp>
#include <cstring>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <stdlib.h>

#include "common/file/file_system.hpp"
#include "common/sqlstate.hpp"
#include "scaup/error.hpp"
#include "storage/wal/write_ahead_log.hpp"

namespace scaup::test {

using Bytes = std::vector<std::byte>;

inline constexpr LogIdentity kIdentity{0x1234567890abcdef, 7};

/// A directory of this test alone, removed with all in it.
class LogDirectory {
 public:
  LogDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "scaup_log_XXXXXX").string();
    REQUIRE(mkdtemp(pattern.data()) != nullptr);
    path_ = pattern;
  }
  ~LogDirectory() { std::filesystem::remove_all(path_); }
  std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline Bytes BytesOf(const std::string& text) {
  Bytes bytes(text.size());
  std::memcpy(bytes.data(), text.data(), text.size());
  return bytes;
}

inline Bytes RandomPayload(std::mt19937& random, size_t size_bytes) {
  Bytes bytes(size_bytes);
  for (std::byte& byte : bytes) byte = static_cast<std::byte>(random());
  return bytes;
}

inline void AppendGroup(WriteAheadLog& log, const std::vector<Bytes>& group, bool sync) {
  const std::vector<std::span<const std::byte>> payloads(group.begin(), group.end());
  log.Append(payloads, sync);
}

inline std::vector<Bytes> ReadAll(LogReader& reader) {
  std::vector<Bytes> payloads;
  Bytes payload;
  while (reader.Next(payload)) payloads.push_back(payload);
  return payloads;
}

inline std::vector<Bytes> ReadLog(FileSystem& files, const std::string& path,
                                  LogReader::Mode mode = LogReader::Mode::kStrict) {
  const auto reader = LogReader::Open(files, path, mode, false);
  REQUIRE(reader != nullptr);
  return ReadAll(*reader);
}

inline Bytes FileBytes(FileSystem& files, const std::string& path) {
  const auto file = files.Open(path, OpenMode::kRead);
  Bytes bytes(file->Size());
  REQUIRE(file->Read(0, bytes.data(), bytes.size()) == bytes.size());
  return bytes;
}

inline void SetFileBytes(FileSystem& files, const std::string& path, const Bytes& bytes) {
  // Not emptied first: some file systems would then write it to disk at once.
  const auto file = files.Open(path, OpenMode::kReadWrite);
  file->Truncate(bytes.size());
  file->Write(0, bytes.data(), bytes.size());
}

/// What the strict reader says of a damaged log; empty if it says nothing.
inline std::string DamageOf(FileSystem& files, const std::string& path) {
  try {
    ReadLog(files, path);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::kIo);
    CHECK(std::string(error.sqlstate()) == sqlstate::kDataCorrupted);
    CHECK(error.message().find(path) != std::string::npos);
    CHECK(error.message().find("at byte") != std::string::npos);
    CHECK(error.message().find("recovery_mode='salvage'") != std::string::npos);
    return error.message();
  }
  return {};
}

}  // namespace scaup::test
