// Writes the structs that parquet_metadata.cpp reads, field by field.
#include "format/parquet/write/metadata_writer.hpp"

#include "format/parquet/write/thrift_writer.hpp"

namespace scaup {

namespace {

using Type = ThriftWriter::Type;

/// The converted type that old readers know instead of the logical one; -1 for none. Local timestamps have
/// none: such readers would take them for moments.
int32_t ConvertedTypeOf(const ParquetAnnotation& annotation) {
  switch (annotation.meaning) {
    case ParquetMeaning::kString: return 0;
    case ParquetMeaning::kMap: return 1;
    case ParquetMeaning::kList: return 3;
    case ParquetMeaning::kEnum: return 4;
    case ParquetMeaning::kDecimal: return 5;
    case ParquetMeaning::kDate: return 6;
    case ParquetMeaning::kTimestamp:
      return annotation.is_utc && annotation.unit == ParquetUnit::kMicros ? 10 : -1;
    case ParquetMeaning::kInteger:
      return (annotation.is_signed ? 15 : 11) + (annotation.bits == 8    ? 0
                                                 : annotation.bits == 16 ? 1
                                                 : annotation.bits == 32 ? 2
                                                                         : 3);
    case ParquetMeaning::kJson: return 19;
    case ParquetMeaning::kBson: return 20;
    case ParquetMeaning::kInterval: return 21;
    case ParquetMeaning::kTime:
    case ParquetMeaning::kNone:
    case ParquetMeaning::kNull:
    case ParquetMeaning::kUuid:
    case ParquetMeaning::kFloat16: return -1;
  }
  return -1;
}

bool HasLogicalType(const ParquetAnnotation& annotation) {
  return annotation.meaning != ParquetMeaning::kNone && annotation.meaning != ParquetMeaning::kInterval;
}

void WriteAnnotation(ThriftWriter& writer, const ParquetAnnotation& annotation) {
  writer.StructField(static_cast<int32_t>(annotation.meaning), [&] {
    switch (annotation.meaning) {
      case ParquetMeaning::kDecimal:
        writer.Int32Field(1, annotation.scale);
        writer.Int32Field(2, annotation.precision);
        break;
      case ParquetMeaning::kTime:
      case ParquetMeaning::kTimestamp:
        writer.BoolField(1, annotation.is_utc);
        writer.StructField(2, [&] { writer.EmptyStructField(static_cast<int32_t>(annotation.unit)); });
        break;
      case ParquetMeaning::kInteger:
        writer.ByteField(1, static_cast<int8_t>(annotation.bits));
        writer.BoolField(2, annotation.is_signed);
        break;
      default: break;
    }
  });
}

void WriteSchemaElement(ThriftWriter& writer, const ParquetSchemaElement& element) {
  writer.Struct([&] {
    if (element.type) writer.Int32Field(1, static_cast<int32_t>(*element.type));
    if (element.type == ParquetType::kFixedBytes) writer.Int32Field(2, element.type_length);
    if (element.repetition) writer.Int32Field(3, static_cast<int32_t>(*element.repetition));
    writer.StringField(4, element.name);
    if (!element.type) writer.Int32Field(5, element.child_count);
    const ParquetAnnotation& annotation = element.annotation;
    const int32_t converted = ConvertedTypeOf(annotation);
    if (converted >= 0) writer.Int32Field(6, converted);
    if (annotation.meaning == ParquetMeaning::kDecimal) {
      writer.Int32Field(7, annotation.scale);
      writer.Int32Field(8, annotation.precision);
    }
    if (element.field_id) writer.Int32Field(9, *element.field_id);
    if (HasLogicalType(annotation)) writer.StructField(10, [&] { WriteAnnotation(writer, annotation); });
  });
}

void WriteStatistics(ThriftWriter& writer, const ParquetStatistics& statistics) {
  if (statistics.null_count) writer.Int64Field(3, *statistics.null_count);
  if (statistics.distinct_count) writer.Int64Field(4, *statistics.distinct_count);
  if (statistics.maximum) writer.StringField(5, *statistics.maximum);
  if (statistics.minimum) writer.StringField(6, *statistics.minimum);
  if (statistics.maximum) writer.BoolField(7, statistics.is_maximum_exact);
  if (statistics.minimum) writer.BoolField(8, statistics.is_minimum_exact);
}

void WriteColumnMetadata(ThriftWriter& writer, const ParquetColumnChunk& chunk) {
  writer.Int32Field(1, static_cast<int32_t>(chunk.type));
  writer.ListField(2, Type::kI32, chunk.encodings, [&](int32_t encoding) { writer.Integer(encoding); });
  writer.ListField(3, Type::kBinary, chunk.path, [&](const std::string& name) { writer.String(name); });
  writer.Int32Field(4, static_cast<int32_t>(chunk.codec));
  writer.Int64Field(5, chunk.value_count);
  writer.Int64Field(6, chunk.uncompressed_bytes);
  writer.Int64Field(7, chunk.compressed_bytes);
  writer.Int64Field(9, chunk.data_offset);
  if (chunk.dictionary_offset != 0) writer.Int64Field(11, chunk.dictionary_offset);
  if (chunk.statistics) writer.StructField(12, [&] { WriteStatistics(writer, *chunk.statistics); });
  writer.ListField(13, Type::kStruct, chunk.page_counts, [&](const ParquetPageCount& pages) {
    writer.Struct([&] {
      writer.Int32Field(1, static_cast<int32_t>(pages.type));
      writer.Int32Field(2, static_cast<int32_t>(pages.encoding));
      writer.Int32Field(3, pages.count);
    });
  });
  if (chunk.bloom_offset != 0) {
    writer.Int64Field(14, chunk.bloom_offset);
    writer.Int32Field(15, chunk.bloom_bytes);
  }
}

void WriteColumnChunk(ThriftWriter& writer, const ParquetColumnChunk& chunk) {
  writer.Struct([&] {
    writer.Int64Field(2, 0);  // deprecated, but required
    writer.StructField(3, [&] { WriteColumnMetadata(writer, chunk); });
    if (chunk.offset_index_bytes != 0) {
      writer.Int64Field(4, chunk.offset_index_offset);
      writer.Int32Field(5, chunk.offset_index_bytes);
    }
    if (chunk.column_index_bytes != 0) {
      writer.Int64Field(6, chunk.column_index_offset);
      writer.Int32Field(7, chunk.column_index_bytes);
    }
  });
}

void WriteRowGroup(ThriftWriter& writer, const ParquetRowGroup& group) {
  writer.Struct([&] {
    writer.ListField(1, Type::kStruct, group.columns,
                     [&](const ParquetColumnChunk& chunk) { WriteColumnChunk(writer, chunk); });
    writer.Int64Field(2, group.total_bytes);
    writer.Int64Field(3, group.row_count);
    const ParquetColumnChunk& first = group.columns.front();
    writer.Int64Field(5, first.dictionary_offset != 0 ? first.dictionary_offset : first.data_offset);
    writer.Int64Field(6, group.compressed_bytes);
  });
}

void WriteKeyValue(ThriftWriter& writer, const ParquetKeyValue& pair) {
  writer.Struct([&] {
    writer.StringField(1, pair.key);
    if (pair.value) writer.StringField(2, *pair.value);
  });
}

}  // namespace

void AppendParquetMetadata(const ParquetMetadata& metadata, std::string& out) {
  ThriftWriter writer(out);
  writer.Struct([&] {
    writer.Int32Field(1, metadata.version);
    writer.ListField(2, Type::kStruct, metadata.schema,
                     [&](const ParquetSchemaElement& element) { WriteSchemaElement(writer, element); });
    writer.Int64Field(3, metadata.row_count);
    writer.ListField(4, Type::kStruct, metadata.row_groups,
                     [&](const ParquetRowGroup& group) { WriteRowGroup(writer, group); });
    if (!metadata.key_values.empty()) {
      writer.ListField(5, Type::kStruct, metadata.key_values,
                       [&](const ParquetKeyValue& pair) { WriteKeyValue(writer, pair); });
    }
    writer.StringField(6, metadata.created_by);
    // Each leaf's bounds have the order of its type. Without that readers ignore them.
    std::vector<int> orders;
    for (const ParquetSchemaElement& element : metadata.schema) {
      if (element.type) orders.push_back(0);
    }
    writer.ListField(7, Type::kStruct, orders,
                     [&](int) { writer.Struct([&] { writer.EmptyStructField(1); }); });
  });
}

void AppendParquetPageHeader(const ParquetPageHeader& header, std::string& out) {
  ThriftWriter writer(out);
  writer.Struct([&] {
    writer.Int32Field(1, static_cast<int32_t>(header.type));
    writer.Int32Field(2, static_cast<int32_t>(header.uncompressed_bytes));
    writer.Int32Field(3, static_cast<int32_t>(header.compressed_bytes));
    if (header.checksum) writer.Int32Field(4, static_cast<int32_t>(*header.checksum));
    if (header.type == ParquetPageType::kDictionary) {
      writer.StructField(7, [&] {
        writer.Int32Field(1, static_cast<int32_t>(header.value_count));
        writer.Int32Field(2, static_cast<int32_t>(header.encoding));
      });
    } else if (header.type == ParquetPageType::kDataV2) {
      writer.StructField(8, [&] {
        writer.Int32Field(1, static_cast<int32_t>(header.value_count));
        writer.Int32Field(2, static_cast<int32_t>(header.null_count));
        writer.Int32Field(3, static_cast<int32_t>(header.row_count));
        writer.Int32Field(4, static_cast<int32_t>(header.encoding));
        writer.Int32Field(5, static_cast<int32_t>(header.definition_bytes));
        writer.Int32Field(6, static_cast<int32_t>(header.repetition_bytes));
        writer.BoolField(7, header.is_compressed);
      });
    } else {
      writer.StructField(5, [&] {
        writer.Int32Field(1, static_cast<int32_t>(header.value_count));
        writer.Int32Field(2, static_cast<int32_t>(header.encoding));
        writer.Int32Field(3, static_cast<int32_t>(header.definition_encoding));
        writer.Int32Field(4, static_cast<int32_t>(header.repetition_encoding));
      });
    }
  });
}

void AppendParquetColumnIndex(const std::vector<WrittenPage>& pages, std::string& out) {
  constexpr int32_t kUnordered = 0;
  ThriftWriter writer(out);
  writer.Struct([&] {
    writer.ListField(1, Type::kTrue, pages, [&](const WrittenPage& page) { writer.Bool(!page.has_values); });
    writer.ListField(2, Type::kBinary, pages, [&](const WrittenPage& page) { writer.String(page.minimum); });
    writer.ListField(3, Type::kBinary, pages, [&](const WrittenPage& page) { writer.String(page.maximum); });
    writer.Int32Field(4, kUnordered);
    writer.ListField(5, Type::kI64, pages, [&](const WrittenPage& page) { writer.Integer(page.null_count); });
  });
}

void AppendParquetOffsetIndex(const std::vector<WrittenPage>& pages, std::string& out) {
  ThriftWriter writer(out);
  writer.Struct([&] {
    writer.ListField(1, Type::kStruct, pages, [&](const WrittenPage& page) {
      writer.Struct([&] {
        writer.Int64Field(1, static_cast<int64_t>(page.offset));
        writer.Int32Field(2, static_cast<int32_t>(page.size_bytes));
        writer.Int64Field(3, static_cast<int64_t>(page.first_row));
      });
    });
  });
}

void AppendParquetBloomHeader(size_t size_bytes, std::string& out) {
  ThriftWriter writer(out);
  writer.Struct([&] {
    writer.Int32Field(1, static_cast<int32_t>(size_bytes));
    // Split blocks, XXH64, not compressed.
    for (const int32_t field : {2, 3, 4}) writer.StructField(field, [&] { writer.EmptyStructField(1); });
  });
}

}  // namespace scaup
