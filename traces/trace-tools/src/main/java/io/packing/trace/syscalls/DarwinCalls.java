// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A translation of the calls of Darwin, a Mac's kernel, to Linux calls with arguments as strace prints them. */
final class DarwinCalls {
    /** The calls with another name on Linux, without the variants that end in {@code _nocancel} or {@code 64}. */
    private static final Map<String, String> NAMES = Map.ofEntries(
            Map.entry("pread", "pread64"),
            Map.entry("pwrite", "pwrite64"),
            Map.entry("fstatat", "newfstatat"),
            Map.entry("getattrlist", "lstat"),
            Map.entry("fgetattrlist", "fstat"),
            Map.entry("getattrlistat", "newfstatat"),
            Map.entry("getdirentries", "getdents64"),
            Map.entry("getdirentriesattr", "getdents64"),
            Map.entry("getattrlistbulk", "getdents64"),
            Map.entry("access_extended", "access"),
            Map.entry("stat_extended", "stat"),
            Map.entry("lstat_extended", "lstat"),
            Map.entry("fstat_extended", "fstat"),
            Map.entry("open_extended", "open"),
            Map.entry("utimes", "utimensat"));

    /** The endings of a call's variants, which do the same work. */
    private static final List<String> ENDINGS = List.of("_nocancel", "64");

    private static final Set<String> KEEP = Set.of("pread64", "pwrite64", "getdents64", "fadvise64");

    private static final Map<Integer, String> ERRORS = Map.ofEntries(
            Map.entry(1, "EPERM"),
            Map.entry(2, "ENOENT"),
            Map.entry(4, "EINTR"),
            Map.entry(5, "EIO"),
            Map.entry(9, "EBADF"),
            Map.entry(13, "EACCES"),
            Map.entry(16, "EBUSY"),
            Map.entry(17, "EEXIST"),
            Map.entry(18, "EXDEV"),
            Map.entry(20, "ENOTDIR"),
            Map.entry(21, "EISDIR"),
            Map.entry(22, "EINVAL"),
            Map.entry(24, "EMFILE"),
            Map.entry(25, "ENOTTY"),
            Map.entry(28, "ENOSPC"),
            Map.entry(29, "ESPIPE"),
            Map.entry(30, "EROFS"),
            Map.entry(34, "ERANGE"),
            Map.entry(35, "EAGAIN"),
            Map.entry(45, "EOPNOTSUPP"),
            Map.entry(62, "ELOOP"),
            Map.entry(63, "ENAMETOOLONG"),
            Map.entry(66, "ENOTEMPTY"),
            Map.entry(69, "EDQUOT"),
            Map.entry(93, "ENODATA"));

    private record Bit(long mask, String name) {}

    private static final List<Bit> OPEN = List.of(
            new Bit(0x4, "O_NONBLOCK"),
            new Bit(0x8, "O_APPEND"),
            new Bit(0x10, "O_SHLOCK"),
            new Bit(0x20, "O_EXLOCK"),
            new Bit(0x80, "O_SYNC"),
            new Bit(0x100, "O_NOFOLLOW"),
            new Bit(0x200, "O_CREAT"),
            new Bit(0x400, "O_TRUNC"),
            new Bit(0x800, "O_EXCL"),
            new Bit(0x8000, "O_PATH"),
            new Bit(0x100000, "O_DIRECTORY"),
            new Bit(0x1000000, "O_CLOEXEC"));
    private static final List<Bit> PROTECTION =
            List.of(new Bit(1, "PROT_READ"), new Bit(2, "PROT_WRITE"), new Bit(4, "PROT_EXEC"));
    private static final List<Bit> MAPPING = List.of(
            new Bit(1, "MAP_SHARED"),
            new Bit(2, "MAP_PRIVATE"),
            new Bit(0x10, "MAP_FIXED"),
            new Bit(0x1000, "MAP_ANONYMOUS"));
    private static final List<Bit> LOCK =
            List.of(new Bit(1, "LOCK_SH"), new Bit(2, "LOCK_EX"), new Bit(4, "LOCK_NB"), new Bit(8, "LOCK_UN"));
    private static final List<String> WHENCE = List.of("SEEK_SET", "SEEK_CUR", "SEEK_END");

    private static final Map<Long, String> COMMANDS = Map.of(
            0L, "F_DUPFD",
            1L, "F_GETFD",
            2L, "F_SETFD",
            3L, "F_GETFL",
            4L, "F_SETFL",
            7L, "F_GETLK",
            8L, "F_SETLK",
            9L, "F_SETLKW",
            67L, "F_DUPFD_CLOEXEC");
    private static final long READ_ADVISE = 44;
    private static final long NO_CACHE = 48;
    private static final long FULL_SYNC = 51;
    private static final long CURRENT_DIRECTORY = -2;

    /** The beginnings of the names of calls that concern no file. */
    private static final List<String> OTHERS = List.of(
            "psynch_",
            "workq_",
            "bsdthread_",
            "kevent",
            "kdebug_",
            "mach_",
            "sig",
            "__",
            "sem_",
            "ulock_",
            "sysctl",
            "issetugid",
            "csops",
            "csrctl",
            "proc_",
            "process_",
            "thread_",
            "get",
            "shm_",
            "shared_region_",
            "necp_",
            "audit",
            "mac_",
            "os_fault",
            "abort_with",
            "terminate_",
            "crossarch_trap",
            "iopolicysys",
            "fsgetpath",
            "select",
            "posix_spawn",
            "exit",
            "mprotect",
            "munmap",
            "ioctl");

