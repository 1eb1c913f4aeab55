// Gives the columns of a client to an INSERT, as a stream of Arrow arrays.
#include "copy_arrow_in.hpp"

#include <cerrno>
#include <optional>
#include <string_view>

#include "scaup/error.hpp"

namespace scaup::server {

template <typename Read>
bool ClientBatches::ReadUntil(const Read& read) {
  while (!read()) {
    const std::optional<std::string_view> bytes = data_.Next();
    if (!bytes) {
      reader_.RequireEnd();
      return false;
    }
    reader_.Append(*bytes);
  }
  return true;
}

template <typename Work>
int ClientBatches::Answer(const Work& work) {
  try {
    Rethrow();
    work();
    return 0;
  } catch (...) {
    failure_ = std::current_exception();
    return EIO;
  }
}

void ClientBatches::Export(ArrowArrayStream* out) {
  *out = ArrowArrayStream{};
  out->get_schema = [](ArrowArrayStream* self, ArrowSchema* schema) {
    ClientBatches& batches = *static_cast<ClientBatches*>(self->private_data);
    *schema = ArrowSchema{};
    return batches.Answer([&] { batches.ReadUntil([&] { return batches.reader_.ReadSchema(schema); }); });
  };
  out->get_next = [](ArrowArrayStream* self, ArrowArray* array) {
    ClientBatches& batches = *static_cast<ClientBatches*>(self->private_data);
    *array = ArrowArray{};
    return batches.Answer([&] { batches.ReadUntil([&] { return batches.reader_.ReadBatch(array); }); });
  };
  out->get_last_error = [](ArrowArrayStream*) -> const char* { return "COPY FROM STDIN has failed"; };
  out->release = [](ArrowArrayStream* self) { self->release = nullptr; };
  out->private_data = this;
}

}  // namespace scaup::server
