// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonPathCapabilities;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.assertj.core.api.ThrowableAssert;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots through Hadoop's API are those of HDFS, as far as the API is open. */
@Timeout(120)
final class SnapshotsTest {
    private static final Path DIRECTORY = new Path("/d");
    private static final Path FILE = new Path("/d/f");

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private FileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        files = FileSystem.newInstance(local.uri(), local.configure(new Configuration()));
        write(FILE, "before");
    }

    @AfterEach
    void stop() throws IOException {
        files.close();
        local.close();
    }

    private void write(Path path, String text) throws IOException {
        try (FSDataOutputStream out = files.create(path, true)) {
            out.write(text.getBytes(StandardCharsets.US_ASCII));
        }
    }

    private String read(Path path) throws IOException {
        try (FSDataInputStream in = files.open(path)) {
            return new String(in.readAllBytes(), StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aSnapshotIsReadWhereHdfsHasIt() throws IOException {
        Path snapshot = files.createSnapshot(DIRECTORY, "s");
        assertThat(snapshot.toUri().getPath()).isEqualTo("/d/.snapshot/s");
        write(FILE, "after");
        assertThat(read(new Path(snapshot, "f"))).isEqualTo("before");
        assertThat(files.listStatus(snapshot)).hasSize(1);
        files.renameSnapshot(DIRECTORY, "s", "t");
        assertThat(read(new Path("/d/.snapshot/t/f"))).isEqualTo("before");
        assertThat(files.exists(snapshot)).isFalse();
        files.deleteSnapshot(DIRECTORY, "t");
        assertThat(files.listStatus(new Path("/d/.snapshot"))).isEmpty();
        assertThat(files.hasPathCapability(DIRECTORY, CommonPathCapabilities.FS_SNAPSHOTS))
                .isTrue();
    }

    @Test
    void withoutANameItIsCalledByItsTime() throws IOException {
        assertThat(files.createSnapshot(DIRECTORY).getName()).matches("s\\d{8}-\\d{6}\\.\\d{3}");
    }

    @Test
    void nothingChangesASnapshot() throws IOException {
        Path inside = new Path(files.createSnapshot(DIRECTORY, "s"), "f");
        Path snapshot = inside.getParent();
        Path other = new Path("/x");
        refused(() -> write(inside, "changed"));
        refused(() -> files.append(inside).close());
        refused(() -> files.truncate(inside, 1));
        refused(() -> files.concat(inside, new Path[] {FILE}));
        refused(() -> files.concat(FILE, new Path[] {inside}));
        refused(() -> files.delete(inside, false));
        refused(() -> files.delete(snapshot, true));
        refused(() -> files.rename(inside, other));
        refused(() -> files.rename(FILE, new Path(snapshot, "g")));
        refused(() -> files.mkdirs(new Path(snapshot, "made")));
        refused(() -> files.mkdirs(new Path("/d/.snapshot/made")));
        refused(() -> files.setPermission(inside, new FsPermission("600")));
        refused(() -> files.setOwner(inside, "o", "g"));
        refused(() -> files.setTimes(inside, 1, -1));
        refused(() -> files.createSnapshot(snapshot, "t"));
        refused(() -> ((LeaseRecoverable) files).recoverLease(inside));
        assertThat(read(inside)).isEqualTo("before");
        assertThat(read(FILE)).isEqualTo("before");
    }

    private static void refused(ThrowableAssert.ThrowingCallable change) {
        assertThatThrownBy(change)
                .isInstanceOf(AccessControlException.class)
                .hasMessageContaining("a snapshot is never changed");
    }

    @Test
    void aDirectoryWithSnapshotsIsNotDeleted() throws IOException {
        Path unused = files.createSnapshot(DIRECTORY, "s");
        assertThatThrownBy(() -> files.delete(DIRECTORY, true))
                .isInstanceOf(PathIOException.class)
                .hasMessageContaining("has the snapshot s of /d");
        assertThat(read(FILE)).isEqualTo("before");
        files.deleteSnapshot(DIRECTORY, "s");
        assertThat(files.delete(DIRECTORY, true)).isTrue();
    }

    @Test
    void whatIsNotThereIsNotFoundAndNamesAreTakenOnce() throws IOException {
        Path unused = files.createSnapshot(DIRECTORY, "s");
        assertThatThrownBy(() -> files.createSnapshot(DIRECTORY, "s"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("already");
        assertThatThrownBy(() -> files.deleteSnapshot(DIRECTORY, "t")).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.createSnapshot(new Path("/none"), "s"))
                .isInstanceOf(FileNotFoundException.class);
    }
}
