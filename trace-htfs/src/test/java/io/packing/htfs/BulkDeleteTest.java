// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.trace.Call;
import io.packing.trace.TraceEvent;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BulkDelete;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test that the trace has bulk deletes of any file system. */
class BulkDeleteTest {
    @TempDir
    private java.nio.file.Path temp;

    @Test
    void eachPageIsOneEventWithItsCount() throws IOException {
        assumeTrue(Traces.anyFileSystem().endsWith(".TracingFileSystem"), "needs Hadoop 3.4 or newer");
        java.nio.file.Path traces = temp.resolve("traces");
        Configuration conf = new Configuration(false);
        conf.set("fs.file.impl", TracingFileSystem.class.getName());
        conf.set("htfs.underlying.impl", RawLocalFileSystem.class.getName());
        conf.set("htfs.dir", traces.toString());
        Path home = new Path(temp.toString());
        Path file = new Path(home, "f");
        try (FileSystem fs = FileSystem.newInstance(URI.create("file:///"), conf)) {
            fs.create(file).close();
            try (BulkDelete deletes = fs.createBulkDelete(home)) {
                assertThat(deletes.pageSize()).isEqualTo(1);
                assertThat(deletes.bulkDelete(List.of(file))).isEmpty();
            }
            assertThat(fs.exists(file)).isFalse();
        }
        assertThat(Traces.of(Traces.finish(traces), Call.BULK_DELETE))
                .singleElement()
                .returns(1L, TraceEvent::result)
                .returns(file.toUri().getPath(), TraceEvent::path)
                .returns(home.toUri().getPath(), TraceEvent::target);
    }
}
