// SPDX-License-Identifier: Apache-2.0
package io.packing.store.google;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.packing.seed.Seed;
import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.PutCondition;
import io.packing.store.RequestMeter;
import io.packing.store.StreamedBody;
import io.packing.store.UntrustedStreamException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.OptionalInt;
import java.util.zip.CRC32C;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Failures of Google Cloud Storage, and what a store makes of them. */
@NullUnmarked
class GoogleFaultsTest {
    private static final int LENGTH = 12_000_001;

    @TempDir
    private Path directory;

    private final RequestMeter meter = new RequestMeter();
    private final byte[] content = new byte[LENGTH];
    private GoogleStub bucket;
    private ObjectStore store;
    private Path file;

    @BeforeEach
    void start() throws IOException {
        Seed.random().nextBytes(content);
        file = Files.write(directory.resolve("file"), content);
        bucket = new GoogleStub();
        store = ObjectStores.open(
                GoogleFixtures.options(bucket.endpoint(), "p", Map.of("packing.s3.put.single.max", "5MB")), meter);
    }

    @AfterEach
    void stop() {
        store.close();
        bucket.close();
    }

    @Test
    void aPartThatBreaksOffGoesOnWhereTheStoreHasIt() throws IOException {
        bucket.cutParts(2);
        CRC32C crc = new CRC32C();
        crc.update(content);
        store.put("k", file, OptionalInt.of((int) crc.getValue()), PutCondition.IF_ABSENT);
        assertThat(bucket.kept()).isEqualTo(content);
        assertThat(bucket.calls)
                .contains(
                        "bytes */" + LENGTH,
                        "bytes 262144-5242879/" + LENGTH,
                        "bytes 524288-5242879/" + LENGTH,
                        "bytes 5242880-10485759/" + LENGTH);
        assertThat(bucket.calls.get(1)).contains("ifGenerationMatch=0");
    }

    @Test
    void aLargeFileThatTheStoreKeepsOtherwiseIsDeleted() {
        bucket.keepOtherBytes();
        assertThatIOException()
                .isThrownBy(() -> store.put("k", file, OptionalInt.empty(), PutCondition.IF_ABSENT))
                .withMessageContaining("the store has the checksum");
        assertThat(bucket.calls).anyMatch(call -> call.startsWith("DELETE") && call.contains("ifGenerationMatch=7"));
    }

    @Test
    void aStreamThatTheStoreKeepsOtherwiseIsDeletedAndSaidNotToBeKept() {
        assertThatExceptionOfType(UntrustedStreamException.class)
                .isThrownBy(() -> store.put(
                        "k", new StreamedBody(3, new ByteArrayInputStream(new byte[3])), PutCondition.IF_ABSENT));
        assertThat(bucket.calls).anyMatch(call -> call.startsWith("DELETE") && call.contains("ifGenerationMatch=7"));
    }

    @Test
    void throttledAndFailedRequestsAreRepeatedAndCounted() throws IOException {
        bucket.refuse(2, 503, "slow down");
        assertThat(store.list("", "", 10)).isEmpty();
        bucket.refuse(1, 500, "backend error");
        assertThat(store.list("", "", 10)).isEmpty();
        assertThat(meter.snapshot().throttled()).isEqualTo(2);
        assertThat(meter.snapshot().failed()).isEqualTo(1);
    }

    @Test
    void anAnswerThatBreaksOffBeforeItsFirstByteIsAskedForAgain() throws IOException {
        bucket.breakOff(1);
        assertThat(store.list("", "", 10)).isEmpty();
        assertThat(meter.snapshot().failed()).isEqualTo(1);
    }

    @Test
    void anotherDocumentAndOneThatEndsTooEarlyAreAskedForAgain() throws IOException {
        bucket.say("<html><body>Sign in to this network</body></html>");
        assertThat(store.list("", "", 10)).isEmpty();
        bucket.say("{\"kind\": \"storage#objects\", \"items\": [{\"name\": \"p/a\"");
        assertThat(store.list("", "", 10)).isEmpty();
        assertThat(meter.snapshot().failed()).isEqualTo(2);
    }

    @Test
    void aRefusalNamesTheCredentialsAndThePermission() {
        bucket.refuse(1, 403, "pod@project.iam does not have storage.objects.create access");
        assertThatIOException()
                .isThrownBy(() -> store.put("k", ByteBuffer.allocate(1), PutCondition.NONE))
                .withMessageContaining("gs://bucket/p")
                .withMessageContaining("credentials refused (403")
                .withMessageContaining("storage.objects.create");
    }

    private void copy() throws IOException {
        try (ObjectStore from = ObjectStores.open(GoogleFixtures.options(bucket.endpoint(), "q", Map.of()), meter)) {
            assertThat(store.takesCopies(from, 7)).isTrue();
            store.copy(from, new ObjectInfo("k", 7, "1", Instant.EPOCH));
        }
    }

    @Test
    void aCopyOfSeveralStepsGoesOnWithTheStoresToken() throws IOException {
        bucket.copyInSteps(3, 3, 7);
        copy();
        assertThat(bucket.calls.stream().filter(call -> call.contains("/rewriteTo/")))
                .satisfiesExactly(
                        call -> assertThat(call).doesNotContain("rewriteToken"),
                        call -> assertThat(call).contains("rewriteToken=step2"),
                        call -> assertThat(call).contains("rewriteToken=step1"));
    }

    @Test
    void aCopyThatDoesNotGoOnOrHasAnotherLengthFails() {
        bucket.copyInSteps(1_000_000, 0, 7);
        assertThatIOException().isThrownBy(this::copy).withMessageContaining("did not say that it has copied");
        bucket.copyInSteps(1, 6, 6);
        assertThatIOException()
                .isThrownBy(this::copy)
                .withMessageContaining("the copy has 6 bytes, and the object had 7");
    }
}
