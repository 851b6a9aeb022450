// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import io.packing.trace.bpf.KernelRecord;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A translation of the records of the kernel's programs to calls with arguments as strace prints them. */
final class KernelCalls {
    private static final int CURRENT_DIRECTORY = -100;
    private static final int MOST_ERRORS = 4095;
    /** The first error that restarts a call, which its program never sees. */
    private static final long FIRST_RESTART = 512;

    private static final long FILE_TYPE = 0xf000;
    private static final long RIGHTS = 0xfff;
    private static final long CLONE = 0x40049409L;
    private static final long CLONE_RANGE = 0x4020940dL;
    private static final int BUFFER = 16;
    // struct stat: 24:28 mode  48:56 size.  struct statx: 28:30 mode  40:48 size
    private static final int MODE_AT = 24;
    private static final int SIZE_AT = 48;
    private static final int EXTENDED_MODE_AT = 28;
    private static final int EXTENDED_SIZE_AT = 40;

    private final KernelNames names;
    /** Nanoseconds from the monotonic clock to that of the wall. */
    private final long wallOffset;

    private long unreadPaths;

    KernelCalls(KernelNames names, long wallOffset) {
        this.names = names;
        this.wallOffset = wallOffset;
    }

    /** Counts the paths that the programs could not read, since their memory was not there. */
    long unreadPaths() {
        return unreadPaths;
    }

    long wall(long monotonic) {
        return monotonic + wallOffset;
    }

    /** Returns the call of a record, whose monotonic times count from {@code start}. */
    SystemCall call(CallTable.Entry entry, KernelRecord record, long start) {
        return new SystemCall(
                record.thread(),
                wall(record.at()),
                record.at() - start,
                Math.max(0, record.end() - record.at()),
                entry.name(),
                arguments(entry, record),
                result(record.result()),
                List.of());
    }

    /** Returns a result: a number, or an error's below 0. */
    private CallResult result(long value) {
        if (value < -MOST_ERRORS || value >= 0) {
            return new CallResult(true, value, DescriptorName.UNKNOWN, "");
        }
        return new CallResult(-value < FIRST_RESTART, -1, DescriptorName.UNKNOWN, names.error(-value));
    }

    /** Returns the arguments of a call, also before its return. */
    Arguments arguments(CallTable.Entry entry, KernelRecord record) {
        List<String> texts = new ArrayList<>();
        boolean second = false;
        for (int i = 0; i < entry.kinds().size(); i++) {
            String kind = entry.kinds().get(i);
            if (kind.equals("path")) {
                texts.add(path(second ? record.secondPath() : record.firstPath(), record.argument(i)));
                second = true;
            } else {
                texts.add(text(kind, record, i));
            }
        }
        return new Arguments(texts);
    }

    private String path(Optional<String> path, long address) {
        if (path.isEmpty()) {
            unreadPaths += address == 0 ? 0 : 1;
            return address == 0 ? "NULL" : "0x" + Long.toHexString(address);
        }
        StringBuilder text = new StringBuilder("\"");
        path.get().chars().forEach(c -> {
            if (c < ' ' || c > '~' || c == '"' || c == '\\') {
                text.append("\\x%02x".formatted(c));
            } else {
                text.append((char) c);
            }
        });
        return text.append('"').toString();
    }

    private String text(String kind, KernelRecord record, int at) {
        long value = record.argument(at);
        return switch (kind) {
            case "dir" -> (int) value == CURRENT_DIRECTORY ? "AT_FDCWD" : Integer.toString((int) value);
            case "fd" -> Integer.toString((int) value);
            case "number", "offset_number" -> Long.toString(value);
            case "octal" -> "0" + Long.toOctalString(value & RIGHTS);
            case "hex" -> value == 0 ? "NULL" : "0x" + Long.toHexString(value);
            case "open" -> names.open(value);
            case "how" ->
                record.structure()
                        .map(how -> "{flags=" + names.open(how.getLong(0)) + "}")
                        .orElse("");
            case "clone_flags" -> cloning(value);
            case "clone_structure" ->
                record.structure()
                        .map(how -> "{" + cloning(how.getLong(0)) + "}")
                        .orElse("");
            case "buffers" -> buffers(record);
            case "offset" -> before(record.structure().map(number -> number.getLong(0)), record);
            case "offset2" -> before(record.secondNumber(), record);
            case "stat" ->
                record.structure()
                        .map(stat ->
                                "{st_mode=%s, st_size=%d}".formatted(mode(stat.getInt(MODE_AT)), stat.getLong(SIZE_AT)))
                        .orElse("");
            case "statx" ->
                record.structure()
                        .map(stat -> "{stx_mode=%s, stx_size=%d}"
                                .formatted(mode(stat.getShort(EXTENDED_MODE_AT)), stat.getLong(EXTENDED_SIZE_AT)))
                        .orElse("");
            case "control" -> control(record, value);
            case "clone" -> clone(record, value);
            case "protection" -> value == 0 ? "PROT_NONE" : names.flags(kind, value & 0xffffffffL);
            case "access" -> value == 0 ? "F_OK" : names.flags(kind, value & 0xffffffffL);
            default ->
                names.hasChoice(kind)
                        ? names.choice(kind, value & 0xffffffffL)
                        : names.flags(kind, value & 0xffffffffL);
        };
    }

    private String cloning(long flags) {
        return "flags=" + names.flags("clone", flags & 0xffffffffL);
    }

    /** Returns the offset behind a pointer, which the call has moved on. */
    private static String before(Optional<Long> after, KernelRecord record) {
        return after.map(offset -> "[" + (offset - Math.max(0, record.result())) + "]")
                .orElse("NULL");
    }

    private static String buffers(KernelRecord record) {
        Optional<ByteBuffer> structure = record.structure();
        if (structure.isEmpty()) {
            return "";
        }
        StringBuilder text = new StringBuilder("[");
        for (int at = 0; at + BUFFER <= structure.get().limit(); at += BUFFER) {
            text.append(at == 0 ? "" : ", ")
                    .append("{iov_len=")
                    .append(structure.get().getLong(at + Long.BYTES))
                    .append('}');
        }
        return text.append(']').toString();
    }

    private String mode(int mode) {
        return names.choice("file_type", mode & FILE_TYPE) + "|0" + Long.toOctalString(mode & RIGHTS);
    }

    /** Returns the last argument of {@code fcntl}, whose kind the command decides. */
    private String control(KernelRecord record, long value) {
        String command = names.choice("command", record.argument(1) & 0xffffffffL);
        if (command.contains("LK")) {
            return record.structure()
                    .map(lock -> "{l_type=" + names.choice("lock", lock.getShort(0)) + "}")
                    .orElse("");
        }
        return switch (command) {
            case "F_SETFD" -> (value & 1) == 0 ? "0" : "FD_CLOEXEC";
            case "F_SETFL" -> names.open(value);
            default -> Long.toString(value);
        };
    }

    /** Returns the last argument of {@code ioctl}, if it clones bytes. */
    private static String clone(KernelRecord record, long value) {
        long request = record.argument(1) & 0xffffffffL;
        if (request == CLONE) {
            return Integer.toString((int) value);
        }
        return request != CLONE_RANGE
                ? ""
                : record.structure()
                        .map(range -> "{src_fd=%d, src_offset=%d, src_length=%d, dest_offset=%d}"
                                .formatted(range.getLong(0), range.getLong(8), range.getLong(16), range.getLong(24)))
                        .orElse("");
    }
}
