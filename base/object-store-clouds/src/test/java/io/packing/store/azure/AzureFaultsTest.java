// SPDX-License-Identifier: Apache-2.0
package io.packing.store.azure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import io.packing.store.ObjectInfo;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.PutCondition;
import io.packing.store.RequestMeter;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.NullUnmarked;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Failures of Azure Blob Storage, and what a store makes of them. */
@NullUnmarked
class AzureFaultsTest {
    private static final int PUT_SINGLE_MAX = 5 << 20;

    private final RequestMeter meter = new RequestMeter();
    private AzureStub container;
    private ObjectStore store;

    @BeforeEach
    void start() throws IOException {
        container = new AzureStub();
        open("10s");
    }

    private void open(String patience) throws IOException {
        store = ObjectStores.open(
                AzureFixtures.options(
                        container.endpoint(),
                        "p",
                        Map.of(
                                "packing.s3.put.single.max",
                                Integer.toString(PUT_SINGLE_MAX),
                                "packing.s3.retry.timeout",
                                patience)),
                meter);
    }

    @AfterEach
    void stop() {
        store.close();
        container.close();
    }

    private void listsAfterFailures(int failed) throws IOException {
        assertThat(store.list("", "", 10)).extracting(ObjectInfo::key).containsExactly("a");
        assertThat(meter.snapshot().failed()).isEqualTo(failed);
    }

    @Test
    void throttledAndFailedRequestsAreRepeatedAndCounted() throws IOException {
        container.refuse(503, "ServerBusy");
        container.refuse(429, "");
        container.refuse(500, "InternalError");
        listsAfterFailures(1);
        assertThat(meter.snapshot().throttled()).isEqualTo(2);
    }

    @Test
    void aListingWithoutAByteIsAskedForAgain() throws IOException {
        container.say("");
        listsAfterFailures(1);
    }

    @Test
    void aListingThatBreaksOffIsAskedForAgain() throws IOException {
        container.breakOff("");
        container.breakOff(AzureStub.page("b").substring(0, 150));
        listsAfterFailures(2);
    }

    @Test
    void aListingThatEndsTooEarlyIsAskedForAgain() throws IOException {
        String page = AzureStub.page("b");
        for (String end : List.of("<Name>", "</Blob>", "</Blobs>", "<NextMarker/>", "</EnumerationResults>")) {
            container.say(page.substring(0, page.indexOf(end)));
        }
        listsAfterFailures(5);
    }

    @Test
    void anotherDocumentIsAskedForAgain() throws IOException {
        container.say(AzureStub.PORTAL);
        listsAfterFailures(1);
    }

    @ParameterizedTest
    @ValueSource(ints = {10, PUT_SINGLE_MAX + 1})
    void aPutThatOnlyAProxyAnsweredIsNotKept(int length) throws IOException {
        store.close();
        open("1s");
        container.isSilent = true;
        assertThatIOException()
                .isThrownBy(() -> store.put("k", ByteBuffer.allocate(length), PutCondition.IF_ABSENT))
                .withMessageContaining("the answer is none of Azure's");
        assertThat(meter.snapshot().failed()).isPositive();
    }

    @Test
    void aReadThatBreaksOffIsAskedForAgain() throws IOException {
        container.breakOff("ab");
        container.say("abc");
        byte[] got = new byte[3];
        store.get("a", 0, 3).get(got);
        assertThat(got).isEqualTo("abc".getBytes(StandardCharsets.UTF_8));
        assertThat(meter.snapshot().failed()).isEqualTo(1);
    }

    @Test
    void aDeletionWhoseAnswerBreaksOffIsAskedForAgain() {
        container.breakOff("");
        container.breakOff("--batchresponse_1\r\nContent-Type: application/http");
        container.say("");
        container.refuse(403, "AuthorizationFailure");
        assertThatIOException()
                .isThrownBy(() -> store.delete(List.of("a", "b")))
                .withMessageContaining("AuthorizationFailure");
        assertThat(meter.snapshot().failed()).isEqualTo(4);
    }

    @Test
    void aRefusalNamesTheCredentialsAndThePermission() {
        container.refuse(403, "AuthorizationPermissionMismatch");
        assertThatIOException()
                .isThrownBy(() -> store.put("k", ByteBuffer.allocate(1), PutCondition.NONE))
                .withMessageContaining("credentials refused (403 AuthorizationPermissionMismatch)")
                .withMessageContaining("blobs/write");
    }
}
