// document_put: replaces an element of an array in a document.
#include <fmt/format.h>

#include <optional>

#include "common/throw.hpp"
#include "function/scalar/document/document_functions.hpp"
#include "type/text/json_text.hpp"

namespace scaup {

namespace {

struct PutData final : FunctionData {
  std::string name;
};

struct Step {
  bool is_element = false;
  int64_t place = 0;
  std::string_view key;
};

class Putter {
 public:
  Putter(const std::string& name, std::span<const Step> steps, std::optional<std::string_view> value)
      : name_(name), steps_(steps), value_(value) {}

  /// Writes `json` with the change applied; "" means that there is no value.
  void Put(std::string_view json, size_t depth, std::string& out) const {
    if (depth == steps_.size()) {
      out += *value_;
    } else if (steps_[depth].is_element) {
      PutElement(json, depth, out);
    } else {
      PutMember(json, depth, out);
    }
  }

 private:
  [[noreturn]] void ThrowNoPlace(const std::string& reason) const {
    ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
               fmt::format("cannot set {}: {}", name_, reason));
  }

  void PutElement(std::string_view json, size_t depth, std::string& out) const {
    const bool is_array = !json.empty() && JsonKindOf(json) == JsonKind::kArray;
    if (!is_array) ThrowNoPlace("a document has no array there; leave such documents out");
    const auto length = static_cast<int64_t>(JsonLength(json));
    int64_t place = steps_[depth].place;
    if (place < 0) place += length;
    const bool is_appended = place == length && value_;
    if (place < 0 || (place >= length && !is_appended))
      ThrowNoPlace(fmt::format("an array has {} elements, counted from 0", length));
    const bool is_removed = depth + 1 == steps_.size() && !value_;
    bool is_first = true;
    const auto separate = [&] {
      if (!is_first) out += ',';
      is_first = false;
    };
    out += '[';
    int64_t at = 0;
    for (JsonIterator each(json); each.Next(); at++) {
      if (at == place && is_removed) continue;
      separate();
      if (at == place) {
        Put(each.value(), depth + 1, out);
      } else {
        out += each.value();
      }
    }
    if (is_appended) {
      separate();
      Put({}, depth + 1, out);
    }
    out += ']';
  }

  void PutMember(std::string_view json, size_t depth, std::string& out) const {
    const bool is_missing = json.empty() || JsonKindOf(json) == JsonKind::kNull;
    if (!is_missing && JsonKindOf(json) != JsonKind::kObject)
      ThrowNoPlace(fmt::format("what has \"{}\" is no object in a document", steps_[depth].key));
    const bool is_last = depth + 1 == steps_.size();
    bool is_first = true, is_there = false;
    const auto begin = [&](std::string_view quoted_name) {
      if (!is_first) out += ',';
      is_first = false;
      out += quoted_name;
      out += ':';
    };
    out += '{';
    std::string name;
    if (!is_missing) {
      for (JsonIterator each(json); each.Next();) {
        name.clear();
        AppendJsonUnescaped(each.quoted_name(), name);
        const bool is_one = name == steps_[depth].key;
        if (is_one && is_last && !value_) continue;
        begin(each.quoted_name());
        if (is_one) {
          is_there = true;
          Put(each.value(), depth + 1, out);
        } else {
          out += each.value();
        }
      }
    }
    if (!is_there && value_) {
      std::string quoted;
      AppendJsonString(steps_[depth].key, quoted);
      begin(quoted);
      Put({}, depth + 1, out);
    }
    out += '}';
  }

  const std::string& name_;
  std::span<const Step> steps_;
  std::optional<std::string_view> value_;
};

void PutValues(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const auto& data = static_cast<const PutData&>(*call.data);
  const size_t count = arguments.size();
  const auto texts = arguments.column(0).ViewAs<StringRef>(count);
  const auto values = arguments.column(1).ViewAs<StringRef>(count);
  auto* out = result.MutableData<StringRef>();
  std::vector<Step> steps(arguments.column_count() - 2);
  std::string text;
  for (size_t row = 0; row < count; row++) {
    for (size_t i = 0; i < steps.size(); i++) {
      steps[i].is_element = arguments.column(i + 2).type().id() == TypeId::kBigInt;
      bool is_null = false;
      if (steps[i].is_element) {
        const auto places = arguments.column(i + 2).ViewAs<int64_t>(count);
        is_null = !places.IsValid(row);
        if (!is_null) steps[i].place = places[row];
      } else {
        steps[i].key = arguments.column(i + 2).ViewAs<StringRef>(count)[row].view();
      }
      if (is_null)
        ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
                   "the subscript of what is set must not be NULL");
    }
    std::optional<std::string_view> value;
    if (values.IsValid(row)) value = values[row].view();
    text.clear();
    Putter(data.name, steps, value).Put(texts.IsValid(row) ? texts[row].view() : "", 0, text);
    out[row] = result.AddString(text);
  }
}

}  // namespace

ResolvedScalar DocumentPutFunction(std::vector<LogicalType> steps, std::string name) {
  ScalarFunction function;
  function.name = "document_put";
  function.argument_types = {TypeId::kJson, TypeId::kJson};
  function.argument_types.insert(function.argument_types.end(), steps.begin(), steps.end());
  function.return_type = TypeId::kJson;
  function.kernel = &PutValues;
  function.nulls = NullHandling::kSpecial;
  auto data = std::make_shared<PutData>();
  data->name = std::move(name);
  return {std::move(function), std::move(data)};
}

}  // namespace scaup
