// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.ibench;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.trace.TraceFiles;
import io.packing.trace.analysis.Analysis;
import io.packing.trace.analysis.Rules;
import io.packing.trace.analysis.SystemFindings;
import io.packing.trace.syscalls.replay.SystemReplay;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The recordings with stacks that come with the program. */
class RecordedStacksTest {
    private static final Path RECORDED = Path.of("../../conf/ibench-stacks");

    @TempDir
    private Path temp;

    /** Finds the callers of syncs and renames in tasks of LibreOffice, SQLite and git. */
    @Test
    void theCausesOfForcedBytesAndRenamesAreFound() throws IOException, InterruptedException {
        SystemFindings found = new Analysis(
                        Rules.hbase(),
                        List.of(RECORDED.toUri().toString()),
                        temp.toUri().toString(),
                        Optional.empty(),
                        1)
                .runAll((number, of, what) -> {})
                .system()
                .orElseThrow();
        assertThat(found.tasks()).containsExactly("calc-xls", "database", "git-commit", "impress-ppt", "writer-doc");
        for (String task : found.tasks()) {
            assertThat(found.count("2.25b", task, "no stack")).as(task).isZero();
            assertThat(found.count("2.28", task, "no stack")).as(task).isZero();
        }
        assertThat(found.count("2.25b", "database", "sqlite")).isEqualTo(found.count("2.25", "database", "fdatasync"));
        assertThat(found.count("2.25b", "writer-doc", "document"))
                .isEqualTo(found.count("2.25", "writer-doc", "fsync"));
        assertThat(found.count("2.25b", "writer-doc", "sqlite")).isPositive();
        assertThat(found.count("2.28", "writer-doc", "preferences")).isEqualTo(6);
        assertThat(found.count("2.28", "git-commit", "program")).isEqualTo(18);
    }

    @Test
    void aReplayDoesAsTheRecordingDid() throws IOException, InterruptedException {
        Path trace = RECORDED.resolve("git-commit.htfs");
        assertThat(new SystemReplay(temp.resolve("root"), 0, () -> 0, due -> {}, done -> {})
                        .run(() -> TraceFiles.open(List.of(trace)))
                        .examples())
                .isEmpty();
    }
}
