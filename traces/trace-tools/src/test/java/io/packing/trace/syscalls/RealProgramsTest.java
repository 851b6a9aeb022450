// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with common programs: their recorded bytes equal the kernel's counts. */
class RealProgramsTest {
    private static final Set<Call> CLONES = Set.of(Call.SYS_CLONE, Call.SYS_CLONE3, Call.SYS_FORK, Call.SYS_VFORK);

    @TempDir
    private Path temp;

    private static String program(String name) {
        for (String directory : List.of("/usr/bin", "/bin", "/usr/local/bin")) {
            Path file = Path.of(directory, name);
            if (Files.isExecutable(file)) {
                return file.toString();
            }
        }
        assumeTrue(false, name + " is missing: apt-get install " + name.replace("dd", "coreutils"));
        return "";
    }

    /** Runs a command, and compares the recording with the kernel's counts. */
    private Workload.Run compare(Workload workload, String... command) throws IOException, InterruptedException {
        Workload.Run run = workload.record("command", command);
        Set<Long> descendants = descendants(run);
        List<TraceEvent> children = run.events().stream()
                .filter(event -> descendants.contains(event.origin().pid()))
                .toList();
        assertThat(children).isNotEmpty();
        List<Long> recorded = Workload.Run.sums(children);
        long readBytes = recorded.get(0);
        long readCalls = recorded.get(2);
        for (TraceEvent event : children) {
            if (event.call() == Call.SYS_EXECVE && !event.failed()) {
                List<Long> image = ExecutedImage.reads(Path.of(event.path()).toRealPath());
                readBytes += image.get(0);
                readCalls += image.get(1);
            }
        }
        assertThat(List.of(readBytes, recorded.get(1), readCalls, recorded.get(3)))
                .as("bytes read, written, calls of both: recorded and the kernel's")
                .isEqualTo(run.kernel());
        assertThat(run.outcome().unseen().keySet()).isSubsetOf(UnrecordedReason.MAPPED_WRITE);
        return run;
    }

    /** Returns the process that read the kernel's counters. */
    private static long looker(Workload.Run run) {
        return run.events().stream()
                .filter(event -> event.path().matches("/proc/[0-9]+/io") && event.call() == Call.SYS_READ)
                .mapToLong(event -> event.origin().pid())
                .findFirst()
                .orElseThrow();
    }

    /** Returns the descendants of that process. */
    private static Set<Long> descendants(Workload.Run run) {
        Set<Long> parents = new HashSet<>(Set.of(looker(run)));
        Set<Long> descendants = new HashSet<>();
        for (TraceEvent event : run.events()) {
            if (event.call() == Call.SYS_EXECVE
                    && !event.failed()
                    && event.origin().pid() == looker(run)) {
                // A script that searches the interpreter made processes before it became the interpreter.
                parents.retainAll(Set.of(looker(run)));
                descendants.clear();
            }
            if (CLONES.contains(event.call())
                    && !event.failed()
                    && parents.contains(event.origin().pid())) {
                parents.add(event.result());
                descendants.add(event.result());
            }
        }
        return descendants;
    }

    private Path bytes(Workload workload, String name, int count) throws IOException {
        return Files.write(workload.directory().resolve(name), new byte[count]);
    }

    @Test
    void blocksThatAreCopiedByDd() throws IOException, InterruptedException {
        String dd = program("dd");
        Workload workload = Workload.in(temp);
        bytes(workload, "in", 1_000_001);
        Workload.Run run = compare(workload, dd, "if=in", "of=out", "bs=10000", "conv=fsync");
        assertThat(run.bytes(workload.directory() + "/out", Call::writes)).isEqualTo(1_000_001);
        assertThat(run.events()).extracting(TraceEvent::call).contains(Call.SYS_FSYNC);
    }

    @Test
    void aTreeThatIsCopiedByCp() throws IOException, InterruptedException {
        String cp = program("cp");
        Workload workload = Workload.in(temp);
        Files.createDirectories(workload.directory().resolve("a/b"));
        for (int i = 0; i < 20; i++) {
            bytes(workload, "a/b/f" + i, 1_000 * i);
        }
        Workload.Run run = compare(workload, cp, "-r", "a", "c");
        assertThat(run.bytes(workload.directory() + "/c/b/f19", Call::writes)).isEqualTo(19_000);
    }

    @Test
    void aDatabaseOfSqlite() throws IOException, InterruptedException {
        String sqlite = program("sqlite3");
        Workload workload = Workload.in(temp);
        Workload.Run run = compare(
                workload,
                sqlite,
                "data.db",
                "create table t (k integer primary key, v text); begin;"
                        + " with recursive n(i) as (select 1 union all select i + 1 from n where i < 2000)"
                        + " insert into t select i, hex(randomblob(40)) from n; commit;"
                        + " update t set v = 'x' where k % 7 = 0; delete from t where k % 5 = 0; vacuum;");
        assertThat(run.bytes(workload.directory() + "/data.db", Call::writes)).isPositive();
        assertThat(run.events()).extracting(TraceEvent::call).contains(Call.SYS_FDATASYNC, Call.SYS_PWRITE64);
    }

    @Test
    void aRepositoryThatGitMakes() throws IOException, InterruptedException {
        String git = program("git");
        Workload workload = Workload.in(temp);
        for (int i = 0; i < 10; i++) {
            bytes(workload, "f" + i, 2_000 + i);
        }
        assumeTrue(Workload.runs(git, "init", "-q", workload.directory().toString()), "git init fails here");
        Workload.Run run = compare(workload, git, "-c", "core.fsync=all", "add", ".");
        assertThat(run.events()).extracting(TraceEvent::path).anyMatch(path -> path.endsWith("/.git/index.lock"));
    }

    @Test
    void linesThatPerlWritesAndReads() throws IOException, InterruptedException {
        String perl = program("perl");
        Workload workload = Workload.in(temp);
        Workload.Run run = compare(
                workload,
                perl,
                "-e",
                "open(F, '+>', 'a'); print F \"line $_\\n\" for 1..5000; seek(F, 0, 0); 1 while <F>; close F;"
                        + " rename 'a', 'b'; open(G, '>>', 'b'); print G 'end'; close G;");
        assertThat(run.bytes(workload.directory() + "/b", Call::writes)).isEqualTo(3);
    }
}
