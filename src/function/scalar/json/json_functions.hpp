// The families of JSON and JSONB functions, for the registry.
#pragma once

#include "function/scalar/scalar_functions.hpp"

namespace scaup {

ScalarFunctionList JsonAccessFunctions();     ///< -> ->> #> #>>
ScalarFunctionList JsonConstructFunctions();  ///< to_json, json_build_object, json_build_array
ScalarFunctionList JsonInspectFunctions();    ///< json_typeof, json_array_length, ? and @>
ScalarFunctionList JsonModifyFunctions();     ///< || and -
ScalarFunctionList JsonSetFunctions();        ///< json_each, json_array_elements, json_object_keys

}  // namespace scaup
