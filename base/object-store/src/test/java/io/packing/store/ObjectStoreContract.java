// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

/** The contract of every object store. */
public abstract class ObjectStoreContract extends StreamedPutContract {
    @Test
    void putBytesComeBackWholeInRangesAndFromTheTail() throws IOException {
        store.put("a/b", bytes("0123456789"), PutCondition.NONE);
        assertThat(text(store.get("a/b", 0, 10))).isEqualTo("0123456789");
        assertThat(text(store.get("a/b", 3, 4))).isEqualTo("3456");
        assertThat(text(store.get("a/b", 9, 1))).isEqualTo("9");
        assertThat(text(store.get("a/b", 5, 0))).isEmpty();
        assertThat(text(store.getTail("a/b", 3))).isEqualTo("789");
        assertThat(text(store.getTail("a/b", 10))).isEqualTo("0123456789");
        assertThat(text(store.getTail("a/b", 100))).isEqualTo("0123456789");
    }

    @Test
    void aServerCopiesAnObjectFromAnotherStoreOfIts() throws IOException {
        try (ObjectStore other = open()) {
            other.put("a/b", bytes("0123456789"), PutCondition.NONE);
            ObjectInfo object = other.head("a/b").orElseThrow();
            assumeTrue(store.takesCopies(other, object.length()), "the store takes no copies");
            store.copy(other, object);
            assertThat(text(store.getTail("a/b", 100))).isEqualTo("0123456789");
            store.copy(other, object);
            assertThat(store.head("a/b").orElseThrow().length()).isEqualTo(10);
        }
    }

    @Test
    void putFromFileComesBackByDownload() throws IOException {
        byte[] content = new byte[300_000];
        random().nextBytes(content);
        Path source = Files.write(temporary.resolve("source"), content);
        store.put("blob", source, PutCondition.NONE);
        Path target = temporary.resolve("target");
        store.download("blob", target);
        assertThat(target).hasBinaryContent(content);
        assertThatExceptionOfType(FileAlreadyExistsException.class).isThrownBy(() -> store.download("blob", target));
    }

    @Test
    void aFileIsOnlyPutWithTheChecksumThatItShouldHave() throws IOException {
        byte[] content = new byte[300_000];
        random().nextBytes(content);
        Path source = Files.write(temporary.resolve("source"), content);
        CRC32C crc = new CRC32C();
        crc.update(content);
        OptionalInt right = OptionalInt.of((int) crc.getValue());

        content[200_000] ^= 1;
        Files.write(source, content);
        assertThatIOException().isThrownBy(() -> store.put("blob", source, right, PutCondition.IF_ABSENT));
        assertThat(store.head("blob")).isEmpty();

        content[200_000] ^= 1;
        Files.write(source, content);
        store.put("blob", source, right, PutCondition.IF_ABSENT);
        assertThat(store.get("blob", 0, content.length)).isEqualTo(ByteBuffer.wrap(content));
    }

    @Test
    void putLeavesTheCallersBufferAlone() throws IOException {
        ByteBuffer window = bytes("0123456789");
        window.position(2).limit(5);
        store.put("k", window, PutCondition.NONE);
        assertThat(window.position()).isEqualTo(2);
        assertThat(window.limit()).isEqualTo(5);
        assertThat(text(store.get("k", 0, 3))).isEqualTo("234");
        store.put("readonly", window.asReadOnlyBuffer(), PutCondition.NONE);
        assertThat(text(store.get("readonly", 0, 3))).isEqualTo("234");
    }

    @Test
    void emptyObjectIsAnObject() throws IOException {
        store.put("empty", bytes(""), PutCondition.NONE);
        assertThat(store.head("empty"))
                .hasValueSatisfying(info -> assertThat(info.length()).isZero());
        assertThat(text(store.getTail("empty", 10))).isEmpty();
        Path target = temporary.resolve("target");
        store.download("empty", target);
        assertThat(target).isEmptyFile();
    }

    @Test
    void aRangeFillsBuffersOneAfterTheOther() throws IOException {
        store.put("k", bytes("0123456789"), PutCondition.NONE);
        ByteBuffer first = ByteBuffer.allocate(5).position(2).limit(4);
        ByteBuffer second = ByteBuffer.allocate(9).position(1).slice();
        second.limit(5);
        assertThat(store.get("k", 1, List.of(first, ByteBuffer.allocate(0), second)))
                .isEqualTo(7);
        assertThat(text(first.flip().position(2))).isEqualTo("12");
        assertThat(text(second.flip())).isEqualTo("34567");
        assertThat(store.get("k", 3, List.of())).isZero();
        assertThatExceptionOfType(IOException.class)
                .isThrownBy(() -> store.get("k", 8, List.of(ByteBuffer.allocate(2), ByteBuffer.allocate(1))));
    }

