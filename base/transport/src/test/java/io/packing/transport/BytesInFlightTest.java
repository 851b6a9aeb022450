// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.Status;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class BytesInFlightTest {
    private static final int MOST = 100_000;
    private static final int PART = 40_000;

    private final BytesInFlight inFlight = new BytesInFlight(MOST);
    private final List<String> ended = new ArrayList<>();

    private BytesInFlight.Share call(String name) {
        BytesInFlight.Share share =
                (BytesInFlight.Share) inFlight.newServerStreamTracer("test/" + name, new Metadata());
        share.whenTooMany(status -> {
            assertThat(status.getCode()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
            assertThat(status.getDescription()).contains("at most " + MOST).contains("try again later");
            ended.add(name);
        });
        return share;
    }

    private BytesInFlight.Share call(String name, long bytes) {
        BytesInFlight.Share share = call(name);
        share.inboundWireSize(bytes);
        return share;
    }

    @Test
    void theCallThatHasWaitedLongestForItsRestIsEnded() {
        BytesInFlight.Share first = call("first", PART);
        BytesInFlight.Share second = call("second", PART);
        first.inboundWireSize(1);
        BytesInFlight.Share third = call("third", PART);
        assertThat(ended).containsExactly("second");
        second.streamClosed(Status.RESOURCE_EXHAUSTED);
        third.inboundWireSize(1);
        assertThat(ended).containsExactly("second");
        assertThat(inFlight.bytes()).isEqualTo(2 * PART + 2);
    }

    @Test
    void whatArrivesForACallThatEndsEndsNoOther() {
        BytesInFlight.Share first = call("first", PART);
        call("second", PART);
        call("third", PART);
        assertThat(ended).containsExactly("first");
        first.inboundWireSize(10 * MOST - inFlight.bytes());
        assertThat(ended).containsExactly("first");
        first.streamClosed(Status.RESOURCE_EXHAUSTED);
        assertThat(inFlight.bytes()).isEqualTo(2 * PART);
    }

    @Test
    void aCallWhoseHandlerHasItsRequestIsNotEndedForOthers() {
        call("first", PART).handling();
        call("second", PART).handling();
        BytesInFlight.Share third = call("third", PART);
        assertThat(ended).containsExactly("third");
        third.streamClosed(Status.RESOURCE_EXHAUSTED);
        BytesInFlight.Share done = call("fourth", PART);
        assertThat(ended).containsExactly("third", "fourth");
        done.streamClosed(Status.RESOURCE_EXHAUSTED);
        assertThat(inFlight.bytes()).isEqualTo(2 * PART);
    }

    @Test
    void aHandlerThatHasDoneLeavesItsCallToBeEnded() {
        BytesInFlight.Share first = call("first", PART);
        first.handling();
        first.handled();
        call("second", PART);
        call("third", PART);
        assertThat(ended).containsExactly("first");
    }

    @Test
    void smallCallsGoOnUntilTwiceAsManyAreThere() {
        int small = (int) BytesInFlight.SMALL_BYTES;
        List<BytesInFlight.Share> calls = new ArrayList<>();
        while (inFlight.bytes() + small <= 2 * MOST) {
            calls.add(call("small", small));
        }
        assertThat(ended).isEmpty();
        call("one more", small);
        assertThat(ended).containsExactly("one more");
        calls.forEach(each -> each.streamClosed(Status.OK));
        assertThat(inFlight.bytes()).isEqualTo(small);
    }

    /** Its answer may wait for a client that does not read. */
    @Test
    void aCallThatWasAnsweredHoldsNoRequest() {
        BytesInFlight.Share share = call("answered", PART);
        UnansweredBytes unanswered = new UnansweredBytes(MethodType.UNARY, share);
        unanswered.arrived(PART);
        unanswered.taken();
        unanswered.complete();
        unanswered.completed();
        assertThat(inFlight.bytes()).isEqualTo(PART);
        unanswered.answered();
        assertThat(inFlight.bytes()).isZero();
    }

    @Test
    void whatIsReleasedMakesRoom() {
        BytesInFlight.Share stream = call("stream", PART);
        for (int i = 0; i < 100; i++) {
            stream.release(PART);
            stream.inboundWireSize(PART);
        }
        assertThat(ended).isEmpty();
        assertThat(inFlight.bytes()).isEqualTo(PART);
        stream.release(2L * PART);
        assertThat(inFlight.bytes()).isZero();
    }
}
