/* Faults on demand: what a process does to files below one folder is counted, and one operation goes wrong.
 *
 * Loaded with LD_PRELOAD, this stands between a program and the C library: Python, SQLite and whatever else is in the
 * process come through here.  `faults_arm` says which operation goes wrong and how; `faults_mark` counts something
 * that is no operation, such as a statement of SQL.  What is done is also written down, data and all, so that a power
 * cut can be played afterwards: see power.py.  tests/faults/injecting.py is the other end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

enum { READING = 1, NAMING = 2, WRITING = 4, SYNCING = 8, MARKING = 16, OPENING = 32 }; /* kinds of operations */
enum { NOTHING, KILL, KILL_HALFWAY, FAIL_ONCE, FAIL_FROM_THERE };                       /* what happens at one */

struct record { /* as power.py reads it, followed by the path, another path and the data */
    uint32_t kind, path_length, other_length, data_length;
    uint64_t inode, offset;
    char name[16];
};

static struct {
    char folder[PATH_MAX];
    size_t folder_length;
    long at, count;
    int kinds, action, error, log;
    uint64_t chance; /* the same in every try, so that the same operations leave the same bytes */
} armed = {.log = -1};

void faults_arm(const char *folder, int kinds, long at, int action, int error, int log)
{
    armed.count = 0;
    armed.chance = 0x9E3779B97F4A7C15;
    armed.at = at;
    armed.kinds = kinds;
    armed.action = action;
    armed.error = error;
    armed.log = log;
    snprintf(armed.folder, sizeof armed.folder, "%s/", folder);
    armed.folder_length = strlen(armed.folder);
}

long faults_disarm(void)
{
    armed.folder_length = 0;
    return armed.count;
}

static int is_ours(const char *path)
{
    return armed.folder_length && strncmp(path, armed.folder, armed.folder_length) == 0;
}

static const char *path_of(int fd, char *buffer)
{
    char link[64];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    ssize_t length = syscall(SYS_readlinkat, AT_FDCWD, link, buffer, PATH_MAX - 1);
    buffer[length > 0 ? length : 0] = 0;
    return buffer;
}

static const char *path_at(int folder, const char *path, char *buffer)
{
    char start[PATH_MAX];
    if (path[0] == '/') {
        snprintf(buffer, PATH_MAX, "%s", path);
        return buffer;
    }
    if (folder == AT_FDCWD) {
        if (syscall(SYS_getcwd, start, sizeof start) < 0)
            start[0] = 0;
    } else
        path_of(folder, start);
    snprintf(buffer, PATH_MAX, "%.2000s/%.2000s", start, path);
    return buffer;
}

static void note(int kind, const char *name, const char *path, const char *other, uint64_t inode, uint64_t offset,
                 const void *data, size_t length)
{
    if (armed.log < 0 || kind & (READING | OPENING))
        return;
    struct record record = {kind, strlen(path), other ? strlen(other) : 0, length, inode, offset, ""};
    snprintf(record.name, sizeof record.name, "%s", name);
    struct iovec parts[] = {{&record, sizeof record}, {(void *)path, record.path_length},
                            {(void *)(other ? other : ""), record.other_length}, {(void *)data, length}};
    syscall(SYS_writev, armed.log, parts, 4);
}

static void die(void)
{
    syscall(SYS_kill, getpid(), SIGKILL);
    for (;;)
        pause();
}

/* Whether the operation has to fail; errno says how.  The process may end here. */
static int goes_wrong(int kind, int *is_half)
{
    if (!(kind & armed.kinds))
        return 0;
    long number = __atomic_add_fetch(&armed.count, 1, __ATOMIC_SEQ_CST);
    if (armed.action == NOTHING || number < armed.at || (number > armed.at && armed.action != FAIL_FROM_THERE))
        return 0;
    if (armed.action == KILL)
        die();
    if (armed.action == KILL_HALFWAY) {
        *is_half = 1;
        return 0;
    }
    errno = armed.error;
    return 1;
}

