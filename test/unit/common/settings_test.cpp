// Settings: every one is read from its own text again; bad text is refused.
#include "common/settings/settings.hpp"

#include <catch2/catch.hpp>

#include "scaup/error.hpp"

using namespace scaup;

TEST_CASE("byte sizes", "[common][settings]") {
  CHECK(ParseByteSize("0") == 0);
  CHECK(ParseByteSize("12345") == 12345);
  CHECK(ParseByteSize("9007199254740993") == 9007199254740993);
  CHECK(ParseByteSize(" 512MB ") == 512'000'000);
  CHECK(ParseByteSize("4GiB") == size_t{4} << 30);
  CHECK(ParseByteSize("1.5 kib") == 1536);
  CHECK(ParseByteSize("2tb") == 2'000'000'000'000);
  CHECK(ParseByteSize("100%") > ParseByteSize("50%"));
  for (const char* text : {"", "MB", "-1", "1XB", "1..2MB", "1e3", "99999999999999999999", "4 G B", "%"}) {
    INFO(text);
    CHECK_THROWS_AS(ParseByteSize(text), Error);
  }
}

TEST_CASE("the text of each setting can be set again", "[common][settings]") {
  Settings settings = DefaultSettings();
  settings.disabled_optimizers = {"top_n", "join_order"};
  settings.force_vector_kind = ForcedVectorKind::kDictionary;
  for (const SettingDefinition& setting : AllSettings()) {
    INFO(setting.name);
    const std::string text = setting.get(settings);
    setting.set(settings, text);
    CHECK(setting.get(settings) == text);
    CHECK(FindSetting(setting.name) == &setting);
    CHECK(std::string(setting.description).size() > 10);
  }
  CHECK(settings.disabled_optimizers == std::set<std::string>{"join_order", "top_n"});
}

TEST_CASE("settings are set by name", "[common][settings]") {
  Settings settings;
  FindSetting("threads")->set(settings, "3");
  CHECK(settings.threads == 3);
  FindSetting("MEMORY_LIMIT")->set(settings, "1GiB");
  CHECK(settings.memory_limit_bytes == size_t{1} << 30);
  CHECK(FindSetting("memory_limit")->get(settings) == "1GiB");
  FindSetting("kernel_level")->set(settings, "V3");
  CHECK(settings.kernel_level == "v3");
  FindSetting("force_partitions")->set(settings, "spilled");
  CHECK(settings.force_partitions == ForcedPartitions::kSpilled);
  FindSetting("force_memory_shortage")->set(settings, "12345678901");
  CHECK(settings.force_memory_shortage == 12345678901);
  FindSetting("force_vector_kind")->set(settings, "constant");
  CHECK(settings.force_vector_kind == ForcedVectorKind::kConstant);
  FindSetting("disabled_optimizers")->set(settings, " a, B ,,c");
  CHECK(settings.disabled_optimizers == std::set<std::string>{"a", "b", "c"});
  FindSetting("disabled_optimizers")->set(settings, "");
  CHECK(settings.disabled_optimizers.empty());
  FindSetting("temp_directory")->set(settings, " /fast disk/spill ");
  CHECK(settings.temp_directory == "/fast disk/spill");
  FindSetting("max_temp_directory_size")->set(settings, "10GiB");
  CHECK(settings.max_temp_directory_bytes == size_t{10} << 30);
  FindSetting("max_temp_directory_size")->set(settings, "0");
  CHECK(FindSetting("max_temp_directory_size")->get(settings) == "0B");
  CHECK(FindSetting("no_such") == nullptr);
}

TEST_CASE("settings of files", "[common][settings]") {
  Settings settings;
  const std::pair<const char*, const char*> encodings[] = {{"RLE", "run length"},
                                                           {"run_length", "run length"},
                                                           {"bitpacking", "frame of reference"},
                                                           {"uncompressed", "raw"},
                                                           {" Fsst ", "fsst"},
                                                           {"auto", "auto"},
                                                           {"alp", "alp"},
                                                           {"", "auto"},
                                                           {"Frame Of Reference", "frame of reference"},
                                                           {"constant", "constant"},
                                                           {"delta", "delta"},
                                                           {"dictionary", "dictionary"}};
  for (const auto& [text, name] : encodings) {
    FindSetting("force_compression")->set(settings, text);
    CHECK(FindSetting("force_compression")->get(settings) == name);
  }
  CHECK(FindSetting("force_compression")->get(Settings()) == "auto");
  CHECK(FindSetting("checkpoint_threshold")->get(settings) == "auto");
  FindSetting("wal_autocheckpoint")->set(settings, "1MiB");
  CHECK(settings.checkpoint_threshold_bytes == size_t{1} << 20);
  CHECK_THROWS_AS(FindSetting("checkpoint_threshold")->set(settings, "many"), Error);
  CHECK(settings.checkpoint_threshold_bytes == size_t{1} << 20);
  FindSetting("synchronous")->set(settings, "NORMAL");
  CHECK(settings.synchronous == SynchronousMode::kNormal);
  FindSetting("recovery_mode")->set(settings, "salvage");
  CHECK(settings.recovery_mode == RecoveryMode::kSalvage);
  FindSetting("access_mode")->set(settings, "read_only");
  CHECK(settings.access_mode == AccessMode::kReadOnly);
  CHECK(FindSetting("access_mode")->is_for_opening);
  CHECK(FindSetting("recovery_mode")->is_for_opening);
  CHECK_FALSE(FindSetting("threads")->is_for_opening);
}

TEST_CASE("bad values are refused and change nothing", "[common][settings]") {
  Settings settings;
  const std::pair<const char*, const char*> bad[] = {{"force_compression", "zip"},
                                                     {"synchronous", "extra"},
                                                     {"recovery_mode", ""},
                                                     {"access_mode", "readonly"},
                                                     {"threads", "0"},
                                                     {"threads", "two"},
                                                     {"threads", "-1"},
                                                     {"threads", "99999"},
                                                     {"memory_limit", "1B"},
                                                     {"kernel_level", "v9"},
                                                     {"force_vector_kind", ""},
                                                     {"force_memory_shortage", "on"},
                                                     {"max_expression_depth", "1"},
                                                     {"max_temp_directory_size", "50%"},
                                                     {"threads", "4 cores"},
                                                     {"max_expression_depth", "x"}};
  for (const auto& [name, text] : bad) {
    INFO(name << " = " << text);
    const SettingDefinition* setting = FindSetting(name);
    const std::string before = setting->get(settings);
    try {
      setting->set(settings, text);
      FAIL("no error");
    } catch (const Error& error) {
      CHECK(std::string(error.sqlstate()) == "22023");
      CHECK(error.message().find(name) != std::string::npos);
    }
    CHECK(setting->get(settings) == before);
  }
}

TEST_CASE("defaults fit the machine", "[common][settings]") {
  const Settings settings = DefaultSettings();
  CHECK(settings.threads >= 1);
  CHECK(settings.memory_limit_bytes >= size_t{64} << 20);
  CHECK(settings.memory_limit_bytes % (1 << 20) == 0);
}
