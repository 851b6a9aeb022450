// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.delta.storage.CloseableIterator;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PackingLogStoreTest {
    private static final Path VERSION = new Path("/table/_delta_log/00000000000000000000.json");

    @TempDir
    private java.nio.file.Path temp;

    private LocalMount local;
    private Configuration configuration;
    private PackingLogStore store;
    private Path version;

    @BeforeEach
    void start() throws IOException {
        local = LocalMount.start(temp, "1h");
        configuration = local.configure(new Configuration());
        store = new PackingLogStore(configuration);
        version = VERSION.makeQualified(local.uri(), new Path("/"));
    }

    @AfterEach
    void stop() throws IOException {
        FileSystem.closeAll();
        local.close();
    }

    private void write(boolean overwrites, String... actions) throws IOException {
        store.write(version, List.of(actions).iterator(), overwrites, configuration);
    }

    private List<String> read() throws IOException {
        List<String> lines = new ArrayList<>();
        try (CloseableIterator<String> actions = store.read(version, configuration)) {
            actions.forEachRemaining(lines::add);
        }
        return lines;
    }

    private List<String> listed() throws IOException {
        List<String> names = new ArrayList<>();
        Iterator<FileStatus> found = store.listFrom(version, configuration);
        found.forEachRemaining(status -> names.add(status.getPath().getName()));
        return names;
    }

    @Test
    void aVersionIsWrittenOnceAndTheOtherWriterIsToldSo() throws IOException {
        write(false, "first", "actiön");
        assertThatThrownBy(() -> write(false, "second"))
                .isInstanceOf(FileAlreadyExistsException.class)
                .hasMessageContaining("00000000000000000000.json");
        assertThatThrownBy(() -> write(false, "other", "actiön"))
                .as("as many bytes, and other ones")
                .isInstanceOf(FileAlreadyExistsException.class);
        assertThat(read()).containsExactly("first", "actiön");
        assertThat(listed()).as("no draft is left").containsExactly(version.getName());
    }

    /** A client tries again after a lost answer: both times are one commit. */
    @Test
    void aRepeatedCommitOfTheSameActionsHasSucceeded() throws IOException {
        write(false, "mine");
        write(false, "mine");
        assertThat(read()).containsExactly("mine");
    }

    @Test
    void anOverwriteReplacesTheFile() throws IOException {
        write(false, "first");
        write(true, "second");
        assertThat(read()).containsExactly("second");
    }

    @Test
    void actionsThatFailLeaveNoVersion() {
        Iterator<String> broken = new Iterator<>() {
            private boolean began;

            @Override
            public boolean hasNext() {
                return true;
            }

            @Override
            public String next() {
                if (began) {
                    throw new NoSuchElementException("the disk of the job is full");
                }
                began = true;
                return "first";
            }
        };
        assertThatThrownBy(() -> store.write(version, broken, false, configuration))
                .hasMessage("the disk of the job is full");
        assertThatThrownBy(this::read).isInstanceOf(FileNotFoundException.class);
    }

    @Test
    void readersNeverSeeAPartOfAVersion() {
        assertThat(store.isPartialWriteVisible(version, configuration)).isFalse();
    }
}
