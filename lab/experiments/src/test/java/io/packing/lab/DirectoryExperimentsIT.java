// SPDX-License-Identifier: Apache-2.0
package io.packing.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.fuse.mount.FuseMount;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The experiments on a mount over a directory with real processes, small. */
@Tag("process")
class DirectoryExperimentsIT {
    @TempDir
    private Path figures = Path.of("");

    private JsonNode run(String words) throws Exception {
        LabRun run = LabRun.of(("experiment " + words + " --json --out " + figures).split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        return new ObjectMapper().readTree(run.out());
    }

    /** The result as JSON, and the figures of each name. */
    private void assertDrawn(JsonNode result, String name, String... plots) throws Exception {
        assertThat(new ObjectMapper().readTree(figures.resolve(name + ".json").toFile()))
                .isEqualTo(result);
        for (String plot : plots) {
            assertThat(figures.resolve(plot + ".csv")).isNotEmptyFile();
            assertThat(figures.resolve(plot + ".png")).isNotEmptyFile();
        }
    }

    @Test
    void aJobIsCommittedByOneVectorHoweverManyFilesItHas() throws Exception {
        JsonNode json = run("commit --files 90 --tasks 9 --rounds 1");
        for (String committer : new String[] {"vector", "algorithm1", "algorithm2", "manifest"}) {
            assertThat(json.get(committer).get("ms").asDouble()).as(committer).isPositive();
            assertThat(json.get(committer).get("requests").asLong())
                    .as(committer)
                    .isPositive();
            assertThat(json.get(committer).get("listings").asLong())
                    .as(committer)
                    .isPositive();
            assertThat(json.get(committer).get("readers_saw_part").isBoolean())
                    .as(committer)
                    .isTrue();
        }
        JsonNode vector = json.get("vector");
        assertThat(vector.get("calls").get("Apply").asLong()).isEqualTo(1);
        assertThat(vector.get("requests").asLong()).isLessThan(10);
        assertThat(json.get("algorithm1").get("requests").asLong()).isGreaterThan(2 * 90);
        assertThat(json.get("manifest").get("requests").asLong()).isGreaterThan(90);
        // One value, which a program reads as it stands: that of the vector.
        assertThat(json.get("readers_saw_part").isBoolean()).isTrue();
        assertThat(json.get("readers_saw_part").asBoolean()).isFalse();
        assertThat(vector.get("readers_saw_part").asBoolean()).isFalse();
        assertDrawn(json, "commit", "commit", "commit-requests");
    }

    @Test
    void clonesAskTheStoreForNothing() throws Exception {
        JsonNode json = run("clone --files 2000 --clones 4 --writes 256 --rounds 1 --copy-sizes 4KB,8MB");
        JsonNode file = json.get("file");
        assertThat(file.get("small_ms").asDouble()).isPositive();
        assertThat(file.get("large_ms").asDouble()).isPositive();
        assertThat(file.get("store_requests").asLong()).isZero();
        assertThat(file.get("sync_ms").asDouble()).isPositive();
        JsonNode tree = json.get("tree");
        assertThat(tree.get("small_ms").asDouble()).isPositive();
        assertThat(tree.get("large_ms").asDouble()).isPositive();
        assertThat(tree.get("rows_bytes").asLong()).isBetween(1L, 1024L);
        assertThat(json.get("snapshot_write_ratio").asDouble()).isPositive();
        assertThat(json.get("snapshot_writes").get("with_files_s").asDouble()).isPositive();
        assertThat(json.get("snapshot_writes").get("without_files_s").asDouble())
                .isPositive();
        assertThat(json.get("by_size"))
                .extracting(row -> row.get("size").asInt())
                .containsExactly(4 << 10, 8 << 20);
        assertThat(json.get("by_size")).allSatisfy(row -> {
            assertThat(row.get("clone_ms").asDouble()).isPositive();
            assertThat(row.get("copy_ms").asDouble()).isPositive();
        });
        assertDrawn(json, "clone", "clone", "snapshot-writes");
    }

    @Test
    void anOverwriteOfAPartWritesThatPartAndACopyAll() throws Exception {
        JsonNode json = run("overwrite --sizes 2MB,8MB --rounds 1");
        assertDrawn(
                json,
                "overwrite",
                "overwrite-files",
                "overwrite-files-stored",
                "overwrite-parts",
                "overwrite-parts-stored");
        JsonNode rows = json.get("rows");
        assertThat(rows).extracting(row -> row.get("file").asInt()).containsExactly(2 << 20, 8 << 20, 8 << 20);
        JsonNode part = rows.get(1);
        assertThat(part.get("overwritten").asInt()).isEqualTo(2 << 20);
        assertThat(part.get("vector").get("written_bytes").asLong()).isBetween(2L << 20, (2L << 20) + 4096);
        assertThat(part.get("copy").get("written_bytes").asLong()).isBetween(8L << 20, (8L << 20) + 4096);
        assertThat(part.get("vector").get("read_bytes").asLong()).isZero();
        assertThat(part.get("copy").get("read_bytes").asLong()).isGreaterThanOrEqualTo(6L << 20);
    }

    @Test
    void anOverwriteOnAMountLeavesItsOwnPagesAndOneOfOverlayfsTheWholeFile() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        JsonNode rows = run("overwrite --sizes 2MB,8MB --rounds 1 --page-cache").get("page_cache");
        assertThat(rows).extracting(row -> row.get("file").asInt()).containsExactly(2 << 20, 8 << 20, 8 << 20);
        JsonNode part = rows.get(1);
        assertThat(part.get("overwritten").asInt()).isEqualTo(2 << 20);
        assertThat(part.get("clone").get("template_bytes").asLong()).isZero();
        assertThat(part.get("clone").get("target_bytes").asLong()).isEqualTo(2 << 20);
        assertThat(part.get("clone").get("local_bytes").asLong()).isBetween(2L << 20, 3L << 20);
        assertThat(part.get("overlay").get("template_bytes").asLong()).isEqualTo(8 << 20);
        assertThat(part.get("overlay").get("target_bytes").asLong()).isEqualTo(8 << 20);
        assertThat(part.get("copy").get("ms").asDouble()).isPositive();
    }

    @Test
    void chunksAreWrittenByVectorAndByJournal() throws Exception {
        JsonNode rows = run("transactions --chunks 4KB,64KB --file-size 1MB --writes 5 --rounds 1");
        assertThat(rows.isArray()).isTrue();
        assertDrawn(rows, "transactions", "transactions");
        assertThat(rows).extracting(row -> row.get("chunk").asInt()).containsExactly(4096, 65_536);
        assertThat(rows).allSatisfy(row -> {
            assertThat(row.get("vector_mb_s").asDouble()).isPositive();
            assertThat(row.get("journal_mb_s").asDouble()).isPositive();
            assertThat(row.get("ratio").asDouble()).isPositive();
        });
    }
}
