// jsonb_path_exists, jsonb_path_match, jsonb_path_query and its forms, @? and @@.
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "common/throw.hpp"
#include "function/scalar/json/json_functions.hpp"
#include "function/scalar/json_path/path_evaluator.hpp"
#include "function/scalar/json_path/path_fault.hpp"
#include "function/text_account.hpp"
#include "type/packed_value.hpp"
#include "type/text/json_text.hpp"
#include "type/time/time_zone.hpp"

namespace scaup {
namespace {

using json_path::Flow;
using json_path::PathEvaluator;

/// A path and its evaluator, kept for runs of rows that share the path.
class CurrentPath {
 public:
  void UseZone(const json_path::PathZone& zone) { zone_ = zone; }
  PathEvaluator& Get(std::string_view text) {
    if (!text_ || *text_ != text) {
      path_ = json_path::ParsePath(text);
      evaluator_.emplace(path_);
      evaluator_->UseZone(zone_);
      text_ = text;
    }
    return *evaluator_;
  }

 private:
  std::optional<std::string> text_;
  json_path::Path path_;
  json_path::PathZone zone_;
  std::optional<PathEvaluator> evaluator_;
};

/// The arguments of a row: target, path, and if given variables and whether faults give NULL.
struct PathCall {
  PathEvaluator& evaluator;
  std::string_view target;
  std::string_view variables;
  bool is_silent;

