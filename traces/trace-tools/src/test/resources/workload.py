"""Programs with known input and output: workload.py NAME DIRECTORY [COMMAND...].

Each writes into DIRECTORY-io the kernel's counts during its work: rchar, wchar, syscr, syscw. "command" writes the counts of
COMMAND and of the processes that COMMAND waited for. A program ends with 77 when this machine cannot run it.
"""
import ctypes
import fcntl
import mmap
import os
import struct
import sys
import threading

COUNTERS = ("rchar", "wchar", "syscr", "syscw")


CANNOT = 77


def look(process="self"):
    fd = os.open("/proc/%s/io" % process, os.O_RDONLY)
    text = os.read(fd, 4096).decode()
    os.close(fd)
    fields = dict(line.split(": ") for line in text.splitlines())
    return [int(fields[name]) for name in COUNTERS]


def write(path, size, flags=os.O_WRONLY | os.O_CREAT | os.O_TRUNC):
    fd = os.open(path, flags, 0o644)
    left = size
    while left:
        left -= os.write(fd, b"x" * min(left, 3000))
    os.close(fd)


def read(path, piece):
    fd = os.open(path, os.O_RDONLY)
    while os.read(fd, piece):
        pass
    os.close(fd)


def plain(d):
    write(d + "/a", 100_000)
    read(d + "/a", 7_000)


def threads(d):
    write(d + "/shared", 64_000)
    shared = os.open(d + "/shared", os.O_RDONLY)

    def work(number):
        write("%s/t%d" % (d, number), 10_000 + number)
        read("%s/t%d" % (d, number), 999)
        while os.read(shared, 100):
            pass

    all_threads = [threading.Thread(target=work, args=(n,)) for n in range(8)]
    for t in all_threads:
        t.start()
    for t in all_threads:
        t.join()
    os.close(shared)


def duplicates(d):
    fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o644)
    copies = [os.dup(fd), fcntl.fcntl(fd, fcntl.F_DUPFD, 50), os.dup2(fd, 77)]
    for copy in copies:
        os.write(copy, b"y" * 1_000)
    os.lseek(copies[0], 500, os.SEEK_SET)
    os.read(copies[1], 700)
    os.close(fd)
    os.read(77, 10_000)


def mapped(d):
    write(d + "/a", 100_000)
    fd = os.open(d + "/a", os.O_RDWR)
    memory = mmap.mmap(fd, 100_000)
    os.read(fd, 1_234)
    memory[5_000:5_003] = b"abc"
    memory.flush()
    memory.close()
    os.close(fd)


def sendfile(d):
    write(d + "/a", 50_000)
    source = os.open(d + "/a", os.O_RDONLY)
    target = os.open(d + "/b", os.O_WRONLY | os.O_CREAT, 0o644)
    os.sendfile(target, source, None, 20_000)
    os.sendfile(target, source, 45_000, 20_000)


def copy_file_range(d):
    write(d + "/a", 50_000)
    source = os.open(d + "/a", os.O_RDONLY)
    target = os.open(d + "/b", os.O_RDWR | os.O_CREAT, 0o644)
    os.copy_file_range(source, target, 20_000)
    os.copy_file_range(source, target, 20_000, 40_000, 5)


def vectors(d):
    fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT, 0o644)
    os.writev(fd, [b"a" * 100, b"b" * 200])
    os.pwritev(fd, [b"c" * 50, b"d" * 60], 1_000)
    os.preadv(fd, [bytearray(40), bytearray(50)], 10)
    os.lseek(fd, 0, os.SEEK_SET)
    os.readv(fd, [bytearray(500), bytearray(5_000)])
    os.pread(fd, 100, 1_050)
    os.pwrite(fd, b"e" * 10, 5_000)


