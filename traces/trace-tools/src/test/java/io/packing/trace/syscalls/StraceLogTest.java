// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.TraceEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** A test of reading strace's lines: whole and damaged ones, of this recorder and of others. */
class StraceLogTest {
    @Test
    void aCallIsReadWithAllItsFields() {
        Logs.Read log = Logs.read(
                "77 1700000000.000001000 openat(AT_FDCWD</w>, \"a.txt\", O_RDWR|O_CREAT|O_TRUNC, 0644) = 3</w/a.txt> <0.000012345>",
                "77 1700000000.000100000 write(3</w/a.txt>, \"\"..., 100) = 60 <0.000002000>");
        TraceEvent open = log.only("sys_openat");
        assertThat(open.path()).isEqualTo("/w/a.txt");
        assertThat(open.descriptor()).isEqualTo(3);
        assertThat(open.fileSize()).isZero();
        assertThat(open.hints()).isEqualTo("flags=O_RDWR|O_CREAT|O_TRUNC");
        assertThat(open.wallNanos()).isEqualTo(1_700_000_000_000_001_000L);
        assertThat(open.durationNanos()).isEqualTo(12_345);
        assertThat(open.origin().pid()).isEqualTo(77);
        assertThat(open.thread()).isEqualTo("77");
        assertThat(open.context()).isEqualTo("task");
        TraceEvent write = log.only("sys_write");
        assertThat(write.stream()).isEqualTo(open.stream());
        assertThat(write.offset()).isZero();
        assertThat(write.length()).isEqualTo(100);
        assertThat(write.result()).isEqualTo(60);
        assertThat(write.bytes()).isEqualTo(60);
        assertThat(write.fileSize()).isEqualTo(60);
        assertThat(write.monoNanos() - open.monoNanos()).isEqualTo(99_000);
        assertThat(log.unseen()).isEmpty();
    }

    @Test
    void callsThatOthersInterruptArePutTogetherAndKeepTheirStart() {
        Logs.Read log = Logs.read(
                "1 1700000000.000000000 clone(child_stack=NULL, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD) = 2 <0.00001>",
                "1 1700000000.000010000 openat(AT_FDCWD</>, \"/a\", O_RDONLY) = 3</a> <0.000001>",
                "1 1700000000.000020000 read(3</a>,  <unfinished ...>",
                "2 1700000000.000030000 read(3</a>,  <unfinished ...>",
                "1 1700000000.000040000 <... read resumed>\"\"..., 10) = 10 <0.000020>",
                "2 1700000000.000050000 <... read resumed> \"\"..., 10) = 5 <0.000020>");
        List<TraceEvent> reads = log.all("sys_read");
        assertThat(reads).extracting(TraceEvent::thread).containsExactly("1", "2");
        assertThat(reads).extracting(TraceEvent::offset).containsExactly(0L, 10L);
        assertThat(reads).extracting(TraceEvent::wallNanos).containsExactly(Logs.START + 20_000, Logs.START + 30_000);
        assertThat(reads).extracting(event -> event.origin().pid()).containsExactly(1L, 1L);
        assertThat(log.unseen()).isEmpty();
    }

