// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Outcome;
import io.packing.bdt.Placement;
import io.packing.bdt.client.GrpcBdts;
import io.packing.blob.FilePath;
import io.packing.seed.Seed;
import java.io.ByteArrayOutputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Flushed bytes are in the file, for all readers and for good; the rest is not. */
@Timeout(120)
final class FlushTest {
    private static final Path LOG = new Path("/wal/log");

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private FileSystem files;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        files = FileSystem.newInstance(local.uri(), local.configure(new Configuration()));
    }

    @AfterEach
    void stop() throws IOException {
        files.close();
        local.close();
    }

    private byte[] read(Path path) throws IOException {
        try (FSDataInputStream stream = files.open(path)) {
            return stream.readAllBytes();
        }
    }

    private int scratchFiles() throws IOException {
        return local.mount()
                .bdt()
                .list(FilePath.SCRATCH, "", 1_000)
                .map(each -> each.size())
                .orElse(0);
    }

    @Test
    void othersReadWhatWasFlushedAndNothingElse() throws IOException {
        FSDataOutputStream log = files.create(LOG);
        assertThat(log.hasCapability("hflush")).isTrue();
        assertThat(log.hasCapability("hsync")).isTrue();
        assertThat(files.exists(LOG)).isFalse();
        log.hflush();
        assertThat(read(LOG)).isEmpty();
        log.write(1);
        log.write(2);
        assertThat(read(LOG)).isEmpty();
        log.hsync();
        log.write(3);
        assertThat(read(LOG)).containsExactly(1, 2);
        log.hflush();
        log.hflush();
        assertThat(read(LOG)).containsExactly(1, 2, 3);
        log.write(4);
        log.close();
        log.close();
        assertThat(read(LOG)).containsExactly(1, 2, 3, 4);
        assertThat(scratchFiles()).isZero();
        assertThatThrownBy(() -> log.write(5)).isInstanceOf(IOException.class);
    }

    @Test
    void manyFlushesOfAnySizeAreFewExtents() throws IOException {
        Random random = Seed.random();
        ByteArrayOutputStream expected = new ByteArrayOutputStream();
        int flushes = 400;
        try (FSDataOutputStream log = files.create(LOG)) {
            for (int i = 0; i < flushes; i++) {
                byte[] bytes = new byte[random.nextInt(50) == 0 ? random.nextInt(600_000) : random.nextInt(2_000)];
                random.nextBytes(bytes);
                log.write(bytes);
                expected.writeBytes(bytes);
                if (random.nextInt(3) > 0) {
                    log.hflush();
                    assertThat(files.getFileStatus(LOG).getLen()).isEqualTo(expected.size());
                    if (random.nextInt(60) == 0) {
                        assertThat(read(LOG)).isEqualTo(expected.toByteArray());
                    }
                }
            }
        }
        assertThat(read(LOG)).isEqualTo(expected.toByteArray());
        assertThat(scratchFiles()).isZero();
        LocatedFile found = local.mount().bdt().locate(new FilePath("/wal/log")).orElseThrow();
        assertThat(found.placement()).isInstanceOf(Placement.Mapped.class);
        assertThat(((Placement.Mapped) found.placement()).pieces()).hasSizeLessThan(flushes / 4);
    }

    @Test
    void aWriterGoesOnAfterARenameAndASnapshot() throws IOException {
        FSDataOutputStream log = files.create(LOG);
        log.write(1);
        log.hflush();
        files.createSnapshot(new Path("/wal"), "s");
        log.write(2);
        log.hflush();
        log.write(3);
        log.hflush();
        Path moved = new Path("/old/log");
        assertThat(files.mkdirs(moved.getParent())).isTrue();
        assertThat(files.rename(LOG, moved)).isTrue();
        log.write(4);
        log.hflush();
        log.write(5);
        log.close();
        assertThat(read(moved)).containsExactly(1, 2, 3, 4, 5);
        assertThat(read(new Path("/wal/.snapshot/s/log"))).containsExactly(1);
        assertThat(files.exists(LOG)).isFalse();
    }

    @Test
    void afterItsLeaseIsRecoveredAWriterWritesNoMore() throws IOException {
        LeaseRecoverable leases = (LeaseRecoverable) files;
        FSDataOutputStream log = files.create(LOG);
        assertThatThrownBy(() -> leases.recoverLease(LOG)).isInstanceOf(FileNotFoundException.class);
        log.write(1);
        log.hflush();
        log.write(2);
        assertThat(leases.recoverLease(LOG)).isTrue();
        assertThat(leases.isFileClosed(LOG)).isTrue();
        assertThatThrownBy(log::hflush).hasMessageContaining("nothing was appended");
        assertThatThrownBy(() -> log.write(3)).isInstanceOf(IOException.class);
        assertThatThrownBy(log::close).isInstanceOf(IOException.class);
        log.close();
        assertThat(read(LOG)).containsExactly(1);
        assertThat(scratchFiles()).isZero();

        Path empty = new Path("/wal/empty");
        FSDataOutputStream nothing = files.create(empty);
        nothing.hflush();
        FileStatus before = files.getFileStatus(empty);
        assertThat(leases.recoverLease(empty)).isTrue();
        nothing.write(1);
        assertThatThrownBy(nothing::hflush).hasMessageContaining("nothing was appended");
        FileStatus after = files.getFileStatus(empty);
        assertThat(after.getLen()).isZero();
        assertThat(after.getOwner()).isEqualTo(before.getOwner());
        assertThat(after.getPermission()).isEqualTo(before.getPermission());
    }

    @Test
    void ofTwoWritersOneIsRefusedAndNothingOfItAppears() throws IOException {
        files.create(LOG).close();
        FSDataOutputStream first = files.append(LOG);
        FSDataOutputStream second = files.append(LOG);
        first.write(1);
        second.write(2);
        first.hflush();
        assertThatThrownBy(second::hflush).hasMessageContaining("nothing was appended");
        first.write(3);
        first.close();
        assertThat(read(LOG)).containsExactly(1, 3);
        assertThat(scratchFiles()).isZero();
    }

    @Test
    void aFlushLeavesNoScratchFileBehind() throws IOException {
        try (FSDataOutputStream log = files.create(LOG)) {
            for (int i = 1; i <= 3; i++) {
                log.write(i);
                log.hflush();
                assertThat(scratchFiles()).isZero();
            }
        }
        assertThat(read(LOG)).containsExactly(1, 2, 3);
    }

    /** The master deletes scratch files that are a day old. */
    @Test
    void aWriterGoesOnAfterTheMasterDeletedOldScratchFiles() throws IOException {
        try (FSDataOutputStream log = files.create(LOG)) {
            log.hflush();
            log.write(1);
            log.hflush();
            for (io.packing.bdt.FileStatus old :
                    local.mount().bdt().list(FilePath.SCRATCH, "", 1_000).orElse(List.of())) {
                assertThat(local.mount().bdt().delete(old.path(), false)).isEqualTo(Outcome.DONE);
            }
            log.write(2);
            log.hflush();
        }
        assertThat(read(LOG)).containsExactly(1, 2);
    }

    @Test
    void aMountThatSyncsNothingSaysSo() throws IOException {
        Configuration plain = local.configure(new Configuration());
        try (GrpcBdts master = GrpcBdts.connect(local.uri().getAuthority(), Duration.ofSeconds(30))) {
            String mount = master.terms().open(Map.of("packing.store", plain.get("packing.store")));
            assertThat(master.terms()
                            .set(mount, Map.of("packing.durability", "buffered"))
                            .set())
                    .containsExactly("packing.durability");
        }
        try (FileSystem other = FileSystem.newInstance(local.uri(), plain);
                FSDataOutputStream log = other.create(LOG)) {
            assertThat(log.hasCapability("hsync")).isFalse();
            assertThat(log.hasCapability("hflush")).isTrue();
            assertThatThrownBy(log::hsync)
                    .isInstanceOf(UnsupportedOperationException.class)
                    .hasMessageContaining("packing.durability");
        }
    }
}
