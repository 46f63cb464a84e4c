/* Preloaded into a sidecar under trial. It makes every sync of a store's files last FERMATA_FSYNC_MS longer, logs their
 * writes and syncs with CLOCK_MONOTONIC to FERMATA_SYNC_LOG, and fails them while the file FERMATA_DISK_FAULT says so:
 * ENOSPC and EROFS for writes, EIO for syncs of the WAL. Written for 64-bit Linux; needs no rights. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return t.tv_sec * 1000000000LL + t.tv_nsec;
}

/* "wal" or "main" for a store's files, "temporary" for a file without a name, which SQLite may make somewhere else. The
 * shared memory and everything else are left alone. */
static const char *store_file(int fd) {
  char link[64], path[4096];
  snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0) return NULL;
  path[length] = 0;
  if (strstr(path, " (deleted)") != NULL) return "temporary";
  char *name = strstr(path, ".sqlite");
  if (name == NULL) return NULL;
  return strcmp(name, ".sqlite-wal") == 0 ? "wal" : strcmp(name, ".sqlite") == 0 ? "main" : NULL;
}

static int disk_says(const char *fault) {
  char found[16] = "";
  const char *file = getenv("FERMATA_DISK_FAULT");
  int fd = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
  if (fd < 0) return 0;
  if (read(fd, found, sizeof found - 1) < 0) found[0] = 0;
  close(fd);
  return strncmp(found, fault, strlen(fault)) == 0;
}

/* One write(2) a line with O_APPEND: lines of several threads never mix. */
static void log_line(const char *what, const char *file, long long begin, long long offset, long long length) {
  static int log = -2;
  char line[160];
  const char *name = getenv("FERMATA_SYNC_LOG");
  if (log == -2) log = name == NULL ? -1 : open(name, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0600);
  if (log < 0) return;
  int size = snprintf(line, sizeof line, "%s %s %lld %lld %lld %lld\n", what, file, begin, now(), offset, length);
  syscall(SYS_write, log, line, size);
}

static int slow_sync(const char *name, int fd) {
  int (*real)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  const char *file = store_file(fd), *ms = getenv("FERMATA_FSYNC_MS");
  if (file == NULL) return real(fd);
  if (strcmp(file, "wal") == 0 && disk_says("EIO")) { errno = EIO; return -1; }
  long long begin = now();
  if (ms != NULL) usleep(atoi(ms) * 1000);
  int result = real(fd);
  if (result == 0) log_line("sync", file, begin, 0, 0);
  return result;
}

static ssize_t logged_write(const char *name, int fd, const void *bytes, size_t length, off64_t offset) {
  ssize_t (*real)(int, const void *, size_t, off64_t) = (ssize_t (*)(int, const void *, size_t, off64_t))dlsym(RTLD_NEXT, name);
  const char *file = store_file(fd);
  if (file == NULL) return real(fd, bytes, length, offset);
  if (disk_says("ENOSPC")) { errno = ENOSPC; return -1; }
  if (disk_says("EROFS")) { errno = EROFS; return -1; }
  long long begin = now();
  ssize_t written = real(fd, bytes, length, offset);
  if (written > 0) log_line("write", file, begin, offset, written);
  return written;
}

int fsync(int fd) { return slow_sync("fsync", fd); }
int fdatasync(int fd) { return slow_sync("fdatasync", fd); }
ssize_t pwrite(int fd, const void *bytes, size_t length, off_t offset) { return logged_write("pwrite", fd, bytes, length, offset); }
ssize_t pwrite64(int fd, const void *bytes, size_t length, off64_t offset) { return logged_write("pwrite64", fd, bytes, length, offset); }