def failures(d):
    fd = os.open(d + "/a", os.O_RDONLY | os.O_CREAT, 0o644)
    for call in (lambda: os.write(fd, b"x"), lambda: os.open(d + "/no", os.O_RDONLY), lambda: os.read(999, 1)):
        try:
            call()
        except OSError:
            pass
    os.read(fd, 10)


def forks(d):
    fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT, 0o644)
    os.write(fd, b"x" * 100)
    child = os.fork()
    if child == 0:
        os.write(fd, b"y" * 50)
        write(d + "/child", 7_000)
        os._exit(0)
    os.waitpid(child, 0)
    os.write(fd, b"z" * 25)
    os.spawnl(os.P_WAIT, "/bin/cp", "cp", d + "/child", d + "/copy")


def names(d):
    odd = d + "/a\nb\udcff\u00e9\\"
    write(odd, 10)
    os.rename(odd, d + "/plain")
    read(d + "/plain", 4)


def appends(d):
    write(d + "/a", 1_000)
    one = os.open(d + "/a", os.O_WRONLY | os.O_APPEND)
    other = os.open(d + "/a", os.O_RDWR | os.O_APPEND)
    for number in range(10):
        os.write(one if number % 2 else other, b"a" * (100 + number))
    os.lseek(other, 0, os.SEEK_SET)
    while os.read(other, 333):
        pass
    os.write(other, b"b" * 7)


def placed(d):
    fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT, 0o644)
    for number in range(50):
        os.pwrite(fd, b"p" * 512, number * 7_919 % 32_768)
    for number in range(50):
        os.pread(fd, 700, number * 104_729 % 65_536)
    os.write(fd, b"q" * 3)


def direct(d):
    try:
        fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT | os.O_DIRECT, 0o644)
        page = mmap.mmap(-1, 8_192)
        os.writev(fd, [page])
    except OSError:
        sys.exit(CANNOT)
    os.pwritev(fd, [page], 16_384)
    os.lseek(fd, 0, os.SEEK_SET)
    while os.readv(fd, [page]):
        pass


def tree(d):
    """Changes a tree in every way: names, links, lengths, files without names."""
    read(d + "/before/kept", 100)
    os.mkdir(d + "/made")
    write(d + "/made/a", 5_000)
    os.rename(d + "/before/moved", d + "/made/moved")
    os.rename(d + "/before", d + "/after")
    read(d + "/after/deep/file", 77)
    os.link(d + "/made/a", d + "/made/same")
    write(d + "/made/same", 300, os.O_WRONLY | os.O_APPEND)
    os.symlink("a", d + "/made/link")
    os.symlink(d + "/after/kept", d + "/made/absolute")
    read(d + "/made/absolute", 50)
    read(d + "/old-link", 50)
    os.unlink(d + "/after/gone")
    os.rmdir(d + "/after/empty")
    fd = os.open(d + "/made/grown", os.O_RDWR | os.O_CREAT, 0o644)
    os.ftruncate(fd, 70_000)
    os.pwrite(fd, b"x", 80_000)
    os.posix_fallocate(fd, 0, 90_000)
    os.fsync(fd)
    os.close(fd)
    os.truncate(d + "/made/grown", 60_001)
    write(d + "/made/new", 900)
    os.rename(d + "/made/new", d + "/after/kept")
    open_and_gone = os.open(d + "/made/temporary", os.O_RDWR | os.O_CREAT, 0o600)
    os.unlink(d + "/made/temporary")
    os.write(open_and_gone, b"t" * 4_000)
    os.lseek(open_and_gone, 0, os.SEEK_SET)
    os.read(open_and_gone, 9_000)
    os.listdir(d + "/after")
    for wrong in (
        lambda: os.open(d + "/none", os.O_RDONLY),
        lambda: os.mkdir(d + "/made"),
        lambda: os.rmdir(d + "/made"),
        lambda: os.unlink(d + "/after/deep"),
        lambda: os.open(d + "/made/a", os.O_WRONLY | os.O_CREAT | os.O_EXCL),
        lambda: os.listdir(d + "/made/a"),
        lambda: os.readlink(d + "/made/a"),
    ):
        try:
            wrong()
            sys.exit("what must fail did not")
        except OSError:
            pass


