// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import io.packing.trace.TraceFileWriter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with handmade recordings and known answers, for each table and figure of chapter 2. */
class SystemScanTest {
    private static final String CREATE = "flags=O_WRONLY|O_CREAT|O_EXCL created=true";

    @TempDir
    private Path temp;

    private final DesktopTask task = new DesktopTask("save");

    /** Returns the requested groups of a figure that are not zero. */
    private Map<String, Long> figure(String number, String... groups) {
        SystemFindings findings = task.findings();
        Map<String, Long> found = new LinkedHashMap<>();
        for (String group : groups) {
            if (findings.count(number, "save", group) != 0) {
                found.put(group, findings.count(number, "save", group));
            }
        }
        return found;
    }

    private Map<String, Long> figure(String number, List<String> groups) {
        return figure(number, groups.toArray(String[]::new));
    }

    @Test
    void table22CountsFilesTheirLargestSizesAccessesAndBytes() {
        task.file("/a", 1_000);
        task.read(task.open("/a"), 0, 600).read(task.open("/a"), 0, 100);
        long b = task.open("/b", CREATE);
        task.write(b, 0, 50).resize(Call.SYS_FTRUNCATE, b, 10);
        task.open("/never-read");
        task.read(task.open("/proc/1/io"), 0, 77);
        assertThat(figure("table-2.2", "files", "file_bytes", "accesses", "read", "written"))
                .isEqualTo(Map.of("files", 2L, "file_bytes", 1_050L, "accesses", 3L, "read", 700L, "written", 50L));
    }

    @Test
    void figures22And23TellFilesFromDirectories() {
        task.file("/a", 100).read(task.open("/a"), 0, 100).close(1);
        task.close(task.open("/a"));
        task.list(task.open("/d", "flags=O_RDONLY|O_DIRECTORY type=dir"), 240);
        task.open("/e", "flags=O_RDONLY type=dir");
        task.open("/dev/null", "flags=O_RDWR type=other");
        assertThat(figure("2.2", "file, accessed", "file, not accessed", "directory, read", "directory, not read"))
                .isEqualTo(Map.of(
                        "file, accessed",
                        1L,
                        "file, not accessed",
                        1L,
                        "directory, read",
                        1L,
                        "directory, not read",
                        1L));
        assertThat(figure("2.3", "files", "directories")).isEqualTo(Map.of("files", 100L, "directories", 240L));
    }

    @Test
    void figures24And25GroupFilesByTheTypeThatTheirNameTells() {
        task.read(task.open("/p/a.JPG"), 0, 10).read(task.open("/p/a.doc"), 0, 20);
        task.read(task.open("/p/x.sqlite-wal"), 0, 30).read(task.open("/p/x.xcu"), 0, 40);
        task.read(task.open("/p/x.mo"), 0, 50).read(task.open("/p.d/README"), 0, 60);
        task.open("/p/b.png");
        assertThat(figure("2.4", SystemGroups.KINDS))
                .isEqualTo(Map.of(
                        "multimedia",
                        2L,
                        "productivity",
                        1L,
                        "sqlite",
                        1L,
                        "settings",
                        1L,
                        "strings",
                        1L,
                        "other",
                        1L));
        assertThat(figure("2.5", SystemGroups.KINDS))
                .isEqualTo(Map.of(
                        "multimedia",
                        10L,
                        "productivity",
                        20L,
                        "sqlite",
                        30L,
                        "settings",
                        40L,
                        "strings",
                        50L,
                        "other",
                        60L));
        assertThat(figure("files-by-type", SystemGroups.KINDS).values())
                .containsOnly(1L)
                .hasSize(6);
    }

    @Test
    void figures26And27TakeTheSizeAtTheEndOfAnAccess() {
        task.file("/small", 4_095).file("/medium", 65_536).file("/large", 10 << 20);
        task.read(task.open("/small"), 0, 1).read(task.open("/small"), 0, 1);
        task.read(task.open("/medium"), 0, 1).read(task.open("/large"), 0, 1);
        long grown = task.open("/grown", CREATE);
        task.write(grown, 0, 1).write(grown, 4_999, 1).close(grown);
        assertThat(figure("2.6", SystemGroups.SIZES))
                .isEqualTo(Map.of("<4KB", 2L, "<64KB", 1L, "<1MB", 1L, ">=10MB", 1L));
        assertThat(figure("2.7", SystemGroups.SIZES))
                .isEqualTo(Map.of("<4KB", 8_190L, "<64KB", 5_000L, "<1MB", 65_536L, ">=10MB", 10L << 20));
    }

