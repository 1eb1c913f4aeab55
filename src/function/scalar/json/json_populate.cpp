// json_populate_record and json_populate_recordset: JSON objects as structs of the type of another value,
// whose fields stand for members that are missing.
#include "common/stack_bound.hpp"
#include "common/throw.hpp"
#include "function/cast_function.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "type/json_nested.hpp"
#include "type/text/json_text.hpp"
#include "type/value_cast.hpp"

namespace scaup {
namespace {

/// Makes the values of a row. They are built one by one: such calls read a document, not columns of them.
class RecordMaker {
 public:
  RecordMaker(std::string_view name, const LogicalType& type, const TimeZone& zone)
      : name_(name), type_(type), zone_(zone) {}

  Value Make(std::string_view json, const Value& base) const { return Fill(json, type_, base); }

 private:
  Value Fill(std::string_view json, const LogicalType& type, const Value& base) const {
    CheckStack();
    if (JsonKindOf(json) != JsonKind::kObject) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
                 "cannot call " + std::string(name_) +
                     " on JSON that is no object where a record is wanted: " +
                     std::string(json.substr(0, kShownBytes)));
    }
    const std::vector<Value> before = base.is_null() ? std::vector<Value>() : base.GetElements();
    std::vector<Value> values;
    for (size_t i = 0; i < type.fields().size(); i++) {
      const StructField& field = type.fields()[i];
      Value old = before.empty() ? Value(field.type) : before[i];
      const auto member = JsonMember(json, field.name);
      values.push_back(member ? Convert(*member, field, old) : std::move(old));
    }
    return Value::Struct(type, values);
  }

  Value Convert(std::string_view json, const StructField& field, const Value& old) const {
    const JsonKind kind = JsonKindOf(json);
    if (kind == JsonKind::kNull) return Value(field.type);
    if (field.type.id() == TypeId::kStruct && !IsUnion(field.type) && kind == JsonKind::kObject)
      return Fill(json, field.type, old);
    Value value(field.type);
    if (field.type.IsNested()) {
      if (ParseJsonNested(json, field.type, value, &zone_)) return value;
      ThrowCastError(Value::Varchar(std::string(json)), field.type);
    }
    std::string text(json);
    if (!IsJson(field.type)) {
      text.clear();
      AppendJsonAsText(json, text);
    }
    if (!ParseValue(text, field.type, value, &zone_)) ThrowCastError(Value::Varchar(text), field.type);
    return value;
  }

  static constexpr size_t kShownBytes = 60;

  std::string_view name_;
  const LogicalType& type_;
  const TimeZone& zone_;
};

std::unique_ptr<FunctionData> BindPopulate(ScalarFunction& function,
                                           std::span<const BindArgument> arguments) {
  const LogicalType& record = arguments[0].type;
  if (record.id() != TypeId::kStruct || IsUnion(record)) {
    ThrowError(ErrorKind::kBinder, sqlstate::kDatatypeMismatch,
               "the first argument of " + function.name +
                   " must be a row, whose type the result has, as in NULL::t for a table t or "
                   "NULL::STRUCT(a INTEGER, b VARCHAR)");
  }
  function.return_type = function.returns_set ? LogicalType::List(record) : record;
  return nullptr;
}

void PopulateRecord(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const RecordMaker maker("json_populate_record", call.return_type, call.context.Zone());
  for (size_t row = 0; row < arguments.size(); row++) {
    const Value base = arguments.column(0).GetValue(row), json = arguments.column(1).GetValue(row);
    result.SetValue(row, json.is_null() ? base : maker.Make(json.GetString(), base));
  }
}

void PopulateRecords(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  const LogicalType& type = call.return_type.element();
  const RecordMaker maker("json_populate_recordset", type, call.context.Zone());
  for (size_t row = 0; row < arguments.size(); row++) {
    const Value base = arguments.column(0).GetValue(row), json = arguments.column(1).GetValue(row);
    if (json.is_null()) {
      result.SetNull(row);
      continue;
    }
    if (JsonKindOf(json.GetString()) != JsonKind::kArray) {
      ThrowError(ErrorKind::kConversion, sqlstate::kInvalidParameterValue,
                 "cannot call json_populate_recordset on JSON that is no array");
    }
    std::vector<Value> records;
    for (JsonIterator elements(json.GetString()); elements.Next();)
      records.push_back(maker.Make(elements.value(), base));
    result.SetValue(row, Value::List(type, records));
  }
}

}  // namespace

ScalarFunctionList JsonPopulateFunctions() {
  ScalarFunctionList list;
  for (const TypeId json : {TypeId::kJson, TypeId::kJsonb}) {
    const std::string prefix = json == TypeId::kJson ? "json" : "jsonb";
    for (const bool is_set : {false, true}) {
      const std::string name = prefix + (is_set ? "_populate_recordset" : "_populate_record");
      list.push_back({.name = name,
                      .argument_types = {kAnyType, json},
                      .return_type = kAnyType,
                      .kernel = is_set ? &PopulateRecords : &PopulateRecord,
                      .description = is_set
                                         ? "A row of the first argument's type for each object of an array."
                                         : "An object as a row of the first argument's type, whose fields "
                                           "stand for missing members.",
                      .example = name + "(NULL::STRUCT(a INTEGER, b VARCHAR), '" +
                                 (is_set ? "[{\"a\": 1}, {\"b\": \"x\"}]" : "{\"a\": 1}") + "')",
                      .bind = &BindPopulate,
                      .nulls = NullHandling::kSpecial,
                      .volatility = Volatility::kStable,
                      .any_types = true,
                      .returns_set = is_set});
    }
  }
  return list;
}

}  // namespace scaup
