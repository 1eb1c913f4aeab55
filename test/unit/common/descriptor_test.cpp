// Descriptor and ProcessOrigin: numbers from 3 on, closed on exec and in children made by fork.
#include "common/descriptor.hpp"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "common/process_origin.hpp"
#include "scaup/error.hpp"

using namespace scaup;

namespace {

/// What `work` gives in a child made by fork.
int InChild(const std::function<int()>& work) {
  const pid_t child = fork();
  if (child == 0) _exit(work());
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  REQUIRE(WIFEXITED(status));
  return WEXITSTATUS(status);
}

bool IsOpen(int number) { return fcntl(number, F_GETFD) != -1; }

}  // namespace

TEST_CASE("standard descriptors are left alone", "[common][descriptor]") {
  for (int closed = 1; closed < 8; closed++) {
    CHECK(InChild([&] {
            for (int number = 0; number < 3; number++) {
              if ((closed >> number) & 1) close(number);
            }
            const Descriptor file = Descriptor::Open("/proc/self/status", O_RDONLY);
            if (!file.is_open() || file.number() < 3) return 1;
            if ((fcntl(file.number(), F_GETFD) & FD_CLOEXEC) == 0) return 2;
            DIR* const directory = Descriptor::OpenDirectory("/");
            if (directory == nullptr || dirfd(directory) < 3) return 3;
            closedir(directory);
            for (int number = 0; number < 3; number++) {
              if (IsOpen(number) == (((closed >> number) & 1) != 0)) return 4;
            }
            return 0;
          }) == 0);
  }
}

TEST_CASE("a failure says why", "[common][descriptor]") {
  CHECK_FALSE(Descriptor::Open("/no/such/file", O_RDONLY).is_open());
  CHECK(errno == ENOENT);
}

TEST_CASE("children have none of their parent's descriptors", "[common][descriptor]") {
  std::vector<Descriptor> files;
  for (int i = 0; i < 200; i++) files.push_back(Descriptor::Open("/dev/null", O_RDONLY));
  files.erase(files.begin() + 50, files.begin() + 100);
  for (int i = 0; i < 20; i++) files.push_back(Descriptor::Open("/dev/null", O_RDONLY));
  CHECK(InChild([&] {
          for (const Descriptor& file : files) {
            if (IsOpen(file.number()) || !file.origin().IsInherited()) return 1;
          }
          // A file of the child may have the number of one of its parent's, which closes nothing here.
          const Descriptor own = Descriptor::Open("/dev/null", O_RDONLY);
          files.clear();
          return IsOpen(own.number()) && !own.origin().IsInherited() ? 0 : 2;
        }) == 0);
  for (const Descriptor& file : files) CHECK(IsOpen(file.number()));
}

TEST_CASE("what a parent made is not used and not destroyed in a child", "[common][fork]") {
  struct Counted {
    explicit Counted(int& count_in) : count(count_in) {}
    ~Counted() { count++; }
    int& count;
  };
  int count = 0;
  auto made = MakeSharedInProcess<Counted>(count);
  const ProcessOrigin origin;
  CHECK_FALSE(origin.IsInherited());
  CHECK_NOTHROW(origin.RequireOwn());
  CHECK(InChild([&] {
          made.reset();
          if (count != 0 || !origin.IsInherited()) return 1;
          try {
            origin.RequireOwn();
            return 2;
          } catch (const Error& error) {
            if (error.kind() != ErrorKind::kUsage) return 3;
          }
          MakeSharedInProcess<Counted>(count).reset();
          return count == 1 && !ProcessOrigin().IsInherited() ? 0 : 4;
        }) == 0);
  made.reset();
  CHECK(count == 1);
}