void faults_mark(const char *what)
{
    int is_half = 0;
    if (!armed.folder_length)
        return;
    goes_wrong(MARKING, &is_half);
    note(MARKING, "mark", what, NULL, 0, 0, NULL, 0);
}

static uint64_t inode_of(int fd)
{
    struct stat found;
    return fstat(fd, &found) ? 0 : found.st_ino;
}

/* Opening. */

static int opened(int folder, const char *path, int flags, mode_t mode)
{
    char buffer[PATH_MAX];
    int is_half = 0, kind = flags & (O_WRONLY | O_RDWR) ? OPENING : READING;
    if (!armed.folder_length || !is_ours(path_at(folder, path, buffer)))
        return syscall(SYS_openat, folder, path, flags, mode);
    struct stat found;
    int is_there = syscall(SYS_newfstatat, AT_FDCWD, buffer, &found, 0) == 0;
    if (!is_there && !(flags & O_CREAT))
        return syscall(SYS_openat, folder, path, flags, mode);
    if ((!is_there && flags & O_CREAT) || (flags & O_TRUNC && found.st_size))
        kind = NAMING;
    if (goes_wrong(kind, &is_half))
        return -1;
    int fd = syscall(SYS_openat, folder, path, flags, mode);
    if (fd >= 0 && kind == NAMING)
        note(kind, is_there ? "truncate" : "create", buffer, NULL, inode_of(fd), 0, NULL, 0);
    return fd;
}

#define MODE                                        \
    mode_t mode = 0;                                \
    if (flags & (O_CREAT | O_TMPFILE)) {            \
        va_list more;                               \
        va_start(more, flags);                      \
        mode = va_arg(more, mode_t);                \
        va_end(more);                               \
    }
