package io.packing.chaos.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.chaos.model.Content;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that a reply's digest identifies a content written during the read. */
class ReplyTest {
    private static final Content OLD = new Content(1, 171);
    private static final Content NEW = new Content(2, 188);

    @Test
    void aFileThatWasWrittenWhileItWasReadIsKnown() {
        Request request = Request.read(DoorKind.WORKER, "/f", List.of(OLD));
        Reply reply = Reply.unmatched("188 bytes", NEW.bytes());
        assertThat(reply.among(request, List.of(OLD))).isEmpty();
        assertThat(reply.among(request, List.of(OLD, NEW))).contains(NEW);
    }

    @Test
    void aPartOfItIsKnownToo() {
        Request request = Request.readRange(DoorKind.WORKER, "/f", List.of(OLD), 100, 50);
        Reply reply = Reply.unmatched("50 bytes", Arrays.copyOfRange(NEW.bytes(), 100, 150));
        assertThat(reply.among(request, List.of(OLD, NEW))).contains(NEW);
    }

    @Test
    void oneWrongByteIsNobodys() {
        Request request = Request.read(DoorKind.WORKER, "/f", List.of(OLD));
        byte[] bytes = NEW.bytes();
        bytes[187] ^= 1;
        assertThat(Reply.unmatched("188 bytes", bytes).among(request, List.of(OLD, NEW)))
                .isEmpty();
    }

    @Test
    void whatMatchedOrWasNotReadIsNotLookedFor() {
        Request request = Request.read(DoorKind.WORKER, "/f", List.of(OLD));
        assertThat(Reply.matched(0).among(request, List.of(OLD, NEW, new Content(3, 0))))
                .isEmpty();
        assertThat(Reply.unknown("gone").among(request, List.of(OLD, NEW, new Content(3, 0))))
                .isEmpty();
    }
}
