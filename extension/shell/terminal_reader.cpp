// Terminal reader: line editing and history by libedit.
#include <histedit.h>
#include <poll.h>
#include <termios.h>
#include <unistd.h>
#include <utf8proc.h>

#include <cerrno>
#include <cstdlib>
#include <stdexcept>

#include "line_reader.hpp"

namespace scaup::shell {

namespace {

constexpr int kHistoryEntries = 2000;

std::wstring ToWide(const std::string& text) {
  std::wstring wide;
  for (size_t position = 0; position < text.size();) {
    utf8proc_int32_t code_point = 0;
    const utf8proc_ssize_t used =
        utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(text.data() + position),
                         static_cast<utf8proc_ssize_t>(text.size() - position), &code_point);
    wide += used > 0 ? static_cast<wchar_t>(code_point) : L'?';
    position += used > 0 ? static_cast<size_t>(used) : 1;
  }
  return wide;
}

std::string ToUtf8(const wchar_t* wide, size_t length) {
  std::string text;
  for (size_t i = 0; i < length; ++i) {
    utf8proc_uint8_t bytes[4];
    const utf8proc_ssize_t used = utf8proc_encode_char(static_cast<utf8proc_int32_t>(wide[i]), bytes);
    text.append(reinterpret_cast<const char*>(bytes), static_cast<size_t>(used > 0 ? used : 0));
  }
  return text;
}

std::string HistoryPath() {
  if (const char* path = std::getenv("SCAUP_HISTORY")) return path;
  if (const char* home = std::getenv("HOME")) return std::string(home) + "/.scaup_history";
  return {};
}

class TerminalReader : public LineReader {
 public:
  explicit TerminalReader(SignalWatcher& watcher) : watcher_(watcher), history_path_(HistoryPath()) {
    edit_ = el_init("scaup", stdin, stdout, stderr);
    if (edit_ == nullptr) throw std::runtime_error("the terminal cannot be set up for line editing");
    history_ = history_winit();
    HistEventW event;
    history_w(history_, &event, H_SETSIZE, kHistoryEntries);
    history_w(history_, &event, H_SETUNIQUE, 1);
    if (!history_path_.empty()) history_w(history_, &event, H_LOAD, history_path_.c_str());
    el_wset(edit_, EL_EDITOR, L"emacs");
    el_wset(edit_, EL_CLIENTDATA, this);
    el_wset(edit_, EL_PROMPT, &TerminalReader::Prompt);
    el_wset(edit_, EL_HIST, history_w, history_);
    el_wset(edit_, EL_GETCFN, &TerminalReader::ReadCharacter);
    // Ctrl-C must not flush the terminal's queue. Otherwise a read() could block forever on characters that
    // poll() has announced before.
    el_wset(edit_, EL_SETTY, L"-d", L"+noflsh", nullptr);
    el_wset(edit_, EL_BIND, L"^R", L"em-inc-search-prev", nullptr);
    el_wset(edit_, EL_BIND, L"\\e[3~", L"ed-delete-next-char", nullptr);
    el_source(edit_, nullptr);
  }

  ~TerminalReader() override {
    history_wend(history_);
    el_end(edit_);
  }

  LineEvent ReadLine(const char* prompt, std::string& line) override {
    prompt_ = ToWide(prompt);
    interrupted_ = false;
    el_resize(edit_);
    watcher_.SetPromptWaiting(true);
    // Raw mode is set before the prompt is shown. libedit sets it after, and would take a Ctrl-D that is
    // typed in between for a NUL.
    el_wset(edit_, EL_PREP_TERM, 1);
    int length = 0;
    const wchar_t* wide = el_wgets(edit_, &length);
    watcher_.SetPromptWaiting(false);
    if (interrupted_) {
      tcflush(STDIN_FILENO, TCIFLUSH);
      WriteOut("^C\n");
      return LineEvent::kInterrupted;
    }
    if (wide == nullptr || length <= 0) {
      WriteOut("\n");
      return LineEvent::kEnd;
    }
    line = ToUtf8(wide, static_cast<size_t>(length));
    if (!line.empty() && line.back() == '\n') line.pop_back();
    return LineEvent::kLine;
  }

  // Saves the history with each entry, so that nothing is lost however the shell ends.
  void AddHistory(const std::string& entry) override {
    HistEventW event;
    history_w(history_, &event, H_ENTER, ToWide(entry).c_str());
    if (!history_path_.empty()) history_w(history_, &event, H_SAVE, history_path_.c_str());
  }

 private:
  static TerminalReader* Self(EditLine* edit) {
    void* self = nullptr;
    el_wget(edit, EL_CLIENTDATA, &self);
    return static_cast<TerminalReader*>(self);
  }

  static wchar_t* Prompt(EditLine* edit) { return Self(edit)->prompt_.data(); }

  static void WriteOut(const char* text) {
    std::fputs(text, stdout);
    std::fflush(stdout);
  }

  // Reads one character, and handles the watcher's events meanwhile. Returns -1 to end the line.
  static int ReadCharacter(EditLine* edit, wchar_t* character) {
    TerminalReader* self = Self(edit);
    std::string bytes;
    while (true) {
      pollfd waits[2] = {{STDIN_FILENO, POLLIN, 0}, {self->watcher_.event_descriptor(), POLLIN, 0}};
      if (poll(waits, 2, -1) < 0 && errno != EINTR) return -1;
      if (waits[1].revents & POLLIN) {
        if (!self->HandleEvent()) return -1;
        continue;
      }
      if (!(waits[0].revents & (POLLIN | POLLHUP | POLLERR))) continue;
      char byte = 0;
      const ssize_t got = read(STDIN_FILENO, &byte, 1);
      if (got < 0 && (errno == EINTR || errno == EAGAIN)) continue;
      if (got <= 0) return static_cast<int>(got);
      bytes += byte;
      utf8proc_int32_t code_point = 0;
      const bool whole = utf8proc_iterate(reinterpret_cast<const utf8proc_uint8_t*>(bytes.data()),
                                          static_cast<utf8proc_ssize_t>(bytes.size()), &code_point) > 0;
      if (!whole && bytes.size() < 4 && (static_cast<unsigned char>(bytes[0]) & 0xC0) == 0xC0) continue;
      *character = whole ? static_cast<wchar_t>(code_point) : L'?';
      return 1;
    }
  }

  // Returns false if the event drops the line.
  bool HandleEvent() {
    char event = 0;
    if (read(watcher_.event_descriptor(), &event, 1) != 1) return true;
    if (event == 'i') {
      interrupted_ = true;
      return false;
    }
    if (event == 'c') el_wset(edit_, EL_PREP_TERM, 1);
    if (event == 'w') {
      // el_resize forgets the cursor's position, so the prompt is drawn again from the margin.
      WriteOut("\r\033[J");
      el_resize(edit_);
    }
    el_wset(edit_, EL_REFRESH);
    return true;
  }

  SignalWatcher& watcher_;
  std::string history_path_;
  EditLine* edit_ = nullptr;
  HistoryW* history_ = nullptr;
  std::wstring prompt_;
  bool interrupted_ = false;
};

}  // namespace

std::unique_ptr<LineReader> MakeTerminalReader(SignalWatcher& watcher) {
  return std::make_unique<TerminalReader>(watcher);
}

}  // namespace scaup::shell
