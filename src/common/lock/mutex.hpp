// Mutexes, and words for what they guard, which clang checks in lint (test/tidy/check_locks.py).
#pragma once

#include <mutex>
#include <shared_mutex>

// The words are clang's attributes. They change no code; other compilers see nothing.
#if defined(__clang__)
#define SCAUP_THREAD_SAFETY(attribute) __attribute__((attribute))
#else
#define SCAUP_THREAD_SAFETY(attribute)
#endif

/// On a member: it is read and written with the mutex held. A shared lock suffices to read.
#define SCAUP_GUARDED_BY(mutex) SCAUP_THREAD_SAFETY(guarded_by(mutex))
/// On a pointer: what it points to is guarded; the pointer itself is not.
#define SCAUP_POINTEE_GUARDED_BY(mutex) SCAUP_THREAD_SAFETY(pt_guarded_by(mutex))
/// On a function: the caller holds the mutex, or holds it at least shared.
#define SCAUP_REQUIRES_LOCK(...) SCAUP_THREAD_SAFETY(requires_capability(__VA_ARGS__))
#define SCAUP_REQUIRES_SHARED_LOCK(...) SCAUP_THREAD_SAFETY(requires_shared_capability(__VA_ARGS__))
/// On a function: the caller does not hold the mutex, as the function takes it.
#define SCAUP_EXCLUDES(...) SCAUP_THREAD_SAFETY(locks_excluded(__VA_ARGS__))
/// On a function whose locking the analysis cannot follow. A comment there says why.
#define SCAUP_NO_THREAD_SAFETY_ANALYSIS SCAUP_THREAD_SAFETY(no_thread_safety_analysis)

// For the classes of this file and of condition_variable.hpp.
#define SCAUP_LOCKABLE SCAUP_THREAD_SAFETY(capability("mutex"))
#define SCAUP_SCOPED_LOCK SCAUP_THREAD_SAFETY(scoped_lockable)
#define SCAUP_ACQUIRES(...) SCAUP_THREAD_SAFETY(acquire_capability(__VA_ARGS__))
#define SCAUP_ACQUIRES_SHARED(...) SCAUP_THREAD_SAFETY(acquire_shared_capability(__VA_ARGS__))
#define SCAUP_TRY_ACQUIRES(result) SCAUP_THREAD_SAFETY(try_acquire_capability(result))
#define SCAUP_RELEASES(...) SCAUP_THREAD_SAFETY(release_capability(__VA_ARGS__))
#define SCAUP_RELEASES_SHARED(...) SCAUP_THREAD_SAFETY(release_shared_capability(__VA_ARGS__))
#define SCAUP_RELEASES_ANY(...) SCAUP_THREAD_SAFETY(release_generic_capability(__VA_ARGS__))
#define SCAUP_ASSERTS_LOCK SCAUP_THREAD_SAFETY(assert_capability())
#define SCAUP_ASSERTS_SHARED_LOCK SCAUP_THREAD_SAFETY(assert_shared_capability())

namespace scaup {

/// std::mutex with the words above, and as fast. A member of what it guards; it must outlive every lock of
/// it. Any thread may lock it, and the same thread unlocks it. Not recursive.
class SCAUP_LOCKABLE Mutex {
 public:
  Mutex() = default;
  Mutex(const Mutex&) = delete;
  Mutex& operator=(const Mutex&) = delete;

  void Lock() SCAUP_ACQUIRES() { native_.lock(); }
  void Unlock() SCAUP_RELEASES() { native_.unlock(); }
  bool TryLock() SCAUP_TRY_ACQUIRES(true) { return native_.try_lock(); }
  /// Tells the analysis that the caller holds the mutex, where it cannot know: in a lambda, or where another
  /// object's mutex is meant. Checks nothing, and compiles to nothing.
  void AssertHeld() const SCAUP_ASSERTS_LOCK {}

 private:
  friend class ConditionVariable;
  std::mutex native_;
};

/// std::shared_mutex with the words above: many readers or one writer. Ownership and threads as with Mutex.
class SCAUP_LOCKABLE SharedMutex {
 public:
  SharedMutex() = default;
  SharedMutex(const SharedMutex&) = delete;
  SharedMutex& operator=(const SharedMutex&) = delete;

