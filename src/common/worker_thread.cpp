// A thread of the library with a stack of known size.
#include "common/worker_thread.hpp"

#include <memory>
#include <system_error>

namespace scaup {

namespace {

void* Run(void* work) {
  const std::unique_ptr<std::function<void()>> owned(static_cast<std::function<void()>*>(work));
  (*owned)();
  return nullptr;
}

}  // namespace

WorkerThread::WorkerThread(std::function<void()> work) {
  auto owned = std::make_unique<std::function<void()>>(std::move(work));
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    error = pthread_attr_setstacksize(&attributes, kStackBytes);
    if (error == 0) error = pthread_create(&thread_, &attributes, &Run, owned.get());
    pthread_attr_destroy(&attributes);
  }
  if (error != 0) throw std::system_error(error, std::generic_category());
  owned.release();
  is_joinable_ = true;
}

void WorkerThread::join() {
  pthread_join(thread_, nullptr);
  is_joinable_ = false;
}

}  // namespace scaup
