// Reads the structs of a Parquet footer.
#include "format/parquet/parquet_metadata.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "format/parquet/thrift_reader.hpp"

namespace scaup {

namespace {

using Type = ThriftReader::Type;

template <typename E>
E ReadEnum(ThriftReader& reader, Type type, E last, const char* what) {
  const int32_t number = reader.ReadInt32(type);
  if (number < 0 || number > static_cast<int32_t>(last))
    ThrowParquetUnknown(fmt::format("it has an unknown {}, {}", what, number));
  return static_cast<E>(number);
}

ParquetUnit ReadUnit(ThriftReader& reader) {
  ParquetUnit unit = ParquetUnit::kMicros;
  reader.ReadStruct([&](int32_t id, Type) {
    if (id >= 1 && id <= 3) unit = static_cast<ParquetUnit>(id);
    return false;
  });
  return unit;
}

ParquetAnnotation ReadAnnotation(ThriftReader& reader) {
  ParquetAnnotation annotation;
  reader.ReadStruct([&](int32_t id, Type type) {
    // A meaning that is not known leaves the physical type.
    if (type != Type::kStruct || id < 1 || id > 15 || id == 9) return false;
    annotation.meaning = static_cast<ParquetMeaning>(id);
    reader.ReadStruct([&](int32_t field, Type field_type) {
      switch (annotation.meaning) {
        case ParquetMeaning::kDecimal:
          if (field == 1) annotation.scale = reader.ReadInt32(field_type);
          if (field == 2) annotation.precision = reader.ReadInt32(field_type);
          return field == 1 || field == 2;
        case ParquetMeaning::kTime:
        case ParquetMeaning::kTimestamp:
          if (field == 1) annotation.is_utc = reader.ReadBool(field_type);
          if (field == 2 && field_type == Type::kStruct) annotation.unit = ReadUnit(reader);
          return field == 1 || (field == 2 && field_type == Type::kStruct);
        case ParquetMeaning::kInteger:
          if (field == 1) annotation.bits = static_cast<int32_t>(reader.ReadInteger(field_type));
          if (field == 2) annotation.is_signed = reader.ReadBool(field_type);
          return field == 1 || field == 2;
        default: return false;
      }
    });
    return true;
  });
  return annotation;
}

/// Returns the meaning of a converted type, for files without logical types.
ParquetAnnotation AnnotationOf(const ParquetSchemaElement& element, int32_t scale, int32_t precision) {
  ParquetAnnotation annotation;
  const auto integer = [&](int32_t bits, bool is_signed) {
    annotation.meaning = ParquetMeaning::kInteger;
    annotation.bits = bits;
    annotation.is_signed = is_signed;
  };
  const auto time = [&](ParquetMeaning meaning, ParquetUnit unit) {
    annotation.meaning = meaning;
    annotation.unit = unit;
  };
  switch (element.converted_type) {
    case 0: annotation.meaning = ParquetMeaning::kString; break;
    case 1:
    case 2: annotation.meaning = ParquetMeaning::kMap; break;
    case 3: annotation.meaning = ParquetMeaning::kList; break;
    case 4: annotation.meaning = ParquetMeaning::kEnum; break;
    case 5:
      annotation.meaning = ParquetMeaning::kDecimal;
      annotation.scale = scale;
      annotation.precision = precision;
      break;
    case 6: annotation.meaning = ParquetMeaning::kDate; break;
    case 7: time(ParquetMeaning::kTime, ParquetUnit::kMillis); break;
    case 8: time(ParquetMeaning::kTime, ParquetUnit::kMicros); break;
    // The format calls these moments, but writers of the time put local times there, and readers take them
    // so.
    case 9: time(ParquetMeaning::kTimestamp, ParquetUnit::kMillis); break;
    case 10: time(ParquetMeaning::kTimestamp, ParquetUnit::kMicros); break;
    case 11: integer(8, false); break;
    case 12: integer(16, false); break;
    case 13: integer(32, false); break;
    case 14: integer(64, false); break;
    case 15: integer(8, true); break;
    case 16: integer(16, true); break;
    case 17: integer(32, true); break;
    case 18: integer(64, true); break;
    case 19: annotation.meaning = ParquetMeaning::kJson; break;
    case 20: annotation.meaning = ParquetMeaning::kBson; break;
    case 21: annotation.meaning = ParquetMeaning::kInterval; break;
    default: break;
  }
  return annotation;
}

ParquetSchemaElement ReadSchemaElement(ThriftReader& reader) {
  ParquetSchemaElement element;
  int32_t scale = 0, precision = 0;
  bool has_logical = false;
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: element.type = ReadEnum(reader, type, ParquetType::kFixedBytes, "type"); return true;
      case 2: element.type_length = reader.ReadInt32(type); return true;
      case 3:
        element.repetition = ReadEnum(reader, type, ParquetRepetition::kRepeated, "repetition");
        return true;
      case 4: element.name = reader.ReadString(type); return true;
      case 5: element.child_count = reader.ReadInt32(type); return true;
      case 6: element.converted_type = reader.ReadInt32(type); return true;
      case 7: scale = reader.ReadInt32(type); return true;
      case 8: precision = reader.ReadInt32(type); return true;
      case 9: element.field_id = reader.ReadInt32(type); return true;
      case 10:
        if (type != Type::kStruct) return false;
        element.annotation = ReadAnnotation(reader);
        has_logical = element.annotation.meaning != ParquetMeaning::kNone;
        return true;
      default: return false;
    }
  });
  if (!has_logical) element.annotation = AnnotationOf(element, scale, precision);
  return element;
}

