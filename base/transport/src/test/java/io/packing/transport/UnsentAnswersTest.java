// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.BytesValue;
import com.google.protobuf.UnsafeByteOperations;
import io.grpc.Attributes;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.ServerCall;
import io.grpc.Status;
import io.grpc.protobuf.ProtoUtils;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class UnsentAnswersTest {
    private static final int MOST = 1 << 20;
    private static final int PART = 200_000;
    private static final int SMALL = 100;
    private static final int READY_BYTES = 32 << 10;

    private final UnsentAnswers unsent = new UnsentAnswers(MOST);

    /** A call whose client takes as much as the test says. */
    private final class Call extends ServerCall<BytesValue, BytesValue> {
        private final MethodType type;
        private final int connection;
        private final Listener<BytesValue> listener;
        private int begun;
        private int sent;
        private boolean ready;
        private @Nullable Status closed;
        private @Nullable ServerCall<BytesValue, BytesValue> counted;

        Call(MethodType type, int connection) {
            this.type = type;
            this.connection = connection;
            listener = unsent.interceptCall(this, new Metadata(), (call, headers) -> {
                counted = call;
                return new Listener<>() {
                    @Override
                    public void onHalfClose() {
                        begun++;
                    }
                };
            });
        }

        Call answer(int bytes) {
            // gRPC begins to send a single answer when the call is closed.
            ready |= type.serverSendsOneMessage();
            ServerCall<BytesValue, BytesValue> call = Objects.requireNonNull(counted);
            call.sendMessage(BytesValue.of(UnsafeByteOperations.unsafeWrap(new byte[bytes])));
            if (type.serverSendsOneMessage()) {
                call.close(Status.OK, new Metadata());
            }
            return this;
        }

        /** Asks for an answer of so many bytes, which the client does not take. */
        Call asked(int bytes) {
            listener.onHalfClose();
            return begun > 0 ? answer(bytes) : this;
        }

        Status.@Nullable Code end() {
            return closed == null ? null : closed.getCode();
        }

        @Override
        public void sendMessage(BytesValue message) {
            assertThat(closed).isNull();
            sent++;
        }

        @Override
        public void close(Status status, Metadata trailers) {
            assertThat(closed).as("a call ends once").isNull();
            closed = status;
        }

        @Override
        public boolean isReady() {
            return ready;
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public Attributes getAttributes() {
            return Attributes.newBuilder()
                    .set(Grpc.TRANSPORT_ATTR_REMOTE_ADDR, InetSocketAddress.createUnresolved("client", connection))
                    .build();
        }

        @Override
        public MethodDescriptor<BytesValue, BytesValue> getMethodDescriptor() {
            return MethodDescriptor.<BytesValue, BytesValue>newBuilder()
                    .setType(type)
                    .setFullMethodName("test/Call")
                    .setRequestMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(BytesValue.getDefaultInstance()))
                    .build();
        }
    }

    /** Fills the server's memory through one connection that takes nothing. */
    private List<Call> deaf(int connection) {
        List<Call> calls = new ArrayList<>();
        while (calls.isEmpty() || calls.get(calls.size() - 1).end() == Status.Code.OK) {
            calls.add(new Call(MethodType.UNARY, connection).asked(PART));
            assertThat(unsent.bytes()).isLessThanOrEqualTo(MOST);
        }
        return calls;
    }

    @Test
    void whoTakesNothingIsRefusedMoreAndOthersAreAnswered() {
        List<Call> calls = deaf(1);
        assertThat(calls).hasSize(1 + MOST / PART);
        assertThat(calls.get(calls.size() - 1).end()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        assertThat(new Call(MethodType.UNARY, 2).asked(PART).end()).isEqualTo(Status.Code.OK);
        assertThat(new Call(MethodType.UNARY, 1).asked(PART).end()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
    }

    @Test
    void aCallOfWhoTakesNothingIsNotBegun() {
        List<Call> calls = deaf(1);
        assertThat(new Call(MethodType.UNARY, 2).asked(PART).end()).isEqualTo(Status.Code.OK);
        Call other = new Call(MethodType.UNARY, 1).asked(SMALL);
        assertThat(other.begun).isZero();
        assertThat(other.end()).isEqualTo(Status.Code.RESOURCE_EXHAUSTED);
        calls.get(0).listener.onComplete();
        calls.get(1).listener.onCancel();
        assertThat(new Call(MethodType.UNARY, 1).asked(SMALL).end()).isEqualTo(Status.Code.OK);
    }

    @Test
    void whatChangedATableIsToldWhoeverTakesNothing() {
        List<Call> calls = deaf(1);
        for (int connection = 2; unsent.bytes() < MOST; connection++) {
            Call unused = new Call(MethodType.UNARY, connection).asked(PART);
        }
        assertThat(new Call(MethodType.UNARY, 1).answer(SMALL).end()).isEqualTo(Status.Code.OK);
        assertThat(calls).isNotEmpty();
    }

    @Test
    void manyConnectionsThatTakeNothingDoNotFillTheMemory() {
        for (int connection = 1; connection < 10_000; connection++) {
            Call unused = new Call(MethodType.UNARY, connection).asked(PART);
        }
        assertThat(unsent.bytes()).isLessThanOrEqualTo(2 * MOST);
        assertThat(new Call(MethodType.UNARY, 10_000).asked(SMALL).end()).isEqualTo(Status.Code.OK);
        for (int connection = 1; connection < 60_000; connection++) {
            Call unused = new Call(MethodType.UNARY, connection).asked(SMALL);
        }
        assertThat(unsent.bytes()).isLessThanOrEqualTo(3 * MOST + SMALL);
    }

    @Test
    void aStreamIsChargedForWhatWaitsAndNotForWhatWasTaken() {
        Call stream = new Call(MethodType.BIDI_STREAMING, 1);
        stream.ready = true;
        for (int i = 0; i < 100; i++) {
            stream.answer(PART);
        }
        assertThat(stream.sent).isEqualTo(100);
        assertThat(unsent.bytes()).isZero();
        stream.ready = false;
        stream.answer(PART);
        assertThat(unsent.bytes()).isGreaterThanOrEqualTo(PART);
        stream.listener.onReady();
        assertThat(unsent.bytes()).isZero();
        Call read = new Call(MethodType.SERVER_STREAMING, 1);
        read.answer(PART);
        read.listener.onReady();
        assertThat(unsent.bytes()).isEqualTo(READY_BYTES);
        read.listener.onComplete();
        read.answer(PART);
        assertThat(unsent.bytes()).isZero();
    }
}
