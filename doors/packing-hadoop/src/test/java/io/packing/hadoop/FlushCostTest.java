// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The cost of a flush of a write-ahead log at the master: calls, changes in its log, bytes of their rows. */
@Timeout(120)
final class FlushCostTest {
    private static final int FLUSHES = 64;

    @TempDir
    private java.nio.file.Path temp;

    @Test
    void aFlushIsACallAndThreeChangesAtTheMaster() throws IOException {
        try (LocalMount local = LocalMount.start(temp, "1h");
                FileSystem files = FileSystem.newInstance(local.uri(), local.configure(new Configuration()));
                FSDataOutputStream log = files.create(new Path("/wal/log"))) {
            log.write(1);
            log.hflush();
            Map<String, Long> calls = local.requests();
            long changes = local.logPosition();
            for (int i = 0; i < FLUSHES; i++) {
                log.write(new byte[2_000]);
                log.hflush();
            }
            assertThat(local.requests().getOrDefault("Apply", 0L) - calls.getOrDefault("Apply", 0L))
                    .isEqualTo(FLUSHES);
            // The claim of the scratch file, the clone of its bytes, and its deletion: two records, each synced.
            assertThat(local.logPosition() - changes).isEqualTo(3L * FLUSHES);
        }
    }
}