ParquetStatistics ReadStatistics(ThriftReader& reader) {
  ParquetStatistics statistics;
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: statistics.old_maximum = reader.ReadString(type); return true;
      case 2: statistics.old_minimum = reader.ReadString(type); return true;
      case 3: statistics.null_count = reader.ReadInteger(type); return true;
      case 4: statistics.distinct_count = reader.ReadInteger(type); return true;
      case 5: statistics.maximum = reader.ReadString(type); return true;
      case 6: statistics.minimum = reader.ReadString(type); return true;
      case 7: statistics.is_maximum_exact = reader.ReadBool(type); return true;
      case 8: statistics.is_minimum_exact = reader.ReadBool(type); return true;
      default: return false;
    }
  });
  return statistics;
}

/// The numbers of pages by type and encoding tell whether every data page has the dictionary's encoding.
bool ReadEncodingStatistics(ThriftReader& reader) {
  bool all_dictionary = true, any = false;
  reader.ReadList([&](Type) {
    int32_t page_type = -1, encoding = -1, count = 0;
    reader.ReadStruct([&](int32_t id, Type type) {
      if (id < 1 || id > 3) return false;
      (id == 1 ? page_type : id == 2 ? encoding : count) = reader.ReadInt32(type);
      return true;
    });
    if ((page_type != 0 && page_type != 3) || count == 0) return;
    any = true;
    all_dictionary &= encoding == static_cast<int32_t>(ParquetEncoding::kPlainDictionary) ||
                      encoding == static_cast<int32_t>(ParquetEncoding::kRleDictionary);
  });
  return any && all_dictionary;
}

/// Whether the list of encodings alone says so: it has the dictionary's, and no other one of values.
bool IsDictionaryOnly(const std::vector<int32_t>& encodings) {
  bool has_dictionary = false;
  for (const int32_t encoding : encodings) {
    switch (static_cast<ParquetEncoding>(encoding)) {
      case ParquetEncoding::kPlainDictionary:
      case ParquetEncoding::kRleDictionary: has_dictionary = true; break;
      case ParquetEncoding::kRle:
      case ParquetEncoding::kBitPacked: break;  // of levels
      default: return false;
    }
  }
  return has_dictionary;
}