    @Test
    void rangeBeyondTheEndIsRefused() throws IOException {
        store.put("k", bytes("0123456789"), PutCondition.NONE);
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.get("k", 8, 3));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.get("k", 10, 1));
        assertThatExceptionOfType(IOException.class).isThrownBy(() -> store.get("k", 1_000, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> store.get("k", -1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> store.get("k", 0, -1));
    }

    @Test
    void absentObjectIsSaidToBeAbsent() throws IOException {
        assertThat(store.head("no")).isEmpty();
        assertThatExceptionOfType(ObjectNotFoundException.class).isThrownBy(() -> store.get("no", 0, 1));
        assertThatExceptionOfType(ObjectNotFoundException.class).isThrownBy(() -> store.getTail("no", 1));
        Path target = temporary.resolve("target");
        assertThatExceptionOfType(ObjectNotFoundException.class).isThrownBy(() -> store.download("no", target));
        assertThat(target).doesNotExist();
    }

    @Test
    void replacingChangesContentLengthAndVersion() throws IOException {
        store.put("k", bytes("old"), PutCondition.NONE);
        ObjectInfo old = store.head("k").orElseThrow();
        store.put("k", bytes("newer"), PutCondition.NONE);
        ObjectInfo replaced = store.head("k").orElseThrow();
        assertThat(replaced.length()).isEqualTo(5);
        assertThat(replaced.version()).isNotEqualTo(old.version());
        assertThat(text(store.getTail("k", 10))).isEqualTo("newer");
    }

    @Test
    void conditionalPutNeverReplaces() throws IOException {
        store.put("k", bytes("first"), PutCondition.IF_ABSENT);
        assertThatExceptionOfType(PreconditionFailedException.class)
                .isThrownBy(() -> store.put("k", bytes("second"), PutCondition.IF_ABSENT));
        assertThat(text(store.getTail("k", 10))).isEqualTo("first");
        store.delete(List.of("k"));
        store.put("k", bytes("third"), PutCondition.IF_ABSENT);
        assertThat(text(store.getTail("k", 10))).isEqualTo("third");
    }

    @Test
    void exactlyOneOfManyConditionalPutsWins() throws Exception {
        int writers = 8;
        ExecutorService threads = Executors.newFixedThreadPool(writers);
        try {
            for (int round = 0; round < 5; round++) {
                String key = "race-" + round;
                List<Callable<Boolean>> puts = new ArrayList<>();
                for (int writer = 0; writer < writers; writer++) {
                    String content = "writer " + writer;
                    puts.add(() -> wins(key, content));
                }
                List<Integer> winners = new ArrayList<>();
                List<Future<Boolean>> results = threads.invokeAll(puts);
                for (int writer = 0; writer < writers; writer++) {
                    if (results.get(writer).get()) {
                        winners.add(writer);
                    }
                }
                assertThat(winners).hasSize(1);
                assertThat(text(store.getTail(key, 100))).isEqualTo("writer " + winners.get(0));
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private boolean wins(String key, String content) throws IOException {
        try {
            store.put(key, bytes(content), PutCondition.IF_ABSENT);
            return true;
        } catch (PreconditionFailedException e) {
            return false;
        }
    }

    @Test
    void listPagesInUtf8OrderWithinThePrefix() throws IOException {
        List<String> sorted = List.of("a-", "a.b", "a/1", "a/1.x", "a/2/3", "a/2/4", "a0");
        List<String> keys = List.of("a0", "a/2/4", "a/1", "a.b", "a-", "a/1.x", "a/2/3");
        for (String key : keys) {
            store.put(key, bytes(key), PutCondition.NONE);
        }
        assertThat(keysOf(store.list("", "", 1_000))).isEqualTo(sorted);
        assertThat(keysOf(store.list("a/", "", 1_000))).isEqualTo(sorted.subList(2, 6));
        assertThat(keysOf(store.list("a/2", "", 1_000))).containsExactly("a/2/3", "a/2/4");
        assertThat(store.list("b", "", 1_000)).isEmpty();
        for (int limit = 1; limit <= 3; limit++) {
            assertThat(pages("a", limit)).isEqualTo(sorted);
        }
        assertThat(store.list("a/1", "", 1).get(0).length()).isEqualTo(3);
    }

    /** Returns whether lists are in UTF-8 order beyond the basic plane, as in S3. */
    protected boolean listsInUtf8Order() {
        return true;
    }

    @Test
    void charactersBeyondTheSurrogatesSortByTheirUtf8Bytes() throws IOException {
        assumeTrue(listsInUtf8Order(), "this server lists in UTF-16 order; run against a real one");
        store.put("a/\ud83d\ude00", bytes("x"), PutCondition.NONE);
        store.put("a/\uff5e", bytes("x"), PutCondition.NONE);
        assertThat(keysOf(store.list("", "", 10))).containsExactly("a/\uff5e", "a/\ud83d\ude00");
        assertThat(keysOf(store.list("", "a/\uff5e", 10))).containsExactly("a/\ud83d\ude00");
    }

    @Test
    void listStartsAfterAKeyThatNeedNotExist() throws IOException {
        for (String key : List.of("a/1", "b/1", "b/2/x", "c")) {
            store.put(key, bytes("x"), PutCondition.NONE);
        }
        assertThat(keysOf(store.list("", "b", 10))).containsExactly("b/1", "b/2/x", "c");
        assertThat(keysOf(store.list("", "b/1", 10))).containsExactly("b/2/x", "c");
        assertThat(keysOf(store.list("", "b/1zzz", 10))).containsExactly("b/2/x", "c");
        assertThat(keysOf(store.list("b/", "a/1", 10))).containsExactly("b/1", "b/2/x");
        assertThat(store.list("b/", "c", 10)).isEmpty();
        assertThat(store.list("", "c", 10)).isEmpty();
    }

    protected final List<String> pages(String prefix, int limit) throws IOException {
        List<String> keys = new ArrayList<>();
        String after = "";
        while (true) {
            List<ObjectInfo> page = store.list(prefix, after, limit);
            if (page.isEmpty()) {
                return keys;
            }
            assertThat(page.size()).isLessThanOrEqualTo(limit);
            keys.addAll(keysOf(page));
            after = keys.get(keys.size() - 1);
        }
    }

    @Test
    void deletedObjectsAreGoneAndAbsentOnesAreNoError() throws IOException {
        for (String key : List.of("d/1", "d/2", "d/3")) {
            store.put(key, bytes("x"), PutCondition.NONE);
        }
        store.delete(List.of("d/1", "d/3", "d/never"));
        store.delete(List.of());
        assertThat(keysOf(store.list("", "", 10))).containsExactly("d/2");
        assertThat(store.head("d/1")).isEmpty();
    }

    protected List<String> legalNames() {
        return List.of(
                "with space/and  two",
                "percent%41%2F%zz",
                "plus+and&amp;=?#<>\"'",
                "\u00fcml\u00e4ut/\u6f22\u5b57/\ud83d\ude00",
                ".hidden/.tmp",
                "..dots/...",
                "back\\slash",
                "tilde~!*()[]{}|^`;:@,$",
                "x".repeat(ObjectKeys.MAX_SEGMENT_BYTES));
    }

    @Test
    void everyLegalNameRoundTrips() throws IOException {
        List<String> keys = legalNames();
        for (String key : keys) {
            store.put(key, bytes("content of " + key), PutCondition.IF_ABSENT);
        }
        for (String key : keys) {
            assertThat(text(store.getTail(key, 1_000))).isEqualTo("content of " + key);
            assertThat(store.head(key)).isPresent();
        }
        assertThat(keysOf(store.list("", "", 1_000))).containsExactlyInAnyOrderElementsOf(keys);
        store.delete(keys);
        assertThat(store.list("", "", 1_000)).isEmpty();
    }

    @Test
    void hostileKeysAreRefusedAndWriteNothing() throws IOException {
        List<String> hostile = List.of(
                "",
                "/",
                "/etc/passwd",
                "a/",
                "a//b",
                ".",
                "..",
                "../up",
                "a/../../up",
                "a/./b",
                "nul\0",
                "line\nbreak",
                "lone\ud800surrogate",
                "x".repeat(ObjectKeys.MAX_SEGMENT_BYTES + 1),
                "y/".repeat(600) + "z");
        for (String key : hostile) {
            assertThatIllegalArgumentException()
                    .as(key)
                    .isThrownBy(() -> store.put(key, bytes("x"), PutCondition.NONE));
            assertThatIllegalArgumentException().as(key).isThrownBy(() -> store.getTail(key, 1));
            assertThatIllegalArgumentException().as(key).isThrownBy(() -> store.head(key));
            assertThatIllegalArgumentException().as(key).isThrownBy(() -> store.delete(List.of(key)));
        }
        assertThat(store.list("", "", 10)).isEmpty();
    }

    protected static List<String> keysOf(List<ObjectInfo> page) {
        return page.stream().map(ObjectInfo::key).toList();
    }
}