    @Test
    void figure28TellsMappedDataFromMappedPrograms() {
        task.file("/a.jpg", 5_000).file("/libc.so.6", 9_000).file("/tool", 3_000);
        task.map(task.open("/a.jpg"), 8_192, "prot=PROT_READ flags=MAP_SHARED");
        task.map(task.open("/libc.so.6"), 4_096, "prot=PROT_READ flags=MAP_PRIVATE");
        task.map(task.open("/tool"), 4_096, "prot=PROT_READ|PROT_EXEC flags=MAP_PRIVATE");
        task.read(task.open("/a.jpg"), 0, 700);
        // This is a library whose name an anonymized trace hides.
        task.file("/0a1b2c", 1_000).map(task.open("/0a1b2c"), 1_000, "prot=PROT_READ flags=MAP_PRIVATE|MAP_DENYWRITE");
        assertThat(figure("2.8", "requests", "mapped", "mapped programs"))
                .isEqualTo(Map.of("requests", 700L, "mapped", 5_000L, "mapped programs", 8_096L));
    }

    @Test
    void figures29And210GroupAccessesByWhatWasDone() {
        task.file("/a", 100).read(task.open("/a"), 0, 100);
        task.write(task.open("/b", CREATE), 0, 40);
        long both = task.open("/c", CREATE);
        task.write(both, 0, 30).read(both, 0, 20);
        task.open("/a", "flags=O_RDWR");
        assertThat(figure("2.9", "read", "write", "both")).isEqualTo(Map.of("read", 1L, "write", 1L, "both", 1L));
        assertThat(figure("2.10", "read only", "write only", "both: read", "both: written"))
                .isEqualTo(Map.of("read only", 100L, "write only", 40L, "both: read", 20L, "both: written", 30L));
    }

    @Test
    void figures211To214GroupRequestsByTheirSizes() {
        long a = task.open("/a");
        task.read(a, 0, 4_096).read(a, 0, 4_097).read(a, 0, 32_769).read(a, 0, 0);
        long b = task.open("/b", CREATE);
        task.write(b, 0, 1 << 20).write(b, 0, (1 << 20) + 1);
        assertThat(figure("2.11", SystemGroups.REQUESTS)).isEqualTo(Map.of("<=4KB", 2L, "<=32KB", 1L, "<=128KB", 1L));
        assertThat(figure("2.12", SystemGroups.REQUESTS)).isEqualTo(Map.of("<=1MB", 1L, ">1MB", 1L));
        assertThat(figure("2.13", SystemGroups.REQUESTS))
                .isEqualTo(Map.of("<=4KB", 4_096L, "<=32KB", 4_097L, "<=128KB", 32_769L));
        assertThat(figure("2.14", SystemGroups.REQUESTS)).isEqualTo(Map.of("<=1MB", 1L << 20, ">1MB", (1L << 20) + 1));
    }

    @Test
    void figures215To217TellSequentialAndNearlySequentialAccesses() {
        task.file("/a", 1_000).file("/b", 2_000);
        long whole = task.open("/a");
        task.read(whole, 0, 600).read(whole, 600, 400);
        long part = task.open("/b");
        task.read(part, 500, 100).read(part, 600, 100);
        long nearly = task.open("/b");
        task.read(nearly, 0, 50).read(nearly, 100, 950);
        long other = task.open("/b");
        task.read(other, 0, 51).read(other, 100, 949);
        long written = task.open("/c", CREATE);
        task.write(written, 0, 10).read(written, 0, 10).write(written, 10, 10);
        assertThat(figure("2.15", "sequential", "nearly", "other"))
                .isEqualTo(Map.of("sequential", 1_210L, "nearly", 1_000L, "other", 1_000L));
        assertThat(figure("2.16", "sequential", "nearly", "other")).isEqualTo(Map.of("sequential", 20L));
        // The ten bytes read of /c are less than its final length.
        assertThat(figure("2.17", "entire file", "part of it"))
                .isEqualTo(Map.of("entire file", 1_000L, "part of it", 210L));
    }

