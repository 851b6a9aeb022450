// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.model.SeededContent;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a reply's digest identifies a content written during the read. */
class ClientReplyTest {
    private static final SeededContent OLD = new SeededContent(1, 171);
    private static final SeededContent NEW = new SeededContent(2, 188);

    @Test
    void aFileThatWasWrittenWhileItWasReadIsKnown() {
        ClientRequest request = ClientRequest.read(DoorKind.WORKER, "/f", List.of(OLD));
        ClientReply reply = ClientReply.unmatched("188 bytes", NEW.bytes());
        assertThat(reply.among(request, List.of(OLD))).isEmpty();
        assertThat(reply.among(request, List.of(OLD, NEW))).contains(NEW);
    }

    @Test
    void aPartOfItIsKnownToo() {
        ClientRequest request = ClientRequest.readRange(DoorKind.WORKER, "/f", List.of(OLD), 100, 50);
        ClientReply reply = ClientReply.unmatched("50 bytes", Arrays.copyOfRange(NEW.bytes(), 100, 150));
        assertThat(reply.among(request, List.of(OLD, NEW))).contains(NEW);
    }

    @Test
    void oneWrongByteIsNobodys() {
        ClientRequest request = ClientRequest.read(DoorKind.WORKER, "/f", List.of(OLD));
        byte[] bytes = NEW.bytes();
        bytes[187] ^= 1;
        assertThat(ClientReply.unmatched("188 bytes", bytes).among(request, List.of(OLD, NEW)))
                .isEmpty();
    }

    @Test
    void whatMatchedOrWasNotReadIsNotLookedFor() {
        ClientRequest request = ClientRequest.read(DoorKind.WORKER, "/f", List.of(OLD));
        assertThat(ClientReply.matched(0).among(request, List.of(OLD, NEW, new SeededContent(3, 0))))
                .isEmpty();
        assertThat(ClientReply.unknown("gone").among(request, List.of(OLD, NEW, new SeededContent(3, 0))))
                .isEmpty();
    }
}