    @Test
    void aStackIsToldOnceAndNamedByTheCallsThatCameFromIt() {
        Logs.Read log = Logs.read(
                " > /lib/libc.so.6(no_call+0x1) [0x1]",
                "1 1.0 fsync(3</w/a.db>) = 0 <0.1>",
                " > /lib/x86_64-linux-gnu/libc.so.6(fsync+0x3a) [0xfec4a]",
                " > /lib/libsqlite3.so.0(sqlite3_step+0x12) [0x1]",
                " > /lib/libsqlite3.so.0(sqlite3_step+0x99) [0x2]",
                " > /opt/my tool/app(ns::Class<int, char>::save|now(std::string const&) const+0x3) [0x3]",
                " > /opt/my tool/app() [0x107b]",
                " > unexpected_backtracing_error [0x7f0000]",
                "1 2.0 fsync(3</w/a.db>) = 0 <0.1>",
                " > /lib/x86_64-linux-gnu/libc.so.6(fsync+0x3a) [0xfec4a]",
                " > /lib/libsqlite3.so.0(sqlite3_step+0x55) [0x1]",
                " > /opt/my tool/app(ns::Class<int, char>::save|now(std::string const&) const+0x3) [0x3]",
                " > /opt/my tool/app() [0x107b]",
                "1 3.0 fadvise64(3</w/a.db>, 0, 0, POSIX_FADV_WILLNEED) = 0 <0.1>",
                "1 4.0 fsync(3</w/a.db>) = 0 <0.1>",
                " > /opt/my tool/app(main+0x1) [0x1]");
        String frames = "frames=libc.so.6!fsync|libsqlite3.so.0!sqlite3_step|app!ns::Class<int,_char>::save_now|app";
        assertThat(log.all("stack")).extracting(TraceEvent::hints).containsExactly(frames, "frames=app!main");
        List<Long> numbers = log.all("stack").stream().map(TraceEvent::result).toList();
        assertThat(log.all("sys_fsync"))
                .extracting(TraceEvent::hints)
                .containsExactly("stack=" + numbers.get(0), "stack=" + numbers.get(0), "stack=" + numbers.get(1));
        assertThat(numbers).doesNotHaveDuplicates();
        List<String> order =
                log.events().stream().map(event -> event.call().label()).toList();
        assertThat(order.indexOf("stack")).isLessThan(order.indexOf("sys_fsync"));
        assertThat(log.unseen()).isEmpty();
    }

    @Test
    void theStackOfAResumedCallFollowsItsEnd() {
        Logs.Read log = Logs.read(
                "1 1.0 clone(child_stack=NULL, flags=CLONE_VM|CLONE_FS|CLONE_FILES|CLONE_THREAD) = 2 <0.1>",
                " > /lib/libc.so.6(clone+0x1) [0x1]",
                "1 2.0 fsync(3</w/a> <unfinished ...>",
                "2 2.5 fsync(3</w/a>) = 0 <0.1>",
                " > /lib/libb.so(two+0x1) [0x1]",
                "1 3.0 <... fsync resumed>) = 0 <0.1>",
                " > /lib/liba.so(one+0x1) [0x1]");
        assertThat(log.all("stack"))
                .extracting(TraceEvent::hints)
                .containsExactly("frames=libc.so.6!clone", "frames=libb.so!two", "frames=liba.so!one");
        assertThat(log.all("sys_fsync")).extracting(TraceEvent::thread).containsExactly("2", "1");
        assertThat(log.all("sys_fsync").get(1).hints())
                .isEqualTo("stack=" + log.all("stack").get(2).result());
    }