    @Test
    void figure218TellsUsefulPreallocationFromOtherGrowth() {
        long useful = task.open("/useful", CREATE);
        task.move(Call.SYS_PWRITE64, useful, 999, 1).write(useful, 0, 500).write(useful, 500, 500);
        long vain = task.open("/vain", CREATE);
        task.resize(Call.SYS_FTRUNCATE, vain, 300).write(vain, 0, 300).write(vain, 300, 40);
        assertThat(figure("2.18", "written", "preallocated", "preallocated in vain"))
                .isEqualTo(Map.of("written", 40L, "preallocated", 1_000L, "preallocated in vain", 300L));
    }

    @Test
    void figure219CountsOpensOfOtherFilesDuringAnAccess() {
        long database = task.open("/db");
        task.read(database, 0, 10);
        for (int i = 0; i < 12; i++) {
            long one = task.open("/f" + i);
            task.read(one, 0, 1);
            if (i == 0) {
                task.read(task.open("/inside"), 0, 1);
            }
            task.open("/d", "flags=O_DIRECTORY type=dir");
            task.close(one);
        }
        task.close(database);
        // /db saw 13 opens, /f0 one, the others none; /inside was open to the end and saw eleven.
        assertThat(figure("2.19", SystemGroups.OPENS)).isEqualTo(Map.of("0", 11L, "1", 1L, "11-20", 2L));
    }

    @Test
    void figure220ComparesMetadataCallsAndDataAccesses() {
        task.named(Call.SYS_STAT, "/a", "", "")
                .named(Call.SYS_NEWFSTATAT, "/a", "", "")
                .named(Call.SYS_STATX, "/a", "", "");
        task.named(Call.SYS_STATFS, "/a", "", "")
                .named(Call.SYS_GETXATTR, "/a", "", "")
                .named(Call.SYS_ACCESS, "/a", "", "");
        long a = task.open("/a");
        task.read(a, 0, 1).read(a, 1, 1).on(Call.SYS_FSTAT, a, "");
        assertThat(figure("2.20", "stat", "access", "statfs", "xattr", "data"))
                .isEqualTo(Map.of("stat", 4L, "access", 1L, "statfs", 1L, "xattr", 1L, "data", 1L));
    }

    @Test
    void figures221And222FollowEveryByte() {
        task.file("/a", 1_000);
        long a = task.open("/a", "flags=O_RDWR");
        task.read(a, 0, 100).read(a, 50, 100);
        task.write(a, 140, 20).write(a, 150, 20);
        task.read(a, 130, 60);
        assertThat(figure("2.21", "fresh", "read before", "written before"))
                .isEqualTo(Map.of("fresh", 170L, "read before", 60L, "written before", 30L));
        assertThat(figure("2.22", "fresh", "read before", "written before"))
                .isEqualTo(Map.of("fresh", 20L, "read before", 10L, "written before", 10L));
    }

    @Test
    void aFileKeepsWhatIsKnownOfItUnderANewNameAndANewFileHasNothing() {
        long a = task.open("/a", CREATE);
        task.write(a, 0, 100).close(a).named(Call.SYS_RENAME, "/a", "/b", "");
        task.read(task.open("/b"), 0, 100);
        task.named(Call.SYS_UNLINK, "/b", "", "");
        task.write(task.open("/b", CREATE), 0, 100);
        assertThat(figure("2.21", "fresh", "read before", "written before")).isEqualTo(Map.of("written before", 100L));
        assertThat(figure("2.22", "fresh", "read before", "written before")).isEqualTo(Map.of("fresh", 200L));
    }

    @Test
    void figures223And224CountHintsByDescriptorAndByFile() {
        long a = task.open("/a");
        task.on(Call.SYS_FADVISE64, a, "advice=POSIX_FADV_WILLNEED");
        task.on(Call.SYS_READAHEAD, task.open("/a"), "");
        task.on(Call.SYS_FADVISE64, task.open("/b"), "advice=POSIX_FADV_DONTNEED");
        task.on(Call.SYS_FADVISE64, task.open("/c"), "advice=POSIX_FADV_SEQUENTIAL");
        task.open("/c", "flags=O_RDONLY|O_DIRECT");
        task.open("/d", "flags=O_RDONLY|O_DIRECTORY type=dir");
        String[] groups = {"opens", "inodes", "prefetch", "drop", "pattern", "direct"};
        assertThat(figure("2.23", groups))
                .isEqualTo(Map.of("opens", 5L, "prefetch", 2L, "drop", 1L, "pattern", 1L, "direct", 1L));
        assertThat(figure("2.24", groups))
                .isEqualTo(Map.of("inodes", 3L, "prefetch", 1L, "drop", 1L, "pattern", 1L, "direct", 1L));
    }

