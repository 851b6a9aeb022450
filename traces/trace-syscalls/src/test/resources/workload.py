"""Programs whose input and output is known: workload.py NAME DIRECTORY.

Each leaves in DIRECTORY-io what the kernel counted between two looks: rchar, wchar, syscr, syscw.
"""
import fcntl
import mmap
import os
import sys
import threading

COUNTERS = ("rchar", "wchar", "syscr", "syscw")


def look():
    fd = os.open("/proc/self/io", os.O_RDONLY)
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


def main():
    name, directory = sys.argv[1:]
    before = look()
    globals()[name](directory)
    after = look()
    with open(directory + "-io", "w") as out:
        out.write(" ".join(str(b - a) for a, b in zip(before, after)))


main()
