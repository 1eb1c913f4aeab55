// The target for libFuzzer: any bytes as a Parquet file, of which footer and pages are read.
//
// What it asks for beyond the sanitizers: only `scaup::Error` is thrown, never an internal error, and reads
// end. Compiled with SCAUP_PARQUET_MUTATIONS it changes given files by itself, without libFuzzer.
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "scaup/connection.hpp"

namespace {

/// Rows after which a file has shown what it does: runs may claim any number of them.
constexpr size_t kMostRows = 20000;

scaup::Connection& OpenConnection() {
  static scaup::Database database(":memory:", {{"threads", "2"}, {"memory_limit", "256MB"}});
  static scaup::Connection connection(database);
  return connection;
}

const std::string& Path() {
  static const std::string path = "/tmp/parquet_fuzzer." + std::to_string(getpid()) + ".parquet";
  return path;
}

void Write(const uint8_t* data, size_t size) {
  std::FILE* file = std::fopen(Path().c_str(), "wb");
  if (file == nullptr) std::abort();
  std::fwrite(data, 1, size, file);
  std::fclose(file);
}

/// Reads the result of a query, or its error. Returns whether there was none.
bool Read(const std::string& sql) {
  try {
    scaup::StreamingResult rows = OpenConnection().Stream(sql);
    scaup::QueryResult part;
    for (size_t count = 0; count < kMostRows && rows.Fetch(part);) count += part.row_count();
    return true;
  } catch (const scaup::Error& error) {
    if (error.kind() != scaup::ErrorKind::kInternal) return false;
    std::fprintf(stderr, "an internal error: %s\n", error.what());
    std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  Write(data, size);
  const std::string file = "'" + Path() + "'";
  if (!Read("SELECT * FROM parquet_schema(" + file + ")")) return 0;
  Read("SELECT * FROM parquet_metadata(" + file + ")");
  Read("SELECT * FROM " + file);
  Read("SELECT * FROM " + file + " WHERE id = 7");
  return 0;
}

#ifdef SCAUP_PARQUET_MUTATIONS

namespace {

std::vector<uint8_t> Load(const char* path) {
  std::vector<uint8_t> bytes;
  std::FILE* file = std::fopen(path, "rb");
  if (file == nullptr) return bytes;
  for (int byte; (byte = std::fgetc(file)) != EOF;) bytes.push_back(static_cast<uint8_t>(byte));
  std::fclose(file);
  return bytes;
}

void Mutate(std::mt19937_64& random, std::vector<uint8_t>& bytes) {
  constexpr uint8_t kTelling[] = {0, 1, 0x7F, 0x80, 0xFF, 0x15, 0x1C};
  for (uint64_t changes = 1 + random() % 4; changes != 0 && bytes.size() > 16; changes--) {
    const size_t tail = std::min<size_t>(bytes.size(), 2500);
    const size_t at = random() % 2 == 0 ? random() % bytes.size() : bytes.size() - 1 - random() % tail;
    const auto place = bytes.begin() + static_cast<std::ptrdiff_t>(at);
    switch (random() % 4) {
      case 0: bytes[at] ^= static_cast<uint8_t>(1 << random() % 8); break;
      case 1: bytes[at] = kTelling[random() % std::size(kTelling)]; break;
      case 2: bytes.erase(place); break;
      default: bytes.insert(place, static_cast<uint8_t>(random()));
    }
  }
}

}  // namespace

/// Usage: parquet_fuzzer COUNT SEED FILE...
int main(int argument_count, char** arguments) {
  if (argument_count < 4) return 2;
  std::mt19937_64 random(std::strtoull(arguments[2], nullptr, 10));
  const uint64_t count = std::strtoull(arguments[1], nullptr, 10);
  for (int i = 3; i < argument_count; i++) {
    const std::vector<uint8_t> original = Load(arguments[i]);
    LLVMFuzzerTestOneInput(original.data(), original.size());
    for (uint64_t n = 0; n < count; n++) {
      std::vector<uint8_t> bytes = original;
      Mutate(random, bytes);
      LLVMFuzzerTestOneInput(bytes.data(), bytes.size());
    }
    std::fprintf(stderr, "%s\n", arguments[i]);
  }
  unlink(Path().c_str());
  return 0;
}

#endif