    @Test
    void figures225And226TellWhatWhichCallForced() {
        long a = task.open("/a", CREATE);
        long b = task.open("/b", CREATE);
        task.write(a, 0, 5_000).write(b, 0, 70).on(Call.SYS_FSYNC, a, "").write(a, 0, 30);
        task.on(Call.SYS_FDATASYNC, a, "").on(Call.SYS_FSYNC, a, "").named(Call.SYS_SYNC, "", "", "");
        task.write(b, 0, 9);
        assertThat(figure("2.25", "fsync", "fdatasync", "sync", "not forced"))
                .isEqualTo(Map.of("fsync", 5_000L, "fdatasync", 30L, "sync", 70L, "not forced", 9L));
        assertThat(figure("2.26", SystemGroups.FORCED)).isEqualTo(Map.of("0B", 1L, "<4KB", 1L, "<64KB", 1L));
    }

    @Test
    void figure227FindsRenamesAndExchangesOfWrittenFiles() {
        long same = task.open("/d/a.tmp", CREATE);
        task.write(same, 0, 100).close(same).named(Call.SYS_RENAME, "/d/a.tmp", "/d/a", "");
        long other = task.open("/tmp/b", CREATE);
        task.write(other, 0, 200).named(Call.SYS_RENAME, "/tmp/b", "/d/b", "");
        long swapped = task.open("/d/c.new", CREATE);
        task.write(swapped, 0, 50).named(Call.SYS_RENAMEAT2, "/d/c.new", "/d/c", "flags=RENAME_EXCHANGE");
        task.named(Call.SYS_RENAME, "/d/a", "/d/again", "").named(Call.SYS_RENAME, "/d/never-written", "/d/x", "");
        assertThat(figure("2.27", "rename, same directory", "rename, other directory", "exchange", "atomic writes"))
                .isEqualTo(Map.of(
                        "rename, same directory",
                        100L,
                        "rename, other directory",
                        200L,
                        "exchange",
                        50L,
                        "atomic writes",
                        3L));
    }

    @Test
    void figures225And228TellWhoAskedByTheInnermostFrameThatARuleKnows() {
        task.stack(1, "libc.so.6!fsync|libsqlite3.so.0!sqlite3_step|libxul.so!Save|firefox");
        task.stack(2, "libc.so.6!rename|libuno_sal.so.3!osl_moveFile|libmergedlo.so!SfxMedium::Commit|soffice.bin");
        task.stack(3, "libc.so.6!rename|mv!main");
        task.stack(4, "libc.so.6!fsync|libfoo.so!save|app!main");
        long a = task.open("/a.db", CREATE);
        task.write(a, 0, 100).on(Call.SYS_FSYNC, a, "stack=1").write(a, 100, 30).on(Call.SYS_FDATASYNC, a, "stack=4");
        task.write(a, 130, 7).on(Call.SYS_FSYNC, a, "").write(a, 137, 5);
        task.named(Call.SYS_RENAME, "/a.db", "/b.db", "stack=2").named(Call.SYS_RENAME, "/b.db", "/c.db", "stack=3");
        task.named(Call.SYS_RENAMEAT2, "/c.db", "/d.db", "flags=RENAME_NOREPLACE stack=3");
        task.named(Call.SYS_RENAME, "/d.db", "/e.db", "stack=99").named(Call.SYS_RENAME, "/e.db", "/f.db", "stack=x");
        assertThat(figure("2.25b", AskerFigures.forced()))
                .isEqualTo(Map.of("sqlite", 100L, "other library", 30L, "no stack", 7L, "not forced", 5L));
        assertThat(figure("2.28", Askers.causes())).isEqualTo(Map.of("document", 1L, "program", 2L, "no stack", 2L));
        SystemFindings findings = task.findings();
        assertThat(findings.libraries()).containsExactly("libfoo.so", "libmergedlo.so", "libsqlite3.so.0", "mv");
        assertThat(findings.asked("mv", "calls")).isEqualTo(2);
    }

    @Test
    void aHintKeepsItsMeaningBesideAStack() {
        task.stack(1, "libc.so.6!posix_fadvise|cp");
        long a = task.open("/a");
        task.on(Call.SYS_FADVISE64, a, "advice=POSIX_FADV_WILLNEED stack=1");
        assertThat(figure("2.23", "opens", "prefetch", "drop", "pattern"))
                .isEqualTo(Map.of("opens", 1L, "prefetch", 1L));
    }