int open(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { MODE return opened(AT_FDCWD, path, flags | O_LARGEFILE, mode); }
int openat(int folder, const char *path, int flags, ...) { MODE return opened(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { MODE return opened(folder, path, flags, mode); }
int __open_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char *path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char *path, int flags) { return opened(folder, path, flags, 0); }
int __openat64_2(int folder, const char *path, int flags) { return opened(folder, path, flags, 0); }
int creat(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }
int creat64(const char *path, mode_t mode) { return opened(AT_FDCWD, path, O_CREAT | O_WRONLY | O_TRUNC, mode); }

/* Reading. */

static void draw(unsigned char *data, size_t length)
{
    while (length--) {
        armed.chance ^= armed.chance << 13;
        armed.chance ^= armed.chance >> 7;
        armed.chance ^= armed.chance << 17;
        *data++ = armed.chance >> 32;
    }
}

ssize_t getrandom(void *data, size_t length, unsigned flags)
{
    if (!armed.folder_length)
        return syscall(SYS_getrandom, data, length, flags);
    draw(data, length);
    return length;
}

static int is_chance(int fd)
{
    char buffer[PATH_MAX];
    return armed.folder_length && strcmp(path_of(fd, buffer), "/dev/urandom") == 0;
}

static int reads_wrong(int fd)
{
    char buffer[PATH_MAX];
    int is_half = 0;
    return armed.folder_length && armed.kinds & READING && is_ours(path_of(fd, buffer)) &&
           goes_wrong(READING, &is_half);
}

ssize_t read(int fd, void *data, size_t length)
{
    if (is_chance(fd)) {
        draw(data, length);
        return length;
    }
    return reads_wrong(fd) ? -1 : syscall(SYS_read, fd, data, length);
}
ssize_t __read_chk(int fd, void *data, size_t length, size_t most) { (void)most; return read(fd, data, length); }
ssize_t pread(int fd, void *data, size_t length, off_t offset)
{
    return reads_wrong(fd) ? -1 : syscall(SYS_pread64, fd, data, length, offset);
}
ssize_t pread64(int fd, void *data, size_t length, off_t offset) { return pread(fd, data, length, offset); }
ssize_t __pread_chk(int fd, void *data, size_t length, off_t offset, size_t most)
{
    (void)most;
    return pread(fd, data, length, offset);
}
ssize_t __pread64_chk(int fd, void *data, size_t length, off_t offset, size_t most)
{
    (void)most;
    return pread(fd, data, length, offset);
}

/* Writing.  An offset of -1 is where the file stands. */

static ssize_t written(int fd, const void *data, size_t length, off_t offset)
{
    char buffer[PATH_MAX];
    int is_half = 0;
    if (!armed.folder_length || !is_ours(path_of(fd, buffer)))
        return offset < 0 ? syscall(SYS_write, fd, data, length) : syscall(SYS_pwrite64, fd, data, length, offset);
    if (goes_wrong(WRITING, &is_half))
        return -1;
    size_t whole = is_half ? length / 2 : length;
    ssize_t done = offset < 0 ? syscall(SYS_write, fd, data, whole) : syscall(SYS_pwrite64, fd, data, whole, offset);
    if (is_half)
        die();
    if (done >= 0) {
        off_t start = offset < 0 ? lseek(fd, 0, SEEK_CUR) - done : offset;
        note(WRITING, "write", buffer, NULL, inode_of(fd), start, data, done);
    }
    return done;
}

ssize_t write(int fd, const void *data, size_t length) { return written(fd, data, length, -1); }
ssize_t pwrite(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }
ssize_t pwrite64(int fd, const void *data, size_t length, off_t offset) { return written(fd, data, length, offset); }
ssize_t writev(int fd, const struct iovec *parts, int count)
{
    ssize_t all = 0;
    for (int at = 0; at < count; at++) {
        ssize_t done = written(fd, parts[at].iov_base, parts[at].iov_len, -1);
        if (done < 0)
            return all ? all : -1;
        all += done;
        if ((size_t)done < parts[at].iov_len)
            break;
    }
    return all;
}

/* Copying within the kernel is refused, as some file systems do; whoever wants it copies by hand then. */
ssize_t sendfile(int out, int in, off_t *offset, size_t length)
{
    char buffer[PATH_MAX];
    if (armed.folder_length && is_ours(path_of(out, buffer))) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_sendfile, out, in, offset, length);
}
ssize_t sendfile64(int out, int in, off_t *offset, size_t length) { return sendfile(out, in, offset, length); }
ssize_t copy_file_range(int in, off_t *from, int out, off_t *to, size_t length, unsigned flags)
{
    char buffer[PATH_MAX];
    if (armed.folder_length && is_ours(path_of(out, buffer))) {
        errno = EINVAL;
        return -1;
    }
    return syscall(SYS_copy_file_range, in, from, out, to, length, flags);
}

int ftruncate(int fd, off_t length)
{
    char buffer[PATH_MAX];
    int is_half = 0;
    if (!armed.folder_length || !is_ours(path_of(fd, buffer)))
        return syscall(SYS_ftruncate, fd, length);
    if (goes_wrong(NAMING, &is_half))
        return -1;
    int failed = syscall(SYS_ftruncate, fd, length);
    if (!failed)
        note(NAMING, "truncate", buffer, NULL, inode_of(fd), length, NULL, 0);
    return failed;
}
int ftruncate64(int fd, off_t length) { return ftruncate(fd, length); }
int truncate(const char *path, off_t length)
{
    int fd = open(path, O_WRONLY), failed = fd < 0 ? -1 : ftruncate(fd, length);
    if (fd >= 0)
        close(fd);
    return failed;
}
int truncate64(const char *path, off_t length) { return truncate(path, length); }

static int allocated(int fd, off_t offset, off_t length)
{
    struct stat found;
    if (fstat(fd, &found))
        return -1;
    return found.st_size >= offset + length ? 0 : ftruncate(fd, offset + length);
}
int fallocate(int fd, int mode, off_t offset, off_t length)
{
    return mode ? syscall(SYS_fallocate, fd, mode, offset, length) : allocated(fd, offset, length);
}
int fallocate64(int fd, int mode, off_t offset, off_t length) { return fallocate(fd, mode, offset, length); }
int posix_fallocate(int fd, off_t offset, off_t length) { return allocated(fd, offset, length) ? errno : 0; }
int posix_fallocate64(int fd, off_t offset, off_t length) { return posix_fallocate(fd, offset, length); }

static int synced(int fd, long call)
{
    char buffer[PATH_MAX];
    int is_half = 0;
    if (!armed.folder_length)
        return syscall(call, fd);
    snprintf(buffer + strlen(path_of(fd, buffer)), 2, "/"); /* the folder itself is ours, too */
    if (!is_ours(buffer))
        return syscall(call, fd);
    buffer[strlen(buffer) - 1] = 0;
    if (goes_wrong(SYNCING, &is_half))
        return -1;
    int failed = syscall(call, fd);
    if (!failed)
        note(SYNCING, "sync", buffer, NULL, inode_of(fd), 0, NULL, 0);
    return failed;
}
int fsync(int fd) { return synced(fd, SYS_fsync); }
int fdatasync(int fd) { return synced(fd, SYS_fdatasync); }

/* Names. */

static int named(const char *what, int folder, const char *path, int other_folder, const char *other, long call,
                 long flags)
{
    char one[PATH_MAX], two[PATH_MAX] = "";
    int is_half = 0;
    path_at(folder, path, one);
    if (other)
        path_at(other_folder, other, two);
    int counts = armed.folder_length && (is_ours(one) || is_ours(two));
    struct stat found;
    if (counts && call != SYS_mkdirat && syscall(SYS_newfstatat, AT_FDCWD, one, &found, AT_SYMLINK_NOFOLLOW))
        counts = 0; /* nothing is there, so nothing can change */
    if (counts && call == SYS_mkdirat && syscall(SYS_newfstatat, AT_FDCWD, one, &found, 0) == 0)
        counts = 0;
    if (counts && goes_wrong(NAMING, &is_half))
        return -1;
    int failed = other ? syscall(call, folder, path, other_folder, other, flags) : syscall(call, folder, path, flags);
    if (counts && !failed) {
        if (call == SYS_mkdirat)
            syscall(SYS_newfstatat, AT_FDCWD, one, &found, 0);
        note(NAMING, what, one, two, found.st_ino, flags, NULL, 0);
    }
    return failed;
}

int rename(const char *old, const char *new)
{
    return named("rename", AT_FDCWD, old, AT_FDCWD, new, SYS_renameat2, 0);
}
int renameat(int folder, const char *old, int other, const char *new)
{
    return named("rename", folder, old, other, new, SYS_renameat2, 0);
}
int renameat2(int folder, const char *old, int other, const char *new, unsigned flags)
{
    return named(flags & 2 ? "exchange" : "rename", folder, old, other, new, SYS_renameat2, flags);
}
int link(const char *old, const char *new) { return named("link", AT_FDCWD, old, AT_FDCWD, new, SYS_linkat, 0); }
int linkat(int folder, const char *old, int other, const char *new, int flags)
{
    return named("link", folder, old, other, new, SYS_linkat, flags);
}
int unlink(const char *path) { return named("unlink", AT_FDCWD, path, 0, NULL, SYS_unlinkat, 0); }
int unlinkat(int folder, const char *path, int flags) { return named("unlink", folder, path, 0, NULL, SYS_unlinkat, flags); }
int rmdir(const char *path) { return named("unlink", AT_FDCWD, path, 0, NULL, SYS_unlinkat, AT_REMOVEDIR); }
int mkdir(const char *path, mode_t mode) { return named("mkdir", AT_FDCWD, path, 0, NULL, SYS_mkdirat, mode); }
int mkdirat(int folder, const char *path, mode_t mode) { return named("mkdir", folder, path, 0, NULL, SYS_mkdirat, mode); }
int remove(const char *path)
{
    struct stat found;
    if (syscall(SYS_newfstatat, AT_FDCWD, path, &found, AT_SYMLINK_NOFOLLOW))
        return -1;
    return S_ISDIR(found.st_mode) ? rmdir(path) : unlink(path);
}
