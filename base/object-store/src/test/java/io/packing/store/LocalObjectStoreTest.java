// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class LocalObjectStoreTest extends ObjectStoreContract {
    private Path directory() throws IOException {
        return Files.createDirectories(temporary.resolve("store"));
    }

    @Override
    protected ObjectStore open() throws IOException {
        return ObjectStores.open(StoreOptions.from(Map.of("packing.store", "file://" + directory())));
    }

    @Test
    void temporaryFilesOfAProcessThatCrashedLongAgoAreDeletedAndNewerOnesStay() throws IOException {
        Path folder = Files.createDirectories(temporary.resolve("crashed/.tmp"));
        Path old = Files.write(folder.resolve("old"), new byte[10]);
        Path young = Files.write(folder.resolve("young"), new byte[10]);
        Files.setLastModifiedTime(old, FileTime.from(Instant.EPOCH));
        try (ObjectStore again = LocalObjectStore.open(temporary.resolve("crashed"))) {
            again.put("key", bytes("x"), PutCondition.NONE);
        }
        assertThat(old).doesNotExist();
        assertThat(young).exists();
    }

    @Test
    void nothingIsWrittenOutsideOfTheDirectoryAndNoTemporaryFileStays() throws IOException {
        try (ObjectStore store = LocalObjectStore.open(directory())) {
            store.put("%2E%2E/x", bytes("x"), PutCondition.NONE);
            store.put(".tmp/y", bytes("y"), PutCondition.IF_ABSENT);
            assertThatIOException().isThrownBy(() -> store.put(".tmp/y", bytes("z"), PutCondition.IF_ABSENT));
        }
        try (Stream<Path> files = Files.walk(temporary)) {
            assertThat(files.filter(Files::isRegularFile).toList())
                    .containsExactlyInAnyOrder(
                            directory().resolve("%252E%252E").resolve("x"),
                            directory().resolve("%2Etmp").resolve("y"));
        }
    }

    @Test
    void objectAndObjectsBelowItAreRefusedByName() throws IOException {
        try (ObjectStore store = LocalObjectStore.open(directory())) {
            store.put("p", bytes("x"), PutCondition.NONE);
            assertThatIOException()
                    .isThrownBy(() -> store.put("p/q", bytes("y"), PutCondition.NONE))
                    .withMessageContaining("p/q");
            assertThat(store.head("p/q")).isEmpty();
            store.put("d/q", bytes("x"), PutCondition.NONE);
            for (PutCondition condition : PutCondition.values()) {
                assertThatIOException().isThrownBy(() -> store.put("d", bytes("y"), condition));
            }
            assertThat(keysOf(store.list("", "", 10))).isEqualTo(List.of("d/q", "p"));
        }
    }

    @Test
    void missingDirectoryIsNamed() {
        Path missing = temporary.resolve("missing");
        assertThatIOException()
                .isThrownBy(() -> ObjectStores.open(StoreOptions.from(Map.of("packing.store", "file://" + missing))))
                .withMessageContaining(missing.toString())
                .withMessageContaining("create it");
    }

    @Test
    void directoryThatIsGoneIsNotMadeAgainAndLosesNothing() throws IOException {
        try (ObjectStore store = LocalObjectStore.open(directory())) {
            store.put("a", bytes("x"), PutCondition.NONE);
            Path away = Files.move(directory(), temporary.resolve("away"));
            Path gone = temporary.resolve("store");
            assertEachCallIsRefused(store, "there is no directory " + gone);
            assertThat(gone).doesNotExist();
            Files.move(away, gone);
            store.put("b", bytes("y"), PutCondition.IF_ABSENT);
            assertThat(keysOf(store.list("", "", 10))).isEqualTo(List.of("a", "b"));
        }
    }

    /** An unmounted disk leaves such a directory. */
    @Test
    void anotherDirectoryAtThePathIsNotTheStore() throws IOException {
        try (ObjectStore store = LocalObjectStore.open(directory())) {
            store.put("a", bytes("x"), PutCondition.NONE);
            Path unused = Files.move(directory(), temporary.resolve("away"));
            assertEachCallIsRefused(store, directory() + " is another directory than when the store was opened");
            assertThat(directory()).isEmptyDirectory();
        }
    }

    private void assertEachCallIsRefused(ObjectStore store, String reason) {
        for (ThrowingCallable call : List.<ThrowingCallable>of(
                () -> store.put("b", bytes("y"), PutCondition.NONE),
                () -> store.put("b", bytes("y"), PutCondition.IF_ABSENT),
                () -> store.get("a", 0, 1),
                () -> store.getTail("a", 1),
                () -> store.download("a", temporary.resolve("local")),
                () -> store.head("a"),
                () -> store.list("", "", 10),
                () -> store.delete(List.of("a")))) {
            assertThatExceptionOfType(MissingStoreException.class)
                    .isThrownBy(call)
                    .withMessageContaining(reason);
        }
    }
}
