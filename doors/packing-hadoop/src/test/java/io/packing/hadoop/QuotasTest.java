// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.ClusterStorageCapacityExceededException;
import org.apache.hadoop.fs.ContentSummary;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.QuotaUsage;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Quotas through Hadoop's API are those of HDFS, with one replica. */
@Timeout(120)
final class QuotasTest {
    private static final Path DIRECTORY = new Path("/d");
    private static final long DONT_SET = Long.MAX_VALUE;

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private FileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        files = FileSystem.newInstance(local.uri(), local.configure(new Configuration()));
        assertThat(files.mkdirs(DIRECTORY)).isTrue();
    }

    @AfterEach
    void stop() throws IOException {
        files.close();
        local.close();
    }

    private void write(String path, int bytes) throws IOException {
        try (FSDataOutputStream out = files.create(new Path(path), true)) {
            out.write(new byte[bytes]);
        }
    }

    @Test
    void aWriterLearnsAtCreateThatNoNameIsLeft() throws IOException {
        files.setQuota(DIRECTORY, 2, DONT_SET);
        write("/d/a", 10);
        assertThatThrownBy(() -> files.create(new Path("/d/b"), true).close())
                .isInstanceOf(NSQuotaExceededException.class)
                .isInstanceOf(ClusterStorageCapacityExceededException.class)
                .hasMessageContaining(
                        "The NameSpace quota (directories and files) of directory /d is exceeded: quota=2 file count=3");
        assertThatThrownBy(() -> files.mkdirs(new Path("/d/x"))).isInstanceOf(NSQuotaExceededException.class);
        write("/d/a", 20);
        write("/e", 1);
        assertThatThrownBy(() -> files.rename(new Path("/e"), new Path("/d/e")))
                .isInstanceOf(NSQuotaExceededException.class);
        assertThat(files.exists(new Path("/e"))).isTrue();
    }

    @Test
    void aFileThatIsTooLargeIsNeverAcknowledged() throws IOException {
        files.setQuota(DIRECTORY, DONT_SET, 100);
        write("/d/a", 60);
        FSDataOutputStream out = files.create(new Path("/d/b"), true);
        out.write(new byte[41]);
        assertThatThrownBy(out::close)
                .isInstanceOf(DSQuotaExceededException.class)
                .hasMessageContaining("The DiskSpace quota of /d is exceeded: quota = 100 B");
        assertThat(files.exists(new Path("/d/b"))).isFalse();
        write("/d/b", 40);
        FSDataOutputStream more = files.append(new Path("/d/b"));
        more.write(1);
        assertThatThrownBy(more::close).isInstanceOf(DSQuotaExceededException.class);
        assertThat(files.getFileStatus(new Path("/d/b")).getLen()).isEqualTo(40);
    }

    @Test
    void usageAndSummaryTellQuotas() throws IOException {
        write("/d/s/a", 30);
        files.setQuota(DIRECTORY, 10, 1_000);
        QuotaUsage usage = files.getQuotaUsage(DIRECTORY);
        assertThat(usage.getQuota()).isEqualTo(10);
        assertThat(usage.getSpaceQuota()).isEqualTo(1_000);
        assertThat(usage.getFileAndDirectoryCount()).isEqualTo(3);
        assertThat(usage.getSpaceConsumed()).isEqualTo(30);
        ContentSummary summary = files.getContentSummary(DIRECTORY);
        assertThat(summary.getQuota()).isEqualTo(10);
        assertThat(summary.getSpaceQuota()).isEqualTo(1_000);
        assertThat(summary.getFileCount()).isEqualTo(1);
        assertThat(summary.getDirectoryCount()).isEqualTo(2);
        assertThat(summary.getSpaceConsumed()).isEqualTo(30);
        files.setQuota(DIRECTORY, -1, DONT_SET);
        assertThat(files.getQuotaUsage(DIRECTORY).getQuota()).isEqualTo(-1);
        assertThat(files.getQuotaUsage(DIRECTORY).getSpaceQuota()).isEqualTo(1_000);
        files.setQuota(DIRECTORY, -1, -1);
        assertThat(files.getQuotaUsage(DIRECTORY).getSpaceQuota()).isEqualTo(-1);
        assertThat(files.getContentSummary(DIRECTORY).getQuota()).isEqualTo(-1);
    }

    @Test
    void senselessQuotasAreRefused() throws IOException {
        write("/f", 1);
        assertThatThrownBy(() -> files.setQuota(new Path("/f"), 1, 1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> files.setQuota(new Path("/none"), 1, 1)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.setQuota(DIRECTORY, 0, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> files.setQuota(DIRECTORY, 1, -3)).isInstanceOf(IllegalArgumentException.class);
        assertThat(files.getQuotaUsage(DIRECTORY).getQuota()).isEqualTo(-1);
    }
}