void ReadColumnMetadata(ThriftReader& reader, ParquetColumnChunk& chunk) {
  bool has_counts = false;
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: chunk.type = ReadEnum(reader, type, ParquetType::kFixedBytes, "type"); return true;
      case 2:
        if (type != Type::kList) return false;
        reader.ReadList([&](Type element) { chunk.encodings.push_back(reader.ReadInt32(element)); });
        return true;
      case 3:
        if (type != Type::kList) return false;
        reader.ReadList([&](Type element) { chunk.path.push_back(reader.ReadString(element)); });
        return true;
      case 4: chunk.codec = ReadEnum(reader, type, Codec::kLz4Raw, "codec"); return true;
      case 5: chunk.value_count = reader.ReadInteger(type); return true;
      case 6: chunk.uncompressed_bytes = reader.ReadInteger(type); return true;
      case 7: chunk.compressed_bytes = reader.ReadInteger(type); return true;
      case 9: chunk.data_offset = reader.ReadInteger(type); return true;
      case 10: chunk.index_offset = reader.ReadInteger(type); return true;
      case 11: chunk.dictionary_offset = reader.ReadInteger(type); return true;
      case 12:
        if (type != Type::kStruct) return false;
        chunk.statistics = ReadStatistics(reader);
        return true;
      case 13:
        if (type != Type::kList) return false;
        chunk.is_dictionary_only = ReadEncodingStatistics(reader);
        return has_counts = true;
      case 14: chunk.bloom_offset = reader.ReadInteger(type); return true;
      case 15:
        if (type != Type::kI32) return false;  // one writer of old has put something else there
        chunk.bloom_bytes = reader.ReadInt32(type);
        return true;
      default: return false;
    }
  });
  if (!has_counts) chunk.is_dictionary_only = IsDictionaryOnly(chunk.encodings);
}

ParquetColumnChunk ReadColumnChunk(ThriftReader& reader) {
  ParquetColumnChunk chunk;
  bool has_metadata = false;
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: chunk.file_path = reader.ReadString(type); return true;
      case 3:
        if (type != Type::kStruct) return false;
        ReadColumnMetadata(reader, chunk);
        has_metadata = true;
        return true;
      case 4: chunk.offset_index_offset = reader.ReadInteger(type); return true;
      case 5: chunk.offset_index_bytes = reader.ReadInt32(type); return true;
      case 6: chunk.column_index_offset = reader.ReadInteger(type); return true;
      case 7: chunk.column_index_bytes = reader.ReadInt32(type); return true;
      default: return false;
    }
  });
  if (!has_metadata) ThrowParquetDamage("a column chunk has no metadata");
  return chunk;
}

ParquetRowGroup ReadRowGroup(ThriftReader& reader) {
  ParquetRowGroup group;
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1:
        if (type != Type::kList) return false;
        reader.ReadList([&](Type) { group.columns.push_back(ReadColumnChunk(reader)); });
        return true;
      case 2: group.total_bytes = reader.ReadInteger(type); return true;
      case 3: group.row_count = reader.ReadInteger(type); return true;
      case 6: group.compressed_bytes = reader.ReadInteger(type); return true;
      default: return false;
    }
  });
  return group;
}

ParquetKeyValue ReadKeyValue(ThriftReader& reader) {
  ParquetKeyValue pair;
  reader.ReadStruct([&](int32_t id, Type type) {
    if (id == 1) pair.key = reader.ReadString(type);
    if (id == 2) pair.value = reader.ReadString(type);
    return id == 1 || id == 2;
  });
  return pair;
}

size_t ReadSize(ThriftReader& reader, Type type) {
  const int32_t size = reader.ReadInt32(type);
  if (size < 0) ThrowParquetDamage("a page has a negative size");
  return static_cast<size_t>(size);
}