  /// Returns false after a fault that is to be silent; what was found before it stays found.
  bool Run(json_path::ItemSink sink) const {
    if (evaluator.Run(target, variables, sink) != Flow::kFault) return true;
    if (!is_silent) Throw(evaluator.fault().sqlstate, evaluator.fault().message);
    return false;
  }
  [[noreturn]] static void Throw(const std::string& sqlstate, const std::string& message) {
    ThrowError(ErrorKind::kOutOfRange, sqlstate.c_str(), message);
  }
};

// Functions of a row. Fixed values are returned, texts and lists appended to `out`; nullopt and
// false are NULL.

struct PathExists {
  static std::optional<uint8_t> Get(const PathCall& call) {
    bool exists = false;
    const bool is_sound = call.Run([&](std::string_view) {
      exists = true;
      return call.evaluator.is_strict() ? Flow::kGoOn : Flow::kStop;
    });
    return is_sound ? std::optional<uint8_t>(exists) : std::nullopt;
  }
};

struct PathMatch {
  static std::optional<uint8_t> Get(const PathCall& call) {
    size_t count = 0;
    std::optional<uint8_t> answer;
    JsonKind kind = JsonKind::kString;
    call.Run([&](std::string_view item) {
      count++;
      kind = JsonKindOf(item);
      answer = item == "true";
      return Flow::kGoOn;
    });
    if (count == 1 && kind == JsonKind::kBoolean) return answer;
    const bool is_null = count == 1 && kind == JsonKind::kNull;
    if (!is_null && !call.is_silent) {
      PathCall::Throw(
          json_path::kNotSingle,
          "the SQL/JSON path must lead to a single boolean; jsonb_path_exists tells whether it leads "
          "to anything");
    }
    return std::nullopt;
  }
};

struct PathQuery {
  static bool Make(const PathCall& call, std::string& out) {
    call.Run([&](std::string_view item) {
      AppendStringSlot(item, out);
      return Flow::kGoOn;
    });
    return true;
  }
};

struct PathQueryArray {
  static bool Make(const PathCall& call, std::string& out) {
    out += '[';
    call.Run([&](std::string_view item) {
      if (out.size() > 1) out += ", ";
      out += item;
      return Flow::kGoOn;
    });
    out += ']';
    return true;
  }
};

struct PathQueryFirst {
  static bool Make(const PathCall& call, std::string& out) {
    bool is_found = false;
    call.Run([&](std::string_view item) {
      if (!std::exchange(is_found, true)) out = item;
      return Flow::kGoOn;
    });
    return is_found;
  }
};

template <typename Function>
concept IsFixedPathFunction = requires(const PathCall& call) {
  Function::Get(call);
};

void RequireObject(std::string_view variables) {
  if (JsonKindOf(variables) == JsonKind::kObject) return;
  ThrowError(ErrorKind::kOutOfRange, sqlstate::kInvalidParameterValue,
             "the variables of an SQL/JSON path must be a JSON object, as in '{\"least\": 10}'");
}

enum class PathMode : uint8_t {
  kPlain,
  kWithZone,  ///< of the functions with _tz
  kSilent,    ///< of the operators, whose faults give NULL
};

template <typename Function>
[[gnu::noinline]] void EvaluatePaths(const ScalarCall& call, DataChunk& arguments, Vector& result,
                                     PathMode mode) {
  const size_t count = arguments.size(), width = arguments.column_count();
  const auto targets = arguments.column(0).ViewAs<StringRef>(count);
  const auto paths = arguments.column(1).ViewAs<StringRef>(count);
  std::optional<TypedView<StringRef>> variables;
  std::optional<TypedView<uint8_t>> silent;
  if (width > 2) variables.emplace(arguments.column(2).ViewAs<StringRef>(count));
  if (width > 3) silent.emplace(arguments.column(3).ViewAs<uint8_t>(count));
  std::optional<TimeZoneConverter> zone;
  CurrentPath path;
  if (mode == PathMode::kWithZone) {
    zone.emplace(call.context.Zone());
    path.UseZone({&*zone, call.context.now_micros});
  }
  std::string bytes;
  TextAccount account(call.context);
  for (size_t row = 0; row < count; row++) {
    const bool has_null = !targets.IsValid(row) || !paths.IsValid(row) ||
                          (variables && !variables->IsValid(row)) || (silent && !silent->IsValid(row));
    if (has_null) {
      result.SetNull(row);
      continue;
    }
    const PathCall one{path.Get(paths[row].view()), targets[row].view(),
                       variables ? (*variables)[row].view() : std::string_view("{}"),
                       mode == PathMode::kSilent || (silent && (*silent)[row] != 0)};
    RequireObject(one.variables);
    if constexpr (IsFixedPathFunction<Function>) {
      const auto value = Function::Get(one);
      value ? void(result.MutableData<uint8_t>()[row] = *value) : result.SetNull(row);
    } else {
      bytes.clear();
      const bool has_value = Function::Make(one, bytes);
      account.Note(bytes);
      has_value ? void(result.MutableData<StringRef>()[row] = result.AddString(bytes)) : result.SetNull(row);
    }
  }
}

template <typename Function, PathMode kMode>
void PathKernel(const ScalarCall& call, DataChunk& arguments, Vector& result) {
  EvaluatePaths<Function>(call, arguments, result, kMode);
}

template <typename Function>
void AddPathFunction(ScalarFunctionList& list, const std::string& name, const LogicalType& type,
                     const char* description, const char* path) {
  const std::vector<LogicalType> types = {TypeId::kJsonb, TypeId::kVarchar, TypeId::kJsonb, TypeId::kBoolean};
  const std::vector<std::string> names = {"target", "path", "vars", "silent"};
  const std::string target = "'{\"a\": [1, 2, 3, 4]}'";
  const std::string arguments[] = {"", "", "", ", '{\"least\": 2}'", ", '{\"least\": 2}', true"};
  for (const bool has_zone : {false, true}) {
    const std::string full_name = name + (has_zone ? "_tz" : "");
    for (size_t width = 2; width <= 4; width++) {
      list.push_back({.name = full_name,
                      .argument_types = {types.begin(), types.begin() + static_cast<ptrdiff_t>(width)},
                      .return_type = type,
                      .kernel = has_zone ? &PathKernel<Function, PathMode::kWithZone>
                                         : &PathKernel<Function, PathMode::kPlain>,
                      .description = description,
                      .example = full_name + "(" + target + ", '" + path + "'" + arguments[width] + ")",
                      .volatility = has_zone ? Volatility::kStable : Volatility::kImmutable,
                      .returns_set = std::is_same_v<Function, PathQuery>});
    }
  }
}

}  // namespace

ScalarFunctionList JsonPathFunctions() {
  ScalarFunctionList list;
  AddPathFunction<PathExists>(list, "jsonb_path_exists", TypeId::kBoolean,
                              "Whether an SQL/JSON path leads to anything.", "$.a[*] ? (@ >= 2)");
  AddPathFunction<PathMatch>(list, "jsonb_path_match", TypeId::kBoolean,
                             "The boolean that an SQL/JSON path leads to.", "exists($.a[*] ? (@ >= 2))");
  AddPathFunction<PathQuery>(list, "jsonb_path_query", LogicalType::List(TypeId::kJsonb),
                             "A row for each value that an SQL/JSON path leads to.", "$.a[*] ? (@ >= 2)");
  AddPathFunction<PathQueryArray>(list, "jsonb_path_query_array", TypeId::kJsonb,
                                  "The values that an SQL/JSON path leads to, as an array.",
                                  "$.a[*] ? (@ >= 2)");
  AddPathFunction<PathQueryFirst>(list, "jsonb_path_query_first", TypeId::kJsonb,
                                  "The first value that an SQL/JSON path leads to.", "$.a[*] ? (@ >= 2)");
  const auto add_operator = [&](const char* name, ScalarKernel kernel, const char* description,
                                const char* example) {
    list.push_back({.name = name,
                    .argument_types = {TypeId::kJsonb, TypeId::kVarchar},
                    .return_type = TypeId::kBoolean,
                    .kernel = kernel,
                    .description = description,
                    .example = example});
  };
  add_operator("@?", &PathKernel<PathExists, PathMode::kSilent>,
               "The same as jsonb_path_exists; faults give NULL.",
               "JSONB '{\"a\": [1, 2]}' @? '$.a[*] ? (@ > 1)'");
  add_operator("@@", &PathKernel<PathMatch, PathMode::kSilent>,
               "The same as jsonb_path_match; faults give NULL.", "JSONB '{\"a\": [1, 2]}' @@ '$.a[*] > 1'");
  return list;
}

}  // namespace scaup
