// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.TraceEvent;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** A test of reading dtruss's lines of a Mac. */
class DtraceLogTest {
    private static final String HEADER = "\tPID/THRD  RELATIVE  ELAPSD    CPU SYSCALL(args) \t\t = return";

    @Test
    void aDocumentIsSavedAsOnAMac() {
        Logs.Read log = Logs.readDtrace(
                HEADER,
                "  311/0x1a2b:      1200      40      9 open_nocancel(\"/Users/d/a.plist.new\\0\", 0xA02, 0x1B6)\t\t = 7 0",
                "  311/0x1a2b:      1250      31      9 write(0x7, \"<plist \\\"1\\\">, (x)\\n\\0\", 0x2000)\t\t = 8192 0",
                "  311/0x1a2b:      1250      31      9 pwrite(0x7, \"z\\0\", 0x1, 0x4000)\t\t = 1 0",
                "  311/0x1a2b:      1290    1007      9 fsync(0x7, 0x0, 0x0)\t\t = 0 0",
                "  311/0x1a2b:      1300       3      1 fcntl(0x7, 0x33, 0x0)\t\t = 0 0",
                "  311/0x1a2b:      1310       3      1 close(0x7)\t\t = 0 0",
                "  311/0x1a2b:      1320      55      4 rename(\"/Users/d/a.plist.new\\0\", \"/Users/d/a.plist\\0\")\t\t = 0 0",
                "  311/0x1a2b:      1330      55      4 exchangedata(\"/Users/d/x\\0\", \"/Users/d/y\\0\", 0x0)\t\t = 0 0");
        TraceEvent open = log.only("sys_open");
        assertThat(open.path()).isEqualTo("/Users/d/a.plist.new");
        assertThat(open.hints()).startsWith("flags=O_RDWR|O_CREAT|O_EXCL");
        assertThat(open.hints()).contains("created=true");
        assertThat(open.descriptor()).isEqualTo(7);
        assertThat(open.origin().pid()).isEqualTo(311);
        assertThat(open.durationNanos()).isEqualTo(40_000);
        TraceEvent write = log.only("sys_write");
        assertThat(List.of(write.offset(), write.length(), write.result())).containsExactly(0L, 8192L, 8192L);
        TraceEvent placed = log.only("sys_pwrite64");
        assertThat(List.of(placed.offset(), placed.result(), placed.fileSize())).containsExactly(0x4000L, 1L, 0x4001L);
        assertThat(log.all("sys_fsync")).hasSize(2).allMatch(event -> event.stream() == open.stream());
        assertThat(log.only("sys_rename").target()).isEqualTo("/Users/d/a.plist");
        assertThat(log.only("sys_renameat2").hints()).contains("RENAME_EXCHANGE");
        assertThat(log.unseen()).isEmpty();
        assertThat(log.irregular()).isEmpty();
        assertThat(log.calls()).isSortedAccordingTo((a, b) -> Long.compare(a.wallNanos(), b.wallNanos()));
    }

    @Test
    void threadsShareDescriptorsAndChildrenInheritThem() {
        Logs.Read log = Logs.readDtrace(
                "\tPID/THRD  SYSCALL(args) \t\t = return",
                "  40/0x100:  open(\"/a\\0\", 0x0, 0x0)\t\t = 3 0",
                "  40/0x101:  read(0x3, \"x\\0\", 0xA)\t\t = 10 0",
                "  40/0x100:  fork()\t\t = 41 0",
                "  41/0x102:  fork()\t\t = 0 0",
                "  41/0x102:  read_nocancel(0x3, \"x\\0\", 0xA)\t\t = 5 0",
                "  90/0x200:  read(0x3, \"x\\0\", 0xA)\t\t = 1 0");
        assertThat(log.all("sys_read")).extracting(TraceEvent::offset).containsExactly(0L, 10L);
        assertThat(log.all("sys_read"))
                .extracting(event -> event.origin().pid())
                .containsExactly(40L, 41L);
        assertThat(log.all("sys_read").get(0).thread()).isNotEqualTo("40");
        assertThat(log.only("elsewhere").result()).isEqualTo(1);
        assertThat(log.irregular()).isEqualTo(Map.of(Irregularity.ORPHAN, 1L));
    }