ParquetEncoding ReadEncoding(ThriftReader& reader, Type type) {
  return ReadEnum(reader, type, ParquetEncoding::kByteStreamSplit, "encoding");
}

void ReadDataPageHeader(ThriftReader& reader, ParquetPageHeader& header) {
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: header.value_count = ReadSize(reader, type); return true;
      case 2: header.encoding = ReadEncoding(reader, type); return true;
      case 3: header.definition_encoding = ReadEncoding(reader, type); return true;
      case 4: header.repetition_encoding = ReadEncoding(reader, type); return true;
      default: return false;
    }
  });
}

void ReadDictionaryPageHeader(ThriftReader& reader, ParquetPageHeader& header) {
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: header.value_count = ReadSize(reader, type); return true;
      case 2: header.encoding = ReadEncoding(reader, type); return true;
      default: return false;
    }
  });
}

void ReadDataPageHeaderV2(ThriftReader& reader, ParquetPageHeader& header) {
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: header.value_count = ReadSize(reader, type); return true;
      case 3: header.row_count = ReadSize(reader, type); return true;
      case 4: header.encoding = ReadEncoding(reader, type); return true;
      case 5: header.definition_bytes = ReadSize(reader, type); return true;
      case 6: header.repetition_bytes = ReadSize(reader, type); return true;
      case 7: header.is_compressed = reader.ReadBool(type); return true;
      default: return false;
    }
  });
}

}  // namespace

std::string_view ParquetEncodingName(int32_t encoding) {
  constexpr std::string_view kNames[] = {"PLAIN",
                                         "UNKNOWN",
                                         "PLAIN_DICTIONARY",
                                         "RLE",
                                         "BIT_PACKED",
                                         "DELTA_BINARY_PACKED",
                                         "DELTA_LENGTH_BYTE_ARRAY",
                                         "DELTA_BYTE_ARRAY",
                                         "RLE_DICTIONARY",
                                         "BYTE_STREAM_SPLIT"};
  return encoding < 0 || encoding >= static_cast<int32_t>(std::size(kNames))
             ? "UNKNOWN"
             : kNames[static_cast<size_t>(encoding)];
}

std::string_view ParquetTypeName(ParquetType type) {
  constexpr std::string_view kNames[] = {"BOOLEAN", "INT32",  "INT64",      "INT96",
                                         "FLOAT",   "DOUBLE", "BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY"};
  return kNames[static_cast<size_t>(type)];
}

ParquetMetadata ReadParquetMetadata(std::span<const std::byte> bytes) {
  ParquetMetadata metadata;
  ThriftReader reader(bytes);
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: metadata.version = reader.ReadInt32(type); return true;
      case 2:
        if (type != Type::kList) return false;
        reader.ReadList([&](Type) { metadata.schema.push_back(ReadSchemaElement(reader)); });
        return true;
      case 3: metadata.row_count = reader.ReadInteger(type); return true;
      case 4:
        if (type != Type::kList) return false;
        reader.ReadList([&](Type) {
          metadata.row_groups.push_back(ReadRowGroup(reader));
          // Groups that are missing their columns would take far more memory than bytes.
          if (metadata.row_groups.back().columns.size() != metadata.row_groups.front().columns.size())
            ThrowParquetDamage("a row group has the wrong number of columns");
          if (metadata.row_groups.back().columns.empty() && metadata.row_groups.size() > 1000)
            ThrowParquetDamage("its row groups have no columns");
        });
        return true;
      case 5:
        if (type != Type::kList) return false;
        reader.ReadList([&](Type) { metadata.key_values.push_back(ReadKeyValue(reader)); });
        return true;
      case 6: metadata.created_by = reader.ReadString(type); return true;
      case 8: ThrowParquetUnknown("it is encrypted");
      default: return false;
    }
  });
  return metadata;
}