    /**
     * A call of Linux.
     *
     * @param name empty for a call that concerns no file
     */
    record Translated(String name, List<String> arguments) {
        boolean isOther() {
            return name.isEmpty();
        }
    }

    private DarwinCalls() {}

    /** Returns the name of an error. */
    static String error(int number) {
        return ERRORS.getOrDefault(number, "E" + number);
    }

    static Translated translate(String darwin, List<String> given) {
        List<String> arguments = new ArrayList<>();
        given.forEach(argument -> arguments.add(argument.replaceFirst("\\\\0\"$", "\"")));
        String plain = plain(darwin);
        String name = NAMES.getOrDefault(plain, plain);
        switch (name) {
            case "open" -> replace(arguments, 1, flags -> openFlags(flags));
            case "openat" -> {
                directory(arguments, 0);
                replace(arguments, 2, flags -> openFlags(flags));
            }
            case "newfstatat", "faccessat", "mkdirat", "unlinkat", "readlinkat", "fchmodat" -> directory(arguments, 0);
            case "lseek" -> replace(arguments, 2, at -> at >= 0 && at < WHENCE.size() ? WHENCE.get((int) at) : "" + at);
            case "flock" -> replace(arguments, 1, flags -> names(flags, LOCK));
            case "mmap" -> {
                replace(arguments, 2, flags -> names(flags, PROTECTION));
                replace(arguments, 3, flags -> names(flags, MAPPING));
            }
            case "utimensat" -> arguments.add(0, "AT_FDCWD");
            case "renameat" -> {
                directory(arguments, 0);
                directory(arguments, 2);
            }
            case "fcntl" -> {
                return control(arguments);
            }
            case "exchangedata" -> {
                return exchange(arguments);
            }
            case "renameatx_np" -> {
                directory(arguments, 0);
                directory(arguments, 2);
                replaceText(arguments, 4, DarwinCalls::renameFlags);
                return new Translated("renameat2", arguments);
            }
            default -> {
                if (isOther(name)) {
                    return new Translated("", List.of());
                }
            }
        }
        return new Translated(name, arguments);
    }

    private static String plain(String darwin) {
        String name = darwin;
        for (String ending : ENDINGS) {
            if (name.endsWith(ending) && !KEEP.contains(name)) {
                name = name.substring(0, name.length() - ending.length());
            }
        }
        return name;
    }

    private static boolean isOther(String name) {
        boolean ofFiles = name.startsWith("getxattr") || name.startsWith("getdents");
        return !ofFiles && OTHERS.stream().anyMatch(name::startsWith);
    }

    private static Translated control(List<String> arguments) {
        long command = new Arguments(arguments).number(1);
        String descriptor = new Arguments(arguments).text(0);
        if (command == READ_ADVISE) {
            return new Translated("fadvise64", List.of(descriptor, "0", "0", "POSIX_FADV_WILLNEED"));
        }
        if (command == NO_CACHE) {
            boolean off = new Arguments(arguments).number(2) == 0;
            return new Translated(
                    "fadvise64", List.of(descriptor, "0", "0", off ? "POSIX_FADV_NORMAL" : "POSIX_FADV_DONTNEED"));
        }
        if (command == FULL_SYNC) {
            return new Translated("fsync", List.of(descriptor));
        }
        replaceText(
                arguments, 1, text -> Optional.ofNullable(COMMANDS.get(command)).orElse(text));
        if (command == 2) {
            replace(arguments, 2, flag -> flag == 1 ? "FD_CLOEXEC" : "0");
        }
        if (command == 4) {
            replace(arguments, 2, flags -> openFlags(flags));
        }
        return new Translated("fcntl", arguments);
    }

    /** Translates an exchange of two files' contents. It stays unknown without the paths. */
    private static Translated exchange(List<String> arguments) {
        Arguments paths = new Arguments(arguments);
        return paths.path(0).isEmpty() || paths.path(1).isEmpty()
                ? new Translated("exchangedata", arguments)
                : new Translated(
                        "renameat2", List.of("AT_FDCWD", paths.text(0), "AT_FDCWD", paths.text(1), "RENAME_EXCHANGE"));
    }

    private static String renameFlags(String text) {
        List<String> flags = new ArrayList<>();
        if (text.contains("RENAME_SWAP")) {
            flags.add("RENAME_EXCHANGE");
        }
        if (text.contains("RENAME_EXCL")) {
            flags.add("RENAME_NOREPLACE");
        }
        return flags.isEmpty() ? "0" : String.join("|", flags);
    }

    private static void directory(List<String> arguments, int at) {
        replaceText(
                arguments, at, text -> (int) StraceNumbers.leading(text, 0) == CURRENT_DIRECTORY ? "AT_FDCWD" : text);
    }

    private static String openFlags(long flags) {
        String access = (flags & 3) == 0 ? "O_RDONLY" : (flags & 3) == 1 ? "O_WRONLY" : "O_RDWR";
        String others = names(flags, OPEN);
        return others.equals("0") ? access : access + "|" + others;
    }

    private static String names(long flags, List<Bit> bits) {
        List<String> names = bits.stream()
                .filter(bit -> (flags & bit.mask()) != 0)
                .map(Bit::name)
                .toList();
        return names.isEmpty() ? "0" : String.join("|", names);
    }

    private interface Flags {
        String of(long number);
    }

    private interface Text {
        String of(String text);
    }

    private static void replace(List<String> arguments, int at, Flags flags) {
        replaceText(arguments, at, text -> flags.of(StraceNumbers.leading(text, 0)));
    }

    private static void replaceText(List<String> arguments, int at, Text change) {
        if (at < arguments.size()) {
            arguments.set(at, change.of(arguments.get(at)));
        }
    }
}
