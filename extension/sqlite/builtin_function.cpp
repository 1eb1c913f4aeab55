// SQLite's functions that the engine lacks or that differ there, and the conversions that the translator
// writes.
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <span>

#include "date_function.hpp"
#include "error.hpp"
#include "function.hpp"
#include "stored_value.hpp"
#include "token.hpp"

namespace scaup::sqlite {

namespace {

using Values = std::vector<SqliteValue>;
using Body = std::function<SqliteValue(const Values&)>;
using Volatility = FunctionDefinition::Volatility;

SqliteValue Text(std::string text) { return SqliteValue::MakeText(std::move(text)); }
SqliteValue Integer(int64_t integer) { return SqliteValue(integer); }

void SetResult(FunctionOutput& output, size_t row, const SqliteValue& value) {
  if (value.is_null()) {
    output.SetNull(row);
    return;
  }
  switch (output.type().id()) {
    case TypeId::kBigInt: output.SetValue(row, Value::BigInt(value.AsInteger())); break;
    case TypeId::kDouble: output.SetValue(row, Value::Double(value.AsReal())); break;
    case TypeId::kBoolean: output.SetValue(row, Value::Boolean(value.AsReal() != 0)); break;
    case TypeId::kVarchar: {
      std::string text = value.AsText();
      if (!IsText(text))
        throw MakeFunctionError(SQLITE_ERROR, "a text must be UTF-8 without NUL; keep other bytes in a BLOB");
      output.SetValue(row, Value::Varchar(std::move(text)));
      break;
    }
    case TypeId::kBlob: output.SetValue(row, Value::Blob(value.AsBytes())); break;
    default: output.SetValue(row, MakeDynamic(value)); break;
  }
}

/// Calls a function for every row. Its arguments are what sqlite_any() has made.
void CallRows(const Body& body, const QueryResult& arguments, FunctionOutput& output) {
  for (size_t row = 0; row < output.row_count(); row++) {
    Values values(arguments.column_count());
    for (size_t i = 0; i < values.size(); i++) {
      if (!arguments.IsNull(i, row)) values[i] = DecodeValue(arguments.GetString(i, row));
    }
    SetResult(output, row, body(values));
  }
}

FunctionDefinition MakeDefinition(const char* name, std::vector<LogicalType> arguments,
                                  const LogicalType& result) {
  FunctionDefinition definition;
  definition.name = name;
  definition.arguments = std::move(arguments);
  definition.result = result;
  definition.takes_nulls = true;
  return definition;
}

void AddRowFunction(Connection& engine, const char* name, int argument_count, const LogicalType& result,
                    Body body, Volatility volatility = Volatility::kImmutable) {
  const size_t count = argument_count < 0 ? 1 : static_cast<size_t>(argument_count);
  FunctionDefinition definition =
      MakeDefinition(name, std::vector<LogicalType>(count, TypeId::kBlob), result);
  definition.is_variadic = argument_count < 0;
  definition.volatility = volatility;
  definition.body = [body = std::move(body)](const QueryResult& arguments, FunctionOutput& output) {
    CallRows(body, arguments, output);
  };
  engine.CreateFunction(std::move(definition));
}

// Conversions that the translator writes.

/// sqlite_any(x): any value as bytes.
void AddAny(Connection& engine) {
  const LogicalType types[] = {TypeId::kBoolean, TypeId::kInteger,   TypeId::kBigInt,
                               TypeId::kHugeInt, TypeId::kDouble,    LogicalType::Decimal(38, 10),
                               TypeId::kVarchar, TypeId::kBlob,      TypeId::kDate,
                               TypeId::kTime,    TypeId::kTimestamp, TypeId::kTimestampTz,
                               DynamicType()};
  for (const LogicalType& type : types) {
    FunctionDefinition definition = MakeDefinition("sqlite_any", {type}, TypeId::kBlob);
    definition.body = [](const QueryResult& arguments, FunctionOutput& output) {
      for (size_t row = 0; row < output.row_count(); row++) {
        const SqliteValue value = SqliteValue::FromEngine(arguments, 0, row);
        output.SetValue(row, Value::Blob(EncodeValue(value)));
      }
    };
    engine.CreateFunction(std::move(definition));
  }
}

/// sqlite_row(a, b, ...): the arguments of one step of an aggregate as bytes.
void AddRow(Connection& engine) {
  FunctionDefinition definition = MakeDefinition("sqlite_row", {TypeId::kBlob}, TypeId::kBlob);
  definition.is_variadic = true;
  definition.body = [](const QueryResult& arguments, FunctionOutput& output) {
    for (size_t row = 0; row < output.row_count(); row++) {
      std::string bytes;
      for (size_t i = 0; i < arguments.column_count(); i++) {
        const std::string_view value =
            arguments.IsNull(i, row) ? std::string_view() : arguments.GetString(i, row);
        bytes += std::to_string(value.size()) + ":" + std::string(value);
      }
      output.SetValue(row, Value::Blob(bytes));
    }
  };
  engine.CreateFunction(std::move(definition));
}

/// sqlite_integer(x) and the like: what a value of any kind is, if it is of this kind.
void AddUnwrap(Connection& engine, const char* name, const LogicalType& result, const char* wanted,
               bool (*fits)(const SqliteValue&)) {
  FunctionDefinition definition = MakeDefinition(name, {DynamicType()}, result);
  definition.body = [wanted, fits](const QueryResult& arguments, FunctionOutput& output) {
    for (size_t row = 0; row < output.row_count(); row++) {
      const SqliteValue value = SqliteValue::FromEngine(arguments, 0, row);
      if (!value.is_null() && !fits(value)) throw WrongKindError(value, wanted);
      SetResult(output, row, value);
    }
  };
  engine.CreateFunction(std::move(definition));
}

void AddConversions(Connection& engine) {
  AddAny(engine);
  AddRow(engine);
  AddRowFunction(engine, "sqlite_dynamic", 1, DynamicType(), [](const Values& values) { return values[0]; });
  AddRowFunction(engine, "sqlite_numeric", 1, DynamicType(), [](const Values& values) {
    return StoreValue(Storage::kDynamic, Affinity::kNumeric, values[0]);
  });
  AddUnwrap(engine, "sqlite_integer", TypeId::kBigInt, "an integer",
            [](const SqliteValue& value) { return value.is_integer(); });
  AddUnwrap(engine, "sqlite_real", TypeId::kDouble, "a number",
            [](const SqliteValue& value) { return value.is_integer() || value.is_real(); });
  AddUnwrap(engine, "sqlite_text", TypeId::kVarchar, "a text",
            [](const SqliteValue& value) { return value.is_text(); });
  AddUnwrap(engine, "sqlite_blob", TypeId::kBlob, "a blob",
            [](const SqliteValue& value) { return value.is_blob(); });
  AddUnwrap(engine, "sqlite_boolean", TypeId::kBoolean, "a number",
            [](const SqliteValue& value) { return value.is_integer() || value.is_real(); });
  AddRowFunction(engine, "sqlite_store_integer", 1, TypeId::kBigInt, [](const Values& values) {
    return StoreValue(Storage::kInteger, Affinity::kBlob, values[0]);
  });
  AddRowFunction(engine, "sqlite_store_real", 1, TypeId::kDouble,
                 [](const Values& values) { return StoreValue(Storage::kReal, Affinity::kBlob, values[0]); });
  AddRowFunction(engine, "sqlite_store_text", 1, TypeId::kVarchar,
                 [](const Values& values) { return StoreValue(Storage::kText, Affinity::kBlob, values[0]); });
  AddRowFunction(engine, "sqlite_store_blob", 1, TypeId::kBlob,
                 [](const Values& values) { return StoreValue(Storage::kBlob, Affinity::kBlob, values[0]); });
}

// Functions of SQLite.

std::string ToHex(std::string_view bytes) {
  static constexpr char kDigits[] = "0123456789ABCDEF";
  std::string hex;
  for (const char c : bytes) {
    hex.push_back(kDigits[static_cast<unsigned char>(c) >> 4]);
    hex.push_back(kDigits[static_cast<unsigned char>(c) & 15]);
  }
  return hex;
}

size_t CharacterEnd(std::string_view text, size_t at) {
  at++;
  while (at < text.size() && (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80) at++;
  return at;
}

/// Returns where each character begins, and the end.
std::vector<size_t> Characters(std::string_view text, bool is_blob) {
  std::vector<size_t> begins;
  for (size_t at = 0; at < text.size(); at = is_blob ? at + 1 : CharacterEnd(text, at)) begins.push_back(at);
  begins.push_back(text.size());
  return begins;
}

SqliteValue Substring(const Values& values) {
  for (const SqliteValue& value : values) {
    if (value.is_null()) return SqliteValue();
  }
  if (values[0].is_blob()) throw WrongKindError(values[0], "a text");
  const std::string text = values[0].AsText();
  const std::vector<size_t> begins = Characters(text, false);
  const auto count = static_cast<int64_t>(begins.size()) - 1;
  int64_t start = values[1].AsInteger();
  int64_t length = values.size() > 2 ? std::min<int64_t>(values[2].AsInteger(), count + std::abs(start))
                                     : count + std::abs(start);
  length = std::max(length, -(count + std::abs(start)));
  // Positions count from 1, and from -1 at the end; a negative length takes what comes before.
  if (start > 0) {
    start--;
  } else if (start < 0) {
    start += count;
  } else if (length > 0 && values.size() > 2) {
    length--;
  }
  int64_t end = start + length;
  if (end < start) std::swap(start, end);
  start = std::min(std::max<int64_t>(start, 0), count);
  end = std::min(std::max<int64_t>(end, 0), count);
  const size_t first = begins[static_cast<size_t>(start)];
  return Text(text.substr(first, begins[static_cast<size_t>(end)] - first));
}

SqliteValue Round(const Values& values) {
  if (values[0].is_null() || (values.size() > 1 && values[1].is_null())) return SqliteValue();
  const double real = values[0].AsReal();
  const int64_t digits = values.size() > 1 ? std::clamp<int64_t>(values[1].AsInteger(), 0, 30) : 0;
  if (std::abs(real) >= 4503599627370496.0) return SqliteValue(real);
  if (digits == 0) return SqliteValue(std::trunc(real + (real < 0 ? -0.5 : 0.5)));
  // A half of the last digit is added, and the rest cut off, as SQLite does: 1.25 becomes 1.3, and 2.55
  // becomes 2.6.
  long double half = 0.5L;
  for (int64_t i = 0; i < digits; i++) half *= 0.1;
  if (digits + std::ilogb(real) / 3 < 15) half += std::abs(real) * 3e-16;
  const long double scale = std::pow(10.0L, static_cast<long double>(digits));
  const long double rounded = std::floor((std::abs(static_cast<long double>(real)) + half) * scale) / scale;
  return SqliteValue(static_cast<double>(real < 0 ? -rounded : rounded));
}

SqliteValue Extreme(const Values& values, bool wants_larger) {
  const SqliteValue* best = nullptr;
  for (const SqliteValue& value : values) {
    if (value.is_null()) return SqliteValue();
    if (best == nullptr || (EncodeValue(value) > EncodeValue(*best)) == wants_larger) best = &value;
  }
  return *best;
}

void AppendCharacter(int64_t code, std::string& text) {
  if (code < 0 || code > 0x10ffff) code = 0xfffd;
  const auto bits = static_cast<unsigned>(code);
  if (bits < 0x80) {
    text.push_back(static_cast<char>(bits));
  } else if (bits < 0x800) {
    text += {static_cast<char>(0xc0 | bits >> 6), static_cast<char>(0x80 | (bits & 63))};
  } else if (bits < 0x10000) {
    text += {static_cast<char>(0xe0 | bits >> 12), static_cast<char>(0x80 | (bits >> 6 & 63)),
             static_cast<char>(0x80 | (bits & 63))};
  } else {
    text += {static_cast<char>(0xf0 | bits >> 18), static_cast<char>(0x80 | (bits >> 12 & 63)),
             static_cast<char>(0x80 | (bits >> 6 & 63)), static_cast<char>(0x80 | (bits & 63))};
  }
}

int64_t CodeOf(std::string_view text) {
  const auto byte = [&](size_t at) { return static_cast<int64_t>(static_cast<unsigned char>(text[at])); };
  if (byte(0) < 0x80 || text.size() < 2) return byte(0);
  if (byte(0) < 0xe0) return (byte(0) & 31) << 6 | (byte(1) & 63);
  if (byte(0) < 0xf0 && text.size() > 2) return (byte(0) & 15) << 12 | (byte(1) & 63) << 6 | (byte(2) & 63);
  return text.size() < 4 ? byte(0)
                         : (byte(0) & 7) << 18 | (byte(1) & 63) << 12 | (byte(2) & 63) << 6 | (byte(3) & 63);
}

SqliteValue Instr(const Values& values) {
  if (values[0].is_null() || values[1].is_null()) return SqliteValue();
  const std::string text = values[0].AsBytes();
  const size_t at = text.find(values[1].AsBytes());
  if (at == std::string::npos) return Integer(0);
  const bool is_blob = values[0].is_blob() && values[1].is_blob();
  return Integer(static_cast<int64_t>(Characters(std::string_view(text).substr(0, at), is_blob).size()));
}

/// Makes a regular expression of a pattern of GLOB.
SqliteValue GlobPattern(const Values& values) {
  if (values[0].is_null()) return SqliteValue();
  const std::string glob = values[0].AsText();
  std::string pattern = "^";
  for (size_t i = 0; i < glob.size(); i++) {
    const size_t close = glob[i] == '[' ? glob.find(']', i + 2) : std::string::npos;
    if (glob[i] == '*') {
      pattern += "(.|\n)*";
    } else if (glob[i] == '?') {
      pattern += "(.|\n)";
    } else if (close != std::string::npos) {
      for (const char c : glob.substr(i, close - i + 1)) pattern += c == '\\' ? "\\\\" : std::string(1, c);
      i = close;
    } else {
      if (std::string_view("\\.[]{}()+-^$|").find(glob[i]) != std::string_view::npos) pattern.push_back('\\');
      pattern.push_back(glob[i]);
    }
  }
  return Text(pattern + "$");
}

/// Random bytes. Each call seeds a generator of its own, for functions run on any threads.
uint64_t RandomBits() {
  std::random_device device;
  return uint64_t{device()} << 32 | device();
}

SqliteValue RandomBlob(const Values& values) {
  std::string bytes(static_cast<size_t>(std::clamp<int64_t>(values[0].AsInteger(), 1, 1 << 30)), '\0');
  std::mt19937_64 generator(RandomBits());
  for (char& c : bytes) c = static_cast<char>(generator());
  return SqliteValue::MakeBlob(std::move(bytes));
}

SqliteValue ZeroBlob(const Values& values) {
  const int64_t size = std::max<int64_t>(values[0].AsInteger(), 0);
  if (size > 1000000000) throw MakeFunctionError(SQLITE_TOOBIG, "string or blob too big");
  return SqliteValue::MakeBlob(std::string(static_cast<size_t>(size), '\0'));
}

SqliteValue CastBlob(const Values& values) {
  return values[0].is_null() ? SqliteValue() : SqliteValue::MakeBlob(values[0].AsBytes());
}

SqliteValue CastNumeric(const Values& values) {
  const SqliteValue& value = values[0];
  if (value.is_null() || value.is_integer() || value.is_real()) return value;
  const double real = value.AsReal();
  const int64_t integer = value.AsInteger();
  return static_cast<double>(integer) == real ? Integer(integer) : SqliteValue(real);
}

SqliteValue Length(const Values& values) {
  if (values[0].is_null()) return SqliteValue();
  std::string text = values[0].AsBytes();
  if (values[0].is_text()) text.resize(std::min(text.size(), text.find('\0')));
  return Integer(static_cast<int64_t>(Characters(text, values[0].is_blob()).size()) - 1);
}

SqliteValue MakeCharacters(const Values& values) {
  std::string text;
  for (const SqliteValue& value : values) AppendCharacter(value.AsInteger(), text);
  return Text(text);
}

void AddTextFunctions(Connection& engine) {
  AddRowFunction(engine, "sqlite_hex", 1, TypeId::kVarchar,
                 [](const Values& values) { return Text(ToHex(values[0].AsBytes())); });
  AddRowFunction(engine, "sqlite_quote", 1, TypeId::kVarchar,
                 [](const Values& values) { return Text(values[0].AsSql()); });
  AddRowFunction(engine, "sqlite_typeof", 1, TypeId::kVarchar,
                 [](const Values& values) { return Text(values[0].TypeName()); });
  AddRowFunction(engine, "sqlite_instr", 2, TypeId::kBigInt, Instr);
  AddRowFunction(engine, "sqlite_substr", 2, TypeId::kVarchar, Substring);
  AddRowFunction(engine, "sqlite_substr", 3, TypeId::kVarchar, Substring);
  AddRowFunction(engine, "sqlite_length", 1, TypeId::kBigInt, Length);
  AddRowFunction(engine, "sqlite_char", -1, TypeId::kVarchar, MakeCharacters);
  AddRowFunction(engine, "sqlite_unicode", 1, TypeId::kBigInt, [](const Values& values) {
    const std::string text = values[0].AsText();
    return text.empty() ? SqliteValue() : Integer(CodeOf(text));
  });
  AddRowFunction(engine, "sqlite_glob", 1, TypeId::kVarchar, GlobPattern);
  AddRowFunction(engine, "sqlite_zeroblob", 1, TypeId::kBlob, ZeroBlob);
  AddRowFunction(engine, "sqlite_randomblob", 1, TypeId::kBlob, RandomBlob, Volatility::kVolatile);
}

void AddNumberFunctions(Connection& engine) {
  AddRowFunction(engine, "sqlite_round", 1, TypeId::kDouble, Round);
  AddRowFunction(engine, "sqlite_round", 2, TypeId::kDouble, Round);
  AddRowFunction(engine, "sqlite_max", -1, DynamicType(),
                 [](const Values& values) { return Extreme(values, true); });
  AddRowFunction(engine, "sqlite_min", -1, DynamicType(),
                 [](const Values& values) { return Extreme(values, false); });
  AddRowFunction(engine, "sqlite_cast_integer", 1, TypeId::kBigInt, [](const Values& values) {
    return values[0].is_null() ? SqliteValue() : Integer(values[0].AsInteger());
  });
  AddRowFunction(engine, "sqlite_cast_real", 1, TypeId::kDouble, [](const Values& values) {
    return values[0].is_null() ? SqliteValue() : SqliteValue(values[0].AsReal());
  });
  AddRowFunction(engine, "sqlite_cast_text", 1, TypeId::kVarchar, [](const Values& values) {
    return values[0].is_null() ? SqliteValue() : Text(values[0].AsText());
  });
  AddRowFunction(engine, "sqlite_cast_blob", 1, TypeId::kBlob, CastBlob);
  AddRowFunction(engine, "sqlite_cast_numeric", 1, DynamicType(), CastNumeric);
}

void AddStateFunctions(Connection& engine, FunctionState& state) {
  const auto add = [&](const char* name, std::function<int64_t()> read) {
    FunctionDefinition definition = MakeDefinition(name, {}, TypeId::kBigInt);
    definition.volatility = Volatility::kVolatile;
    definition.body = [read = std::move(read)](const QueryResult&, FunctionOutput& output) {
      for (size_t row = 0; row < output.row_count(); row++) output.SetValue(row, Value::BigInt(read()));
    };
    engine.CreateFunction(std::move(definition));
  };
  add("sqlite_last_insert_rowid", [&state] { return state.last_rowid.load(); });
  add("sqlite_changes", [&state] { return state.changes.load(); });
  add("sqlite_total_changes", [&state] { return state.total_changes.load(); });
  add("sqlite_random", [] { return static_cast<int64_t>(RandomBits()); });
}

void AddDateFunctions(Connection& engine) {
  using Convert = SqliteValue (*)(const Values&);
  static constexpr std::pair<const char*, Convert> kFunctions[] = {{"sqlite_date", &DateText},
                                                                   {"sqlite_time", &TimeText},
                                                                   {"sqlite_datetime", &DateTimeText},
                                                                   {"sqlite_strftime", &FormattedTime}};
  for (const auto& [name, body] : kFunctions) {
    // 'now' is the same within a statement, not longer.
    AddRowFunction(engine, name, -1, TypeId::kVarchar, body, Volatility::kStable);
  }
  AddRowFunction(engine, "sqlite_julianday", -1, TypeId::kDouble, &JulianDay, Volatility::kStable);
  AddRowFunction(engine, "sqlite_unixepoch", -1, TypeId::kBigInt, &UnixEpoch, Volatility::kStable);
}

}  // namespace

void FunctionRegistry::AddBuiltins(Connection& engine, FunctionState& state) {
  AddConversions(engine);
  AddTextFunctions(engine);
  AddNumberFunctions(engine);
  AddDateFunctions(engine);
  AddStateFunctions(engine, state);
}

}  // namespace scaup::sqlite