    @Test
    void figures229And230CountLocksAndAsynchronousReads() {
        long a = task.open("/a.db");
        task.on(Call.SYS_FCNTL, a, "cmd=F_SETLK type=F_WRLCK").on(Call.SYS_FCNTL, a, "cmd=F_OFD_SETLKW type=F_RDLCK");
        task.on(Call.SYS_FCNTL, a, "cmd=F_GETLK type=F_UNLCK").on(Call.SYS_FCNTL, a, "cmd=F_GETFL");
        task.on(Call.SYS_FLOCK, a, "type=LOCK_EX").read(a, 0, 30).move(Call.SYS_AIO_READ, a, 30, 70);
        assertThat(figure("2.29", "flock", "F_GETLK", "F_SETLK", "F_SETLKW"))
                .isEqualTo(Map.of("flock", 1L, "F_GETLK", 1L, "F_SETLK", 1L, "F_SETLKW", 1L));
        assertThat(figure("2.30", "asynchronous", "synchronous"))
                .isEqualTo(Map.of("asynchronous", 70L, "synchronous", 30L));
    }

    @Test
    void figures231And232DivideBytesAmongThreads() {
        long a = task.open("/a", "flags=O_RDWR|O_CREAT|O_TRUNC");
        task.by("1").write(a, 0, 500).by("2").read(a, 0, 100).read(a, 0, 50);
        task.by("3")
                .read(a, 0, 30)
                .write(a, 0, 30)
                .by("4")
                .write(a, 0, 10)
                .by("5")
                .read(a, 510, 0);
        assertThat(figure("2.31", "first", "second", "others", "threads"))
                .isEqualTo(Map.of("first", 500L, "second", 150L, "others", 70L, "threads", 4L));
        assertThat(figure("2.32", "read", "write", "both")).isEqualTo(Map.of("read", 1L, "write", 2L, "both", 1L));
    }

    @Test
    void jobsFindTheSameAndTheReportNamesEveryTable() throws IOException, InterruptedException {
        task.file("/a", 100).read(task.open("/a"), 0, 100).note(Call.UNSEEN, 8, "reason=io_uring");
        DesktopTask other = new DesktopTask("open");
        other.read(other.open("/a"), 0, 40);
        for (DesktopTask one : List.of(task, other)) {
            Path file = temp.resolve(one == task ? "save.htfs" : "open.htfs");
            try (TraceFileWriter writer = TraceFileWriter.create(file, TraceFileWriter.FileOptions.ofVersion(2))) {
                for (TraceEvent event : one.events()) {
                    writer.write(event);
                }
            }
        }
        Analysis.Results results = new Analysis(
                        Rules.hbase(),
                        List.of(temp.toUri().toString()),
                        temp.resolve("work").toUri().toString(),
                        Optional.empty(),
                        1)
                .runAll((number, of, what) -> {});
        SystemFindings found = results.system().orElseThrow();
        assertThat(results.hdfs()).isEmpty();
        assertThat(found.tasks()).containsExactly("open", "save");
        assertThat(found.events()).isEqualTo(4);
        assertThat(found.unseen()).isEqualTo(Map.of("io_uring", 8L));
        assertThat(found.count("2.3", "save", "files")).isEqualTo(100);
        assertThat(found.count("2.3", "open", "files")).isEqualTo(40);
        Path html = AnalysisReport.write(results, temp.resolve("report"));
        List<String> numbers = AnalysisReport.tables(results).stream()
                .map(AnalysisReport.TableOf::figure)
                .toList();
        assertThat(numbers)
                .startsWith("Table 2.2", "2.1", "2.2", "2.3", "2.4")
                .contains("2.18", "2.25", "2.25b", "2.27", "2.28", "2.32");
        for (AnalysisReport.TableOf table : AnalysisReport.tables(results)) {
            assertThat(temp.resolve("report/figures/" + table.name() + ".csv")).exists();
            assertThat(Files.readString(html)).contains("id=\"" + table.name() + "\"");
        }
        assertThat(Files.readString(temp.resolve("report/figures/figure-2.3.csv")))
                .isEqualTo("task,files,directories,total\nopen,40,0,40\nsave,100,0,100\n");
    }
}
