// Copies of Arrow schemas, and streams of Arrow arrays that the driver makes of others.
#include "owned.hpp"

#include <cerrno>
#include <cstring>
#include <vector>

#include "edge.hpp"

namespace scaup::adbc {

namespace {

/// The memory of a copied schema. Owned by its release function.
struct SchemaCopy {
  std::string format;
  std::string name;
  std::string metadata;
  std::vector<OwnedSchema> children;
  std::vector<ArrowSchema*> pointers;
  OwnedSchema dictionary;
};

/// Returns the bytes of a schema's metadata: the number of entries, then key and value of each, behind their
/// lengths.
std::string MetadataOf(const char* metadata) {
  if (metadata == nullptr) return {};
  size_t size = 0;
  const auto next = [&] {
    int32_t number = 0;
    std::memcpy(&number, metadata + size, sizeof(number));
    size += sizeof(number);
    return number;
  };
  const int32_t count = next();
  for (int32_t text = 0; text < 2 * count; text++) {
    const int32_t length = next();
    size += static_cast<size_t>(length);
  }
  return {metadata, size};
}

void ReleaseCopy(ArrowSchema* self) {
  delete static_cast<SchemaCopy*>(self->private_data);
  self->release = nullptr;
}

OwnedSchema CopyNamed(const ArrowSchema& schema, const char* name) {
  auto copy = std::make_unique<SchemaCopy>();
  copy->format = schema.format;
  copy->name = name == nullptr ? "" : name;
  copy->metadata = MetadataOf(schema.metadata);
  for (int64_t i = 0; i < schema.n_children; i++) copy->children.push_back(CopyOf(*schema.children[i]));
  for (OwnedSchema& child : copy->children) copy->pointers.push_back(child.get());
  if (schema.dictionary != nullptr) copy->dictionary = CopyOf(*schema.dictionary);
  OwnedSchema made;
  made->format = copy->format.c_str();
  made->name = copy->name.c_str();
  made->metadata = schema.metadata == nullptr ? nullptr : copy->metadata.data();
  made->flags = schema.flags;
  made->n_children = schema.n_children;
  made->children = copy->pointers.data();
  made->dictionary = schema.dictionary == nullptr ? nullptr : copy->dictionary.get();
  made->release = ReleaseCopy;
  made->private_data = copy.release();
  return made;
}

/// A stream with a schema of its own: the arrays of `inner`, or a single one. Owned by the stream's release
/// function.
struct MadeStream {
  OwnedSchema schema;
  OwnedStream inner;
  OwnedArray array;

  static MadeStream& Of(ArrowArrayStream* stream) { return *static_cast<MadeStream*>(stream->private_data); }
};

OwnedStream Publish(std::unique_ptr<MadeStream> made) {
  OwnedStream stream;
  stream->get_schema = [](ArrowArrayStream* self, ArrowSchema* out) {
    try {
      CopyOf(*MadeStream::Of(self).schema).MoveTo(out);
      return 0;
    } catch (const std::bad_alloc&) {
      return ENOMEM;
    }
  };
  stream->get_next = [](ArrowArrayStream* self, ArrowArray* out) {
    MadeStream& made = MadeStream::Of(self);
    if (!made.inner.is_released()) return made.inner->get_next(made.inner.get(), out);
    made.array.MoveTo(out);
    return 0;
  };
  stream->get_last_error = [](ArrowArrayStream* self) -> const char* {
    MadeStream& made = MadeStream::Of(self);
    return made.inner.is_released() ? nullptr : made.inner->get_last_error(made.inner.get());
  };
  stream->release = [](ArrowArrayStream* self) {
    delete &MadeStream::Of(self);
    self->release = nullptr;
  };
  stream->private_data = made.release();
  return stream;
}

}  // namespace

OwnedSchema CopyOf(const ArrowSchema& schema) { return CopyNamed(schema, schema.name); }

OwnedStream MakeStream(OwnedSchema schema, OwnedArray array) {
  return Publish(std::make_unique<MadeStream>(MadeStream{std::move(schema), {}, std::move(array)}));
}

OwnedSchema SchemaOf(OwnedStream& stream) {
  OwnedSchema schema;
  if (stream->get_schema(stream.get(), schema.get()) == 0 && !schema.is_released()) return schema;
  const char* text = stream->get_last_error(stream.get());
  throw Error(
      ErrorKind::kIo, "58030",
      std::string("the Arrow stream has no schema: ") + (text == nullptr ? "it does not say why" : text));
}

OwnedStream NumberColumns(const ArrowSchema& schema, OwnedStream stream) {
  OwnedSchema numbered = CopyOf(schema);
  auto& copy = *static_cast<SchemaCopy*>(numbered->private_data);
  for (size_t i = 0; i < copy.children.size(); i++)
    copy.children[i] = CopyNamed(*copy.children[i], std::to_string(i + 1).c_str());
  return Publish(std::make_unique<MadeStream>(MadeStream{std::move(numbered), std::move(stream), {}}));
}

}  // namespace scaup::adbc
