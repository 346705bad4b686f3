#include "harness/simulator/compute_thread.h"

#include <ATen/Parallel.h>
#include <unistd.h>

#include <condition_variable>
#include <deque>
#include <future>
#include <mutex>
#include <thread>

namespace neuroncheck::simulator {
namespace {

class ComputeThread {
 public:
  ComputeThread() : owner_(getpid()) {
    std::thread([this] { serve(); }).detach();
  }
  bool is_alive() const { return owner_ == getpid(); }

  std::future<void> submit(const std::function<void()>& work) {
    std::packaged_task<void()> task(work);
    std::future<void> done = task.get_future();
    {
      const std::lock_guard lock(mutex_);
      tasks_.push_back(std::move(task));
    }
    wake_.notify_one();
    return done;
  }

 private:
  void serve() {
    at::set_num_threads(1);
    while (true) {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return !tasks_.empty(); });
      std::packaged_task<void()> task = std::move(tasks_.front());
      tasks_.pop_front();
      lock.unlock();
      task();
    }
  }

  pid_t owner_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::deque<std::packaged_task<void()>> tasks_;
};

}  // namespace

void run_on_compute_thread(const std::function<void()>& work) {
  // Never destroyed: the thread serves until the process ends. A forked child has none and starts its own.
  static std::mutex mutex;
  static ComputeThread* thread = nullptr;
  std::unique_lock lock(mutex);
  if (thread == nullptr || !thread->is_alive()) thread = new ComputeThread;
  std::future<void> done = thread->submit(work);
  lock.unlock();
  done.get();
}

}  // namespace neuroncheck::simulator
