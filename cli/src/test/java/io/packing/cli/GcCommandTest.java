// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.bdt.Placement;
import io.packing.blob.BlobName;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing gc --dry-run}. */
@Timeout(120)
class GcCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private static String blob(CommandMount mount, String path) throws IOException {
        Placement.Packed packed = (Placement.Packed)
                mount.bdt().locate(new FilePath(path)).orElseThrow().placement();
        return BlobName.FOLDER + packed.extents().get(0).blob().key();
    }

    private static void write(CommandMount mount, String path) throws IOException {
        // A seal order of the flush before may still be on its way: it takes the first file.
        mount.write("/first", new byte[1]);
        mount.write(path, new byte[1_000]);
        mount.flush();
    }

    @Test
    void eachBlobThatStaysHasItsReason() throws IOException {
        try (CommandMount mount = CommandMount.start(directory)) {
            for (String path : new String[] {"/dead", "/kept/seen", "/live"}) {
                write(mount, path);
            }
            String dead = blob(mount, "/dead");
            String seen = blob(mount, "/kept/seen");
            String live = blob(mount, "/live");
            assertThat(mount.run("snapshot create", "/kept", "s").exitCode()).isZero();
            assertThat(mount.deleteFailure("/dead")).isEmpty();
            assertThat(mount.deleteFailure("/kept/seen")).isEmpty();
            write(mount, "/last");

            CommandRun run = mount.run("gc --dry-run --json");
            assertThat(run.exitCode()).as(run.err()).isZero();
            JsonNode plan = new ObjectMapper().readTree(run.out());
            assertThat(plan.get("go")).isEmpty();
            Map<String, String> reasons = new LinkedHashMap<>();
            plan.get("stay")
                    .forEach(each -> reasons.put(
                            each.get("blob").asText(), each.get("reason").asText()));
            assertThat(reasons)
                    .containsEntry(dead, "grace")
                    .containsEntry(seen, "snapshot")
                    .doesNotContainKey(live);
            assertThat(plan.get("live_blobs").asLong()).isPositive();
            assertThat(mount.run("gc", "--dry-run").out()).contains("would stay");
            assertThat(mount.run("gc").exitCode()).isEqualTo(ExitCodes.USAGE);
        }
    }
}