    @Test
    void hintsErrorsAndMappingsHaveTheirNamesOnLinux() {
        Logs.Read log = Logs.readDtrace(
                "SYSCALL(args) \t\t = return",
                "open(\"/no\\0\", 0x0, 0x0)\t\t = -1 Err#2",
                "open(\"/f\\0\", 0x1000000, 0x0)\t\t = 3 0",
                "fcntl(0x3, 0x2C, 0x7FFF5FBFF310)\t\t = 0 0",
                "fcntl(0x3, 0x30, 0x1)\t\t = 0 0",
                "fcntl(0x3, 0x8, 0x7FFF5FBFF310)\t\t = 0 0",
                "mmap(0x0, 0x1000, 0x1, 0x2, 0x3, 0x0)\t\t = 0x5000 0",
                "mmap(0x0, 0x1000, 0x3, 0x1002, 0xFFFFFFFFFFFFFFFF, 0x0)\t\t = 0x7000 0",
                "getattrlist(\"/f\\0\", 0x7FFF5FBFE760, 0x7FFF5FBFE780)\t\t = 0 0",
                "stat64(\"/g\\0\", 0x7FFF5FBFE760, 0x1)\t\t = -1 Err#13",
                "lseek(0x3, 0x64, 0x0)\t\t = 100 0",
                "renameatx_np(0xFFFFFFFE, \"/f\\0\", 0xFFFFFFFE, \"/h\\0\", 0|RENAME_SWAP|0)\t\t = 0 0",
                "psynch_cvwait(0x1, 0x2, 0x3)\t\t = 0 0",
                "frobnicate(0x1, 0x2, 0x3)\t\t = 0 0");
        assertThat(log.all("sys_open")).extracting(TraceEvent::error).containsExactly("ENOENT", "");
        assertThat(log.all("sys_open").get(1).hints()).contains("flags=O_RDONLY|O_CLOEXEC");
        assertThat(log.all("sys_fadvise64"))
                .extracting(TraceEvent::hints)
                .containsExactly("advice=POSIX_FADV_WILLNEED", "advice=POSIX_FADV_DONTNEED");
        assertThat(log.only("sys_fcntl").hints()).isEqualTo("cmd=F_SETLK");
        assertThat(log.only("sys_mmap").hints()).isEqualTo("prot=PROT_READ flags=MAP_PRIVATE");
        assertThat(log.only("sys_lstat").path()).isEqualTo("/f");
        assertThat(log.only("sys_stat").error()).isEqualTo("EACCES");
        assertThat(log.only("sys_lseek").offset()).isEqualTo(100);
        assertThat(log.only("sys_renameat2").path()).isEqualTo("/f");
        assertThat(log.only("sys_renameat2").hints()).contains("RENAME_EXCHANGE");
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.UNKNOWN_CALL, 1L));
        assertThat(log.only("unseen").hints()).contains("call=frobnicate");
    }

    @Test
    void stacksAreReadAndSumsAreNoTornLines() {
        Logs.Read log = Logs.readDtrace(
                "SYSCALL(args) \t\t = return",
                "rename(\"/a\\0\", \"/b\\0\")\t\t = 0 0",
                "",
                "              libSystem.B.dylib`rename+0xa",
                "              Foundation`-[NSData writeToFile:atomically:]+0x91",
                "              Pages`0x1000f",
                "",
                "CALL                                        COUNT",
                "rename                                          1",
                "this is no line of dtruss",
                "rename(\"/a\\0\", \"/b");
        assertThat(log.only("stack").hints())
                .isEqualTo("frames=libSystem.B.dylib!rename|Foundation!-[NSData_writeToFile:atomically:]|Pages");
        assertThat(log.only("sys_rename").hints())
                .isEqualTo("stack=" + log.only("stack").result());
        assertThat(log.unseen()).isEqualTo(Map.of(UnrecordedReason.TORN_LINE, 2L));
    }

    @Test
    void everyCutOfALogAndHostileNumbersAreReadWithoutFailure() {
        String lines = HEADER
                + "\n  311/0x1a2b:      1200      40      9 open(\"/a\\0\", 0xA02, 0x1B6)\t\t = 7 0\n"
                + "  311/0x1a2b:      1250      31      9 pwrite(0x7, \"\\\"), = 3 0\\0\", 0xFFFFFFFFFFFFFFFF, 0xFFFFFFFFFFFFFFFE)\t\t = 1 0\n"
                + "  311/0x1a2b:   99999999999999999999      31      9 lseek(0x7, 0x1, 0x7)\t\t = -5 0\n"
                + "  311/0x1a2b:   1  99999999999999999999      9 read(0x7, \"\\0\", 0x7)\t\t = 5 0\n"
                + "  9999999999/0x1a2b:   1  2 9 fork()\t\t = 311 0\n  5/7:   1  2 9 fork()\t\t = 311 0\n";
        byte[] log = lines.getBytes(StandardCharsets.ISO_8859_1);
        for (int length = 0; length <= log.length; length++) {
            Logs.Read read = Logs.readDtraceBytes(Arrays.copyOf(log, length));
            assertThat(read.unseen().getOrDefault(UnrecordedReason.TORN_LINE, 0L))
                    .as("of %d bytes", length)
                    .isLessThan(5);
        }
    }
}
