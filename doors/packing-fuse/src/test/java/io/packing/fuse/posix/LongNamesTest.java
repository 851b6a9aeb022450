// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.bdt.Outcome;
import io.packing.bdt.master.table.row.Keys;
import io.packing.blob.FilePath;
import io.packing.fuse.mount.FuseMount;
import io.packing.fuse.posix.server.MountRig;
import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedStore.Sync;
import io.packing.sorted.SortedStoreOptions;
import io.packing.sorted.SortedStores;
import io.packing.sorted.WriteBatch;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.PackingOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Names of older mounts that are too long today: a listing has those that the kernel takes, and the others do not end
 * it.
 */
@Timeout(300)
class LongNamesTest {
    private static final FilePath D = new FilePath("/d");
    /** The longest name that the kernel takes from every FUSE server, in bytes. */
    private static final int NAME_MAX = 1_024;

    private static final String LISTED = "ü".repeat(NAME_MAX / 2);
    private static final String HIDDEN = "ü".repeat(NAME_MAX / 2 + 1);
    /** A name longer than a path: even a kernel that takes longer names from some servers refuses it. */
    private static final String REFUSED = "r".repeat(5_000);
    /** The short name under which the test makes the file, since no master of today makes the long one. */
    private static final String BEFORE_LISTED = "will-be-long";

    private static final String BEFORE_HIDDEN = "will-be-too-long";
    private static final String BEFORE_REFUSED = "will-be-refused";

    @TempDir
    private Path home;

    private static void write(MountRig rig, String name) throws IOException {
        try (PackingOutput out = rig.files().create(D.child(name), new CreateOptions("0", "0", 0644, true, true))) {
            out.write(name.getBytes(StandardCharsets.UTF_8));
        }
    }

    /** Gives entries the names that an older master gave them. */
    private void lengthenNames() throws IOException {
        List<Path> all;
        try (Stream<Path> files = Files.walk(home.resolve("master"))) {
            all = files.filter(Files::isDirectory).toList();
        }
        for (Path directory : all) {
            if (directory.endsWith("table")) {
                lengthenNames(directory);
            } else if (directory.endsWith("log")) {
                empty(directory);
            }
        }
    }

    /** Deletes the log, which would be played into the table again. */
    private static void empty(Path log) throws IOException {
        try (Stream<Path> files = Files.list(log)) {
            for (Path each : (Iterable<Path>) files::iterator) {
                Files.delete(each);
            }
        }
    }

    private static void lengthenNames(Path table) throws IOException {
        SortedStoreOptions config = new SortedStoreOptions(SortedStoreOptions.Engine.LEVELDB, 1 << 20, 1 << 20, 0);
        try (SortedStore store = SortedStores.open(table, config)) {
            WriteBatch batch = new WriteBatch();
            for (byte kind : new byte[] {Keys.ENTRY, Keys.INODE}) {
                try (Cursor rows = store.scan(new byte[] {kind}, new byte[] {(byte) (kind + 1)})) {
                    while (rows.next()) {
                        batch.delete(rows.key());
                        batch.put(longer(rows.key()), longer(rows.value()));
                    }
                }
            }
            store.write(batch, Sync.FSYNC);
        }
    }

    private static byte[] longer(byte[] row) {
        byte[] once = replace(row, BEFORE_LISTED, LISTED);
        return replace(replace(once, BEFORE_HIDDEN, HIDDEN), BEFORE_REFUSED, REFUSED);
    }

    private static byte[] replace(byte[] row, String name, String by) {
        // Each byte is one character of this.
        String text = new String(row, StandardCharsets.ISO_8859_1);
        if (!text.contains(name)) {
            return row;
        }
        int at = text.indexOf(name);
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(row, 0, at);
        bytes.writeBytes(by.getBytes(StandardCharsets.UTF_8));
        bytes.write(row, at + name.length(), row.length - at - name.length());
        return bytes.toByteArray();
    }

    private static List<String> names(Path directory) throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return all.map(each -> each.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aListingLeavesOutWhatTheKernelRefusesAndHasTheRest() throws Exception {
        assumeTrue(FuseMount.isPossible(), "/dev/fuse cannot be opened: load the fuse module, and run as root");
        try (MountRig rig = MountRig.start(home)) {
            for (String name : List.of("a", "z", BEFORE_LISTED, BEFORE_HIDDEN, BEFORE_REFUSED)) {
                write(rig, name);
            }
            rig.files().flush();
        }
        lengthenNames();
        try (MountRig rig = MountRig.start(home)) {
            assertThat(rig.files().bdt().list(D, "", 10).orElseThrow()).hasSize(5);
            try (FuseMount mount = rig.mount("m", false)) {
                Path d = mount.directory().resolve("d");
                assertThat(names(d)).containsExactly("a", "z", LISTED);
                String log = Files.readString(home.resolve("m.state/keeper.log"));
                assertThat(log).contains("/d: 2 names have more than 1024 bytes");

                assertThat(Files.readString(d.resolve(LISTED))).isEqualTo(BEFORE_LISTED);
                assertThatThrownBy(() ->
                                Files.move(d.resolve("a"), d.resolve(LISTED + "a"), StandardCopyOption.ATOMIC_MOVE))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("File name too long");
                assertThatThrownBy(() -> Files.delete(d.resolve("n".repeat(256))))
                        .isInstanceOf(FileSystemException.class)
                        .hasMessageContaining("File name too long");
                Files.move(d.resolve(LISTED), d.resolve("short"), StandardCopyOption.ATOMIC_MOVE);
                assertThat(names(d)).containsExactly("a", "short", "z");
                for (String name : names(d)) {
                    Files.delete(d.resolve(name));
                }
                assertThat(names(d)).isEmpty();
                assertThatThrownBy(() -> Files.delete(d)).isInstanceOf(DirectoryNotEmptyException.class);
                assertThat(Files.readString(home.resolve("m.state/keeper.log")))
                        .contains("/d was not removed: 2 names have more than 1024 bytes");

                for (String name : List.of(HIDDEN, REFUSED)) {
                    assertThat(rig.files().bdt().delete(D.child(name), false)).isEqualTo(Outcome.DONE);
                }
                Files.delete(d);
                assertThat(Files.exists(d)).isFalse();
            }
        }
    }
}
