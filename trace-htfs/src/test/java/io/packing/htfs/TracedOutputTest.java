// SPDX-License-Identifier: Apache-2.0
package io.packing.htfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.packing.htfs.record.CollapseLimits;
import io.packing.htfs.record.FileSystemInstance;
import io.packing.htfs.record.Recorder;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.junit.jupiter.api.Test;

/** A test of the cost of tracing for a writing application. */
class TracedOutputTest {
    private static final int WRITES = 100_000;

    private static void write(FSDataOutputStream out, byte[] bytes) throws IOException {
        for (int i = 0; i < WRITES; i++) {
            out.write(7);
            out.write(bytes, 0, bytes.length);
        }
    }

    @Test
    void aCollapsedWriteAllocatesNothing() throws IOException {
        Recorder recorder =
                new Recorder(1 << 16, new CollapseLimits(4_096, 65_536, 1_000_000_000), System::nanoTime, () -> {});
        FSDataOutputStream out = new TracedDataOutput(
                new FSDataOutputStream(OutputStream.nullOutputStream(), null),
                recorder.stream(new FileSystemInstance(1, "user"), recorder.nextStream(), "/file"));
        byte[] bytes = new byte[20];
        write(out, bytes);
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long before = threads.getCurrentThreadAllocatedBytes();
        write(out, bytes);
        long allocated = threads.getCurrentThreadAllocatedBytes() - before;
        // Writes of one byte leave only the allocations of the JVM itself.
        assertThat(allocated).isLessThan(WRITES / 10);
        assertThat(recorder.dropped()).isZero();
    }
}
