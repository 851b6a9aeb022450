// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Renames that replace, and copies, are one request each and lose nothing. */
@Timeout(120)
final class EntryChangesTest {
    private static final Path FILE = new Path("/d/f");
    private static final Path OTHER = new Path("/d/other");

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private PackingHadoopFileSystem files;
    private FileContext context;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        Configuration configuration = local.configure(new Configuration());
        files = (PackingHadoopFileSystem) FileSystem.get(local.uri(), configuration);
        context = FileContext.getFileContext(local.uri(), configuration);
        write(FILE, "file");
        write(OTHER, "other");
    }

    @AfterEach
    void stop() throws IOException {
        FileSystem.closeAll();
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

    private void replace(Path source, Path destination) throws IOException {
        context.rename(source, destination, Options.Rename.OVERWRITE);
    }

    /**
     * Returns the calls of the master since an earlier count, without those that workers and mounts make by themselves.
     */
    private Map<String, Long> since(Map<String, Long> before) throws IOException {
        Map<String, Long> since = new TreeMap<>(local.requests());
        before.forEach((method, count) -> since.merge(method, -count, Long::sum));
        since.values().removeIf(count -> count == 0);
        since.remove("Heartbeat");
        return since;
    }

    @Test
    void aRenameOverAFileIsOneRequest() throws IOException {
        Map<String, Long> before = local.requests();
        replace(FILE, OTHER);
        assertThat(since(before)).isEqualTo(Map.of("Apply", 1L));
        assertThat(read(OTHER)).isEqualTo("file");
        assertThat(files.exists(FILE)).isFalse();
    }

    /**
     * Opens the destination, which must be there, and reads it; returns the number of files that it read. A version that a rename replaces
     * after the open is gone, and its reader opens the path again.
     */
    private int look() throws IOException {
        try (FSDataInputStream in = files.open(OTHER)) {
            String text;
            try {
                text = new String(in.readAllBytes(), StandardCharsets.US_ASCII);
            } catch (FileNotFoundException e) {
                assertThat(e).hasMessageContaining("was deleted or overwritten");
                return 0;
            }
            assertThat(text).isIn("other", "file");
            return 1;
        }
    }

    @Test
    void atNoMomentNothingIsAtTheDestination() throws Exception {
        AtomicBoolean ends = new AtomicBoolean();
        ExecutorService reader = Executors.newSingleThreadExecutor();
        try {
            Future<Integer> seen = reader.submit(() -> {
                int looks = 0;
                do {
                    looks += look();
                } while (!ends.get());
                return looks;
            });
            for (int i = 0; i < 100; i++) {
                replace(FILE, OTHER);
                write(FILE, "file");
            }
            ends.set(true);
            assertThat(seen.get(60, TimeUnit.SECONDS)).isPositive();
        } finally {
            ends.set(true);
            reader.shutdownNow();
        }
    }

    @Test
    void aDirectoryReplacesAnEmptyOneAndNothingElse() throws IOException {
        Path directory = new Path("/d");
        Path empty = new Path("/empty");
        Path full = new Path("/full");
        assertThat(files.mkdirs(empty)).isTrue();
        write(new Path(full, "f"), "full");
        assertThatThrownBy(() -> replace(directory, full)).isInstanceOf(PathIsNotEmptyDirectoryException.class);
        assertThatThrownBy(() -> replace(FILE, empty)).isInstanceOf(PathIOException.class);
        assertThatThrownBy(() -> replace(empty, FILE)).isInstanceOf(PathIOException.class);
        assertThatThrownBy(() -> replace(directory, new Path("/d/below"))).isInstanceOf(IOException.class);
        Map<String, Long> before = local.requests();
        replace(directory, empty);
        assertThat(since(before)).containsEntry("Apply", 2L).doesNotContainKeys("Delete", "Rename");
        assertThat(read(new Path(empty, "f"))).isEqualTo("file");
        assertThat(files.exists(directory)).isFalse();
        assertThat(read(new Path(full, "f"))).isEqualTo("full");
    }

    @Test
    void whatCannotBeReplacedStays() throws IOException {
        assertThatThrownBy(() -> replace(FILE, FILE)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.rename(FILE, FILE, Options.Rename.OVERWRITE))
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> replace(new Path("/none"), FILE)).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> replace(FILE, new Path("/none/f"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> replace(FILE, new Path(OTHER, "f"))).isInstanceOf(ParentNotDirectoryException.class);
        assertThatThrownBy(() -> context.rename(FILE, OTHER)).isInstanceOf(FileAlreadyExistsException.class);
        Path inside = new Path(files.createSnapshot(FILE.getParent(), "s"), "f");
        assertThatThrownBy(() -> replace(OTHER, inside)).isInstanceOf(AccessControlException.class);
        assertThat(read(FILE)).isEqualTo("file");
        assertThat(read(OTHER)).isEqualTo("other");
    }

    @Test
    void aCopySharesTheBytesAndChangesByItself() throws IOException {
        files.setPermission(FILE, new FsPermission("640"));
        Path copy = new Path("/copy");
        Map<String, Long> before = local.requests();
        files.copy(FILE, copy);
        assertThat(since(before)).isEqualTo(Map.of("Apply", 1L, "Stat", 1L));
        assertThat(read(copy)).isEqualTo("file");
        assertThat(files.getFileStatus(copy).getPermission()).isEqualTo(new FsPermission("640"));

        Path tree = new Path("/tree");
        files.copy(FILE.getParent(), tree);
        write(new Path(tree, "f"), "changed");
        assertThat(read(FILE)).isEqualTo("file");
        assertThat(read(new Path(tree, "other"))).isEqualTo("other");

        Path past = files.createSnapshot(FILE.getParent(), "s");
        write(FILE, "later");
        Path restored = new Path("/restored");
        files.copy(new Path(past, "f"), restored);
        assertThat(read(restored)).isEqualTo("file");
        local.mount().flush();
        assertThat(read(restored)).isEqualTo("file");
    }

    @Test
    void whatCannotBeCopiedChangesNothing() throws IOException {
        Path directory = FILE.getParent();
        assertThatThrownBy(() -> files.copy(FILE, OTHER)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.copy(FILE, directory)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> files.copy(FILE, FILE)).isInstanceOf(PathIOException.class);
        assertThatThrownBy(() -> files.copy(directory, new Path(directory, "below")))
                .isInstanceOf(PathIOException.class);
        assertThatThrownBy(() -> files.copy(new Path("/none"), new Path("/x")))
                .isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.copy(FILE, new Path("/none/x"))).isInstanceOf(FileNotFoundException.class);
        assertThatThrownBy(() -> files.copy(FILE, new Path("packing://elsewhere:1/x")))
                .hasMessageContaining("Wrong FS");
        assertThat(read(OTHER)).isEqualTo("other");
        assertThat(files.listStatus(directory)).hasSize(2);
        assertThat(files.listStatus(new Path("/"))).hasSize(1);
    }

    @Test
    void aFileContextTakesRenamesAndDeletesSnapshots() throws IOException {
        Path directory = FILE.getParent();
        Path snapshot = context.createSnapshot(directory, "s");
        assertThat(snapshot.toUri().getPath()).isEqualTo("/d/.snapshot/s");
        write(FILE, "later");
        context.renameSnapshot(directory, "s", "t");
        assertThat(read(new Path("/d/.snapshot/t/f"))).isEqualTo("file");
        context.deleteSnapshot(directory, "t");
        assertThat(files.listStatus(new Path("/d/.snapshot"))).isEmpty();
        assertThat(context.createSnapshot(directory).getName()).startsWith("s");
    }
}