def kernel(number, *arguments):
    libc = ctypes.CDLL(None, use_errno=True)
    result = libc.syscall(number, *arguments)
    if result < 0:
        sys.exit(CANNOT)
    return result


def ring(d):
    """Three writes of 1000 bytes and a read of 500 through an io_uring, whose call numbers all machines share."""
    fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT, 0o644)
    parameters = ctypes.create_string_buffer(120)
    ring_fd = kernel(425, 8, parameters)
    head = struct.unpack_from("30I", parameters.raw)
    tail_at, mask_at, array_at = head[11], head[12], head[16]
    queue = mmap.mmap(ring_fd, array_at + 4 * head[0])
    entries = mmap.mmap(ring_fd, 64 * head[0], offset=0x10000000)
    memory = ctypes.create_string_buffer(b"r" * 1_000)
    requests = [(23, 0, 1_000), (23, 1_000, 1_000), (23, 2_000, 1_000), (22, 500, 500)]
    for opcode, offset, length in requests:
        tail = struct.unpack_from("I", queue, tail_at)[0]
        index = tail & struct.unpack_from("I", queue, mask_at)[0]
        entries[64 * index : 64 * index + 64] = struct.pack(
            "BBHiQQIIQ24x", opcode, 0, 0, fd, offset, ctypes.addressof(memory), length, 0, 0
        )
        struct.pack_into("I", queue, array_at + 4 * index, index)
        struct.pack_into("I", queue, tail_at, tail + 1)
        kernel(426, ring_fd, 1, 1, 1, None, 0)


def asynchronous(d):
    """A write of 1000 bytes and a read of 500 by io_submit; numbers of x86-64, else of arm64."""
    setup, submit, events = (206, 209, 208) if os.uname().machine == "x86_64" else (0, 2, 4)
    fd = os.open(d + "/a", os.O_RDWR | os.O_CREAT, 0o644)
    context = ctypes.c_ulong(0)
    kernel(setup, 8, ctypes.byref(context))
    memory = ctypes.create_string_buffer(b"s" * 1_000)
    done = ctypes.create_string_buffer(32)
    for opcode, offset, length in [(1, 100, 1_000), (0, 300, 500)]:
        request = ctypes.create_string_buffer(
            struct.pack("QIIHhIQQqQII", 0, 0, 0, opcode, 0, fd, ctypes.addressof(memory), length, offset, 0, 0, 0), 64
        )
        pointers = (ctypes.c_void_p * 1)(ctypes.addressof(request))
        kernel(submit, context, ctypes.c_long(1), pointers)
        kernel(events, context, ctypes.c_long(1), ctypes.c_long(1), done, None)


def command(d):
    child = os.fork()
    if child == 0:
        nothing = os.open("/dev/null", os.O_RDWR)
        os.dup2(nothing, 0)
        output = os.open(d + "-output", os.O_WRONLY | os.O_CREAT, 0o644)
        os.dup2(output, 1)
        os.dup2(output, 2)
        os.chdir(d)
        os.execv(sys.argv[3], sys.argv[3:])
    status = os.waitid(os.P_PID, child, os.WEXITED | os.WNOWAIT)
    # Until this process reaps it, the child still has its counts and those of the processes that it waited for.
    counted = look(child)
    os.waitpid(child, 0)
    leave(d, counted)
    sys.exit(status.si_status)


def leave(d, counted):
    with open(d + "-io", "w") as out:
        out.write(" ".join(map(str, counted)))


def main():
    name, directory = sys.argv[1:3]
    if name == "command":
        command(directory)
    before = look()
    globals()[name](directory)
    after = look()
    leave(directory, [b - a for a, b in zip(before, after)])


main()
