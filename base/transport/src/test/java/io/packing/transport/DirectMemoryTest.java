// SPDX-License-Identifier: Apache-2.0
package io.packing.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.StringValue;
import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.ClientInterceptors;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import io.grpc.StatusRuntimeException;
import io.grpc.protobuf.ProtoUtils;
import io.grpc.stub.ClientCalls;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class DirectMemoryTest {
    private static final MethodDescriptor<StringValue, StringValue> METHOD =
            MethodDescriptor.<StringValue, StringValue>newBuilder()
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .setFullMethodName("test.Memory/Ask")
                    .setRequestMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .setResponseMarshaller(ProtoUtils.marshaller(StringValue.getDefaultInstance()))
                    .build();

    /** A channel that has no memory for a request. */
    private static final class FullChannel extends Channel {
        private final String message;
        private boolean cancelled;

        FullChannel(String message) {
            this.message = message;
        }

        @Override
        public String authority() {
            return "nobody";
        }

        @Override
        public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
            return new ClientCall<>() {
                @Override
                public void start(Listener<A> listener, Metadata headers) {}

                @Override
                public void request(int messages) {}

                @Override
                public void cancel(@Nullable String reason, @Nullable Throwable cause) {
                    cancelled = true;
                }

                @Override
                public void halfClose() {}

                @Override
                public void sendMessage(Q request) {
                    throw new OutOfMemoryError(message);
                }
            };
        }
    }

    private static void ask(FullChannel channel) {
        StringValue unused = ClientCalls.blockingUnaryCall(
                ClientInterceptors.intercept(channel, DirectMemory.ofClients()),
                METHOD,
                CallOptions.DEFAULT,
                StringValue.of("anybody there?"));
    }

    @Test
    void aRequestForWhichThereIsNoneIsACallThatFailed() {
        FullChannel channel = new FullChannel("failed to allocate 20431 byte(s) of direct memory (used: 9, max: 9)");
        assertThatThrownBy(() -> ask(channel))
                .isInstanceOfSatisfying(
                        StatusRuntimeException.class,
                        e -> assertThat(e.getStatus().getCode()).isEqualTo(Status.Code.UNAVAILABLE))
                .hasMessageContaining("outside of the heap");
        assertThat(channel.cancelled).isTrue();
    }

    @Test
    void aHeapThatIsFullIsAnError() {
        assertThatThrownBy(() -> ask(new FullChannel("Java heap space"))).isInstanceOf(OutOfMemoryError.class);
    }

    @Test
    void theWordsOfTheJvmAndOfNettyAreKnown() {
        assertThat(DirectMemory.isExhausted(
                        new OutOfMemoryError("Cannot reserve 110442 bytes of direct buffer memory (allocated: 9)")))
                .isTrue();
        assertThat(DirectMemory.isExhausted(new OutOfMemoryError("unable to create native thread")))
                .isFalse();
    }
}
