// Plan text: renders physical plans for EXPLAIN, as lines or as JSON.
#include "execution/plan/plan_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "common/stack_bound.hpp"

namespace scaup {
namespace {

std::string GroupDigits(uint64_t number) {
  std::string text = std::to_string(number);
  for (size_t i = text.size(); i > 3; i -= 3) text.insert(i - 3, ",");
  return text;
}

double Milliseconds(uint64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e6; }

std::string TimeText(uint64_t nanoseconds) { return fmt::format("{:.2f} ms", Milliseconds(nanoseconds)); }

/// Rounds the estimate. The cap avoids the undefined conversion of doubles beyond uint64_t.
uint64_t RoundedEstimate(const PhysicalOperator& node) {
  return static_cast<uint64_t>(std::round(std::min(node.estimated_rows, 1e18)));
}

/// Returns a node's details. Those that are known only after the run come last.
std::string MiB(size_t size_bytes) {
  return fmt::format("{:.1f} MiB", static_cast<double>(size_bytes) / (1 << 20));
}

std::vector<std::string> DetailsOf(const PhysicalOperator& node, const SharedState* shared) {
  std::vector<std::string> details = node.details;
  if (shared == nullptr) return details;
  const MemoryUse& memory = shared->profile.memory;
  if (memory.peak_bytes() != 0) {
    details.push_back(fmt::format("memory: at most {} of {} granted", MiB(memory.peak_bytes()),
                                  MiB(memory.granted_bytes())));
    if (memory.spilled_bytes() != 0)
      details.back() += fmt::format(", {} spilled", MiB(memory.spilled_bytes()));
  }
  for (std::string& detail : node.RunDetails(*shared)) details.push_back(std::move(detail));
  return details;
}

/// Returns a child's state; null for a child that did not run, such as an unused fallback.
const SharedState* ChildState(const SharedState* shared, size_t child) {
  const bool has_run = shared != nullptr && child < shared->children.size();
  return has_run ? shared->children[child].get() : nullptr;
}

void Render(const PhysicalOperator& node, const SharedState* shared, const std::string& first_prefix,
            const std::string& prefix, std::vector<std::string>& lines) {
  CheckStack();
  std::string head = first_prefix + node.name();
  std::vector<std::string> facts;
  if (node.estimated_rows >= 0) facts.push_back("~" + GroupDigits(RoundedEstimate(node)) + " rows");
  if (shared != nullptr) {
    facts.push_back(GroupDigits(shared->profile.rows.load()) + " rows");
    facts.push_back(TimeText(shared->profile.own_nanoseconds.load()));
  }
  if (!facts.empty()) head += fmt::format("  ({})", fmt::join(facts, ", "));
  lines.push_back(std::move(head));
  const std::string detail_prefix = prefix + (node.children.empty() ? "    " : "│   ");
  for (const std::string& detail : DetailsOf(node, shared)) lines.push_back(detail_prefix + detail);
  for (size_t i = 0; i < node.children.size(); i++) {
    const bool is_last = i + 1 == node.children.size();
    Render(*node.children[i], ChildState(shared, i), prefix + (is_last ? "└── " : "├── "),
           prefix + (is_last ? "    " : "│   "), lines);
  }
}

std::string JsonString(const std::string& text) {
  std::string json = "\"";
  for (const char c : text) {
    switch (c) {
      case '"': json += "\\\""; break;
      case '\\': json += "\\\\"; break;
      case '\n': json += "\\n"; break;
      case '\t': json += "\\t"; break;
      case '\r': json += "\\r"; break;
      default:
        if (static_cast<unsigned char>(c) < 0x20) {
          json += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        } else {
          json += c;
        }
    }
  }
  return json + "\"";
}

void RenderJson(const PhysicalOperator& node, const SharedState* shared, const std::string& indent,
                std::string& json) {
  CheckStack();
  const std::string inner = indent + "  ";
  std::vector<std::string> members{fmt::format("\"Node Type\": {}", JsonString(node.name()))};
  if (node.estimated_rows >= 0) members.push_back(fmt::format("\"Plan Rows\": {}", RoundedEstimate(node)));
  if (shared != nullptr) {
    members.push_back(fmt::format("\"Actual Rows\": {}", shared->profile.rows.load()));
    members.push_back(
        fmt::format("\"Actual Time\": {:.3f}", Milliseconds(shared->profile.own_nanoseconds.load())));
    if (const MemoryUse& memory = shared->profile.memory; memory.peak_bytes() != 0) {
      members.push_back(fmt::format("\"Granted Bytes\": {}", memory.granted_bytes()));
      members.push_back(fmt::format("\"Peak Bytes\": {}", memory.peak_bytes()));
      members.push_back(fmt::format("\"Spilled Bytes\": {}", memory.spilled_bytes()));
    }
  }
  std::vector<std::string> details;
  for (const std::string& detail : DetailsOf(node, shared)) details.push_back(JsonString(detail));
  if (!details.empty()) members.push_back(fmt::format("\"Details\": [{}]", fmt::join(details, ", ")));
  json += fmt::format("{{\n{}{}", inner, fmt::join(members, ",\n" + inner));
  if (!node.children.empty()) {
    json += fmt::format(",\n{}\"Plans\": [", inner);
    for (size_t i = 0; i < node.children.size(); i++) {
      if (i != 0) json += ", ";
      RenderJson(*node.children[i], ChildState(shared, i), inner, json);
    }
    json += "]";
  }
  json += fmt::format("\n{}}}", indent);
}

}  // namespace

std::vector<std::string> RenderPlan(const PhysicalOperator& root, const SharedState* shared,
                                    const RunSummary* run) {
  std::vector<std::string> lines;
  Render(root, shared, "", "", lines);
  if (run != nullptr) {
    lines.push_back(fmt::format("Total: {} on {} thread{}", TimeText(run->elapsed_nanoseconds),
                                run->thread_count, run->thread_count == 1 ? "" : "s"));
  }
  return lines;
}

std::string RenderPlanAsJson(const PhysicalOperator& root, const SharedState* shared, const RunSummary* run) {
  std::string json = "[\n  {\n    \"Plan\": ";
  RenderJson(root, shared, "    ", json);
  if (run != nullptr) {
    json += fmt::format(",\n    \"Execution Time\": {:.3f},\n    \"Threads\": {}",
                        Milliseconds(run->elapsed_nanoseconds), run->thread_count);
  }
  return json + "\n  }\n]";
}

}  // namespace scaup