  void Lock() SCAUP_ACQUIRES() { native_.lock(); }
  void Unlock() SCAUP_RELEASES() { native_.unlock(); }
  void LockShared() SCAUP_ACQUIRES_SHARED() { native_.lock_shared(); }
  void UnlockShared() SCAUP_RELEASES_SHARED() { native_.unlock_shared(); }
  /// These work as in Mutex.
  void AssertHeld() const SCAUP_ASSERTS_LOCK {}
  void AssertHeldShared() const SCAUP_ASSERTS_SHARED_LOCK {}

 private:
  std::shared_mutex native_;
};

/// Holds a mutex for the lifetime of the object, which is a local variable.
class SCAUP_SCOPED_LOCK MutexLock {
 public:
  explicit MutexLock(Mutex& mutex) SCAUP_ACQUIRES(mutex) : mutex_(mutex) { mutex_.Lock(); }
  /// Takes over a lock that the caller has, as from TryLock.
  MutexLock(Mutex& mutex, std::adopt_lock_t) SCAUP_REQUIRES_LOCK(mutex) : mutex_(mutex) {}
  ~MutexLock() SCAUP_RELEASES() { mutex_.Unlock(); }
  MutexLock(const MutexLock&) = delete;
  MutexLock& operator=(const MutexLock&) = delete;

 private:
  Mutex& mutex_;
};

/// A MutexLock that can let go of its mutex before its end, and take it again.
class SCAUP_SCOPED_LOCK ReleasableMutexLock {
 public:
  explicit ReleasableMutexLock(Mutex& mutex) SCAUP_ACQUIRES(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~ReleasableMutexLock() SCAUP_RELEASES() {
    if (is_held_) mutex_.Unlock();
  }
  ReleasableMutexLock(const ReleasableMutexLock&) = delete;
  ReleasableMutexLock& operator=(const ReleasableMutexLock&) = delete;

  void Unlock() SCAUP_RELEASES() {
    mutex_.Unlock();
    is_held_ = false;
  }
  void Lock() SCAUP_ACQUIRES() {
    mutex_.Lock();
    is_held_ = true;
  }

 private:
  Mutex& mutex_;
  bool is_held_ = true;
};

/// Lets go of a mutex that the caller holds, for the lifetime of the object.
class SCAUP_SCOPED_LOCK MutexUnlock {
 public:
  explicit MutexUnlock(Mutex& mutex) SCAUP_RELEASES(mutex) : mutex_(mutex) { mutex_.Unlock(); }
  // The word says that it undoes what the constructor did.
  ~MutexUnlock() SCAUP_RELEASES() { mutex_.Lock(); }
  MutexUnlock(const MutexUnlock&) = delete;
  MutexUnlock& operator=(const MutexUnlock&) = delete;

 private:
  Mutex& mutex_;
};

/// Holds a SharedMutex together with other readers, for the lifetime of the object.
class SCAUP_SCOPED_LOCK ReaderLock {
 public:
  explicit ReaderLock(SharedMutex& mutex) SCAUP_ACQUIRES_SHARED(mutex) : mutex_(mutex) {
    mutex_.LockShared();
  }
  ~ReaderLock() SCAUP_RELEASES_ANY() { mutex_.UnlockShared(); }
  ReaderLock(const ReaderLock&) = delete;
  ReaderLock& operator=(const ReaderLock&) = delete;

 private:
  SharedMutex& mutex_;
};

/// Holds a SharedMutex alone, for the lifetime of the object.
class SCAUP_SCOPED_LOCK WriterLock {
 public:
  explicit WriterLock(SharedMutex& mutex) SCAUP_ACQUIRES(mutex) : mutex_(mutex) { mutex_.Lock(); }
  ~WriterLock() SCAUP_RELEASES() { mutex_.Unlock(); }
  WriterLock(const WriterLock&) = delete;
  WriterLock& operator=(const WriterLock&) = delete;

 private:
  SharedMutex& mutex_;
};

}  // namespace scaup