    @Test
    void tornLinesAreCountedAndTheRestIsRead() {
        String lines = """
                1 1700000000.1 openat(AT_FDCWD</>, "/a", O_RDONLY) = 3</a> <0.1>
                1 1700000000.2 read(3</a>, ""..., 40
                1 17000
                garbage
                1 1700000000.x read(3</a>, ""..., 40) = 40
                1 1700000000.3 read(3</a>, ""..., 40) = 40 <0.1>
                1 1700000000.4 <... write resumed>) = 3 <0.1>
                1 1700000000.5 read(3</a>, ""..., 4096) = 40""";
        Logs.Read log = Logs.readBytes(lines.getBytes(StandardCharsets.ISO_8859_1));
        assertThat(log.all("sys_read")).hasSize(1);
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.TORN_LINE, 6L));
        assertThat(log.all("unseen")).singleElement().satisfies(note -> {
            assertThat(note.hints()).isEqualTo("reason=torn-line");
            assertThat(note.result()).isEqualTo(6);
        });
    }

    @Test
    void everyCutOfALogIsReadWithoutFailure() {
        String lines = """
                1 1700000000.1 openat(AT_FDCWD</w>, "x\\ny", O_RDONLY) = 3</w/x\\ny> <0.1>
                1 1700000000.2 preadv(3</w/x\\ny>, [{iov_base=""..., iov_len=4}], 1, 0) = 4 <0.1>
                1 1700000000.2 splice(3</w/x\\ny>, [0], 4<pipe:[7]>, NULL, 3, 0) = 3 <0.1>
                1 1700000000.2 io_submit(0x7f, 1, [{aio_lio_opcode=IOCB_CMD_PREAD, aio_fildes=3</w/x>}]) = 1 <0.1>
                """;
        byte[] log = lines.getBytes(StandardCharsets.ISO_8859_1);
        for (int length = 0; length <= log.length; length++) {
            Logs.Read read = Logs.readBytes(Arrays.copyOf(log, length));
            assertThat(read.unseen().getOrDefault(UnrecordedReason.TORN_LINE, 0L))
                    .as("of %d bytes", length)
                    .isLessThan(2);
        }
    }

    @Test
    void numbersThatNoKernelTakesAreTornLines() {
        Logs.Read log = Logs.read(
                "1 1.0 openat(AT_FDCWD</w>, \"f\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3</w/f> <0.1>",
                "1 1.0 pwrite64(3</w/f>, \"\"..., 5, 18446744073709551614) = 5 <0.1>",
                "1 1.0 preadv(3</w/f>, [{iov_base=\"\"..., iov_len=99999999999999999999}], 1, 0) = 4 <0.1>",
                "1 1.0 write(3</w/f>, \"\"..., 10) = 10 <0.1>");
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.TORN_LINE, 2L));
        assertThat(log.only("sys_write").result()).isEqualTo(10);
    }

    @Test
    void unknownCallsAreCountedByNameAndThoseOfNoFileArePassedOver() {
        Logs.Read log = Logs.read(
                "1 1700000000.1 frobnicate(3</a>, 7) = 0 <0.1>",
                "1 1700000000.2 futex(0x7f, FUTEX_WAIT, 0, NULL) = 0 <0.1>",
                "1 1700000000.2 frobnicate(4) = 0 <0.1>");
        assertThat(log.calls()).isEmpty();
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.UNKNOWN_CALL, 2L));
        assertThat(log.only("unseen").hints()).isEqualTo("reason=unknown-call call=frobnicate");
        assertThat(log.only("unseen").result()).isEqualTo(2);
    }

    @Test
    void pathsOfAnyBytesAreKept() {
        String octal = Logs.read("1 1.0 unlink(\"/w/a\\nb\\377>x \\303\\251\\\\q\\\"\") = 0")
                .only("sys_unlink")
                .path();
        String hexadecimal = Logs.read(
                        "1 1.0 unlink(\"\\x2f\\x77\\x2f\\x61\\x0a\\x62\\xff\\x3e\\x78\\x20\\xc3\\xa9\\x5c\\x71\\x22\") = 0")
                .only("sys_unlink")
                .path();
        assertThat(octal).isEqualTo("/w/a\\x0ab\\xff>x é\\x5cq\"");
        assertThat(hexadecimal).isEqualTo(octal);
    }

    @Test
    void namesOfDescriptorsMayHoldArrowsAndBrackets() {
        Logs.Read log = Logs.read(
                "1 1.0 openat(AT_FDCWD</w>, \"x->y<z>\", O_RDONLY) = 3</w/x-\\76y\\74z\\76>",
                "1 1.0 read(3</w/x-\\76y\\74z\\76>, \"\", 4) = 2",
                "1 1.0 write(4<TCP:[127.0.0.1:50->127.0.0.1:80]>, \"\", 4) = 4",
                "1 1.0 read(5</dev/null<char 1:3>>, \"\", 4) = 0",
                "1 1.0 read(6</w/gone>(deleted), \"\", 4) = 1");
        assertThat(log.all("sys_read"))
                .extracting(TraceEvent::path)
                .containsExactly("/w/x->y<z>", "/dev/null", "/w/gone");
        assertThat(log.only("elsewhere").hints()).isEqualTo("direction=write kind=TCP");
        assertThat(log.only("elsewhere").result()).isEqualTo(4);
    }

    @Test
    void aClockThatStepsBackIsCountedAndTheMonotonicTimeGoesOn() {
        Logs.Read log = Logs.read(
                "1 1700000010.0 chdir(\"/a\") = 0",
                "1 1700000011.0 chdir(\"/b\") = 0",
                "1 1600000000.0 chdir(\"/c\") = 0",
                "1 1600000002.0 chdir(\"/d\") = 0");
        assertThat(log.irregular()).isEqualTo(Map.of(Irregularity.CLOCK_STEP, 1L));
        assertThat(log.only("irregular").hints()).isEqualTo("reason=clock-step");
        long second = 1_000_000_000;
        assertThat(log.calls())
                .extracting(TraceEvent::monoNanos)
                .containsExactly(10 * second, 11 * second, 11 * second, 13 * second);
        assertThat(log.calls().get(2).wallNanos()).isEqualTo(1_600_000_000L * second);
    }

    @Test
    void logsWithoutThreadsTimesAndNamesAreRead() {
        Logs.Read log = Logs.read(
                "execve(\"/bin/cat\", [\"cat\", \"f\"], 0x7ffe /* 20 vars */) = 0",
                "openat(AT_FDCWD, \"/w/../w/./f\", O_RDONLY)    = 3",
                "read(3, \"hello\\n\", 131072)           = 6",
                "read(3, \"\", 131072)                  = 0",
                "write(1, \"hello\\n\", 6)              = 6",
                "close(3)                               = 0",
                "+++ exited with 0 +++");
        assertThat(log.all("sys_read")).extracting(TraceEvent::path).containsOnly("/w/f");
        assertThat(log.only("sys_close").fileSize()).isEqualTo(6);
        assertThat(log.only("sys_close").origin().process()).isEqualTo("cat");
        assertThat(log.only("elsewhere").hints()).isEqualTo("direction=write kind=unknown");
        assertThat(log.unseen()).isEmpty();
    }

    @Test
    void timesOfDayGoPastMidnightAndRelativeOnesAddUp() {
        long start = 1_700_006_399_000_000_000L; // 23:59:59 UTC
        assertThat(times(start, "[pid  7] 23:59:59.500000 sync() = 0", "[pid  7] 00:00:01.250000 sync() = 0"))
                .containsExactly(start + 500_000_000, start + 2_250_000_000L);
        assertThat(times(start, "     0.000000 sync() = 0", "     0.000250 sync() = 0"))
                .containsExactly(start, start + 250_000);
    }

    private static List<Long> times(long start, String... lines) {
        byte[] log = (String.join("\n", lines) + "\n").getBytes(StandardCharsets.ISO_8859_1);
        List<Long> times = new ArrayList<>();
        try (CallSource source = CallSource.ofLog(new ByteArrayInputStream(log), "host", "task", start)) {
            for (Optional<TraceEvent> next = source.next(); next.isPresent(); next = source.next()) {
                times.add(next.get().wallNanos());
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return times;
    }

    @Test
    void failuresKeepTheKernelsNameAndChangeNothing() {
        Logs.Read log = Logs.read(
                "1 1.0 openat(AT_FDCWD</w>, \"no\", O_RDONLY) = -1 ENOENT (No such file or directory) <0.1>",
                "1 1.0 openat(AT_FDCWD</w>, \"f\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3</w/f> <0.1>",
                "1 1.0 write(3</w/f>, \"\"..., 10) = -1 ENOSPC (No space left on device) <0.1>",
                "1 1.0 read(3</w/f>, \"\"..., 10) = ? ERESTARTSYS (To be restarted if SA_RESTART is set) <0.1>",
                "1 1.0 write(3</w/f>, \"\"..., 10) = 10 <0.1>");
        assertThat(log.calls())
                .extracting(TraceEvent::error)
                .containsExactly("ENOENT", "", "ENOSPC", "ERESTARTSYS", "");
        assertThat(log.calls().get(4).offset()).isZero();
        assertThat(log.calls()).extracting(TraceEvent::bytes).containsExactly(0L, 0L, 0L, 0L, 10L);
    }

    @Test
    void whatAKilledProgramHadBegunIsCounted() {
        Logs.Read log = Logs.read(
                "1 1.0 openat(AT_FDCWD</w>, \"f\", O_RDWR|O_CREAT|O_TRUNC, 0600) = 3</w/f> <0.1>",
                "1 1.0 write(3</w/f>, \"\"..., 10 <unfinished ...>",
                "1 1.0 +++ killed by SIGKILL +++");
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.UNFINISHED, 1L));
        assertThat(log.only("closed").path()).isEqualTo("/w/f");
    }
}