ParquetPageHeader ReadParquetPageHeader(std::span<const std::byte> bytes, size_t& header_bytes) {
  ParquetPageHeader header;
  ThriftReader reader(bytes);
  bool has_details = false;
  reader.ReadStruct([&](int32_t id, Type type) {
    switch (id) {
      case 1: header.type = ReadEnum(reader, type, ParquetPageType::kDataV2, "page type"); return true;
      case 2: header.uncompressed_bytes = ReadSize(reader, type); return true;
      case 3: header.compressed_bytes = ReadSize(reader, type); return true;
      case 4: header.checksum = static_cast<uint32_t>(reader.ReadInteger(type)); return true;
      case 5:
        if (type != Type::kStruct) return false;
        ReadDataPageHeader(reader, header);
        return has_details = true;
      case 7:
        if (type != Type::kStruct) return false;
        ReadDictionaryPageHeader(reader, header);
        return has_details = true;
      case 8:
        if (type != Type::kStruct) return false;
        ReadDataPageHeaderV2(reader, header);
        return has_details = true;
      default: return false;
    }
  });
  if (!has_details && header.type != ParquetPageType::kIndex)
    ThrowParquetDamage("a page header is incomplete");
  header_bytes = reader.position();
  return header;
}

ParquetColumnIndex ReadParquetColumnIndex(std::span<const std::byte> bytes) {
  ParquetColumnIndex index;
  ThriftReader reader(bytes);
  reader.ReadStruct([&](int32_t id, Type type) {
    if (type != Type::kList) return false;
    switch (id) {
      case 1:
        reader.ReadList([&](Type element) { index.is_null_page.push_back(reader.ReadBool(element, true)); });
        return true;
      case 2:
        reader.ReadList([&](Type element) { index.minima.push_back(reader.ReadString(element)); });
        return true;
      case 3:
        reader.ReadList([&](Type element) { index.maxima.push_back(reader.ReadString(element)); });
        return true;
      case 5:
        reader.ReadList([&](Type element) { index.null_counts.push_back(reader.ReadInteger(element)); });
        return true;
      default: return false;
    }
  });
  const size_t count = index.is_null_page.size();
  if (index.minima.size() != count || index.maxima.size() != count ||
      (!index.null_counts.empty() && index.null_counts.size() != count))
    ThrowParquetDamage("the lists of a column index differ in length");
  return index;
}

ParquetOffsetIndex ReadParquetOffsetIndex(std::span<const std::byte> bytes) {
  ParquetOffsetIndex index;
  ThriftReader reader(bytes);
  reader.ReadStruct([&](int32_t id, Type type) {
    if (id != 1 || type != Type::kList) return false;
    reader.ReadList([&](Type) {
      int64_t first_row = -1;
      reader.ReadStruct([&](int32_t field, Type field_type) {
        if (field != 3) return false;
        first_row = reader.ReadInteger(field_type);
        return true;
      });
      const int64_t previous = index.first_rows.empty() ? -1 : index.first_rows.back();
      if (first_row < previous || first_row < 0 || (index.first_rows.empty() && first_row != 0))
        ThrowParquetDamage("the pages of an offset index are not in order");
      index.first_rows.push_back(first_row);
    });
    return true;
  });
  return index;
}

std::optional<size_t> ReadParquetBloomHeader(std::span<const std::byte> bytes, size_t& header_bytes) {
  ThriftReader reader(bytes);
  int32_t size = -1;
  int known = 0;
  reader.ReadStruct([&](int32_t id, Type type) {
    if (id == 1) {
      size = reader.ReadInt32(type);
      return true;
    }
    if (type != Type::kStruct || id < 2 || id > 4) return false;
    // Split blocks, XXH64, no compression: the first choice of each union, and the only ones.
    reader.ReadStruct([&](int32_t choice, Type) {
      if (choice == 1) known++;
      return false;
    });
    return true;
  });
  header_bytes = reader.position();
  if (known != 3 || size < 32 || size % 32 != 0) return std::nullopt;
  return static_cast<size_t>(size);
}

}  // namespace scaup
