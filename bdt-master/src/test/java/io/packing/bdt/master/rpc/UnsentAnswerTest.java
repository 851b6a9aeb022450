// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerMethodDefinition;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.rpc.BdtGrpc;
import io.packing.bdt.rpc.BdtLimits;
import io.packing.bdt.rpc.PathRequest;
import io.packing.bdt.rpc.StatReply;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.transport.CheckedMessages;
import java.io.ByteArrayInputStream;
import org.junit.jupiter.api.Test;

/** A call whose answer finds no memory when it is to be sent. */
final class UnsentAnswerTest {
    /** Answers at once. */
    private static final class Stat extends BdtGrpc.BdtImplBase {
        @Override
        public void stat(PathRequest request, StreamObserver<StatReply> to) {
            to.onNext(StatReply.getDefaultInstance());
            to.onCompleted();
        }
    }

    /** As gRPC's, which ends a call itself when its answer cannot be sent, and refuses to end it once more. */
    private static final class FullCall<Q, A> extends ServerCall<Q, A> {
        private final MethodDescriptor<Q, A> method;
        private int ends;

        FullCall(MethodDescriptor<Q, A> method) {
            this.method = method;
        }

        @Override
        public void sendMessage(A message) {
            close(Status.CANCELLED, new Metadata());
            throw new OutOfMemoryError("direct buffer memory");
        }

        @Override
        public void close(Status status, Metadata trailers) {
            if (++ends > 1) {
                throw new IllegalStateException("call already closed");
            }
        }

        @Override
        public void request(int messages) {}

        @Override
        public void sendHeaders(Metadata headers) {}

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public MethodDescriptor<Q, A> getMethodDescriptor() {
            return method;
        }
    }

    @Test
    void itIsEndedOnceAndTheReasonIsNotLost() {
        answer(CheckedMessages.around(new Stat().bindService(), BdtLimits.LIMITS, StatusMapping::toStatus)
                .getMethod(BdtGrpc.getStatMethod().getFullMethodName()));
    }

    private static <Q, A> void answer(ServerMethodDefinition<Q, A> method) {
        FullCall<Q, A> call = new FullCall<>(method.getMethodDescriptor());
        ServerCall.Listener<Q> listener = method.getServerCallHandler().startCall(call, new Metadata());
        listener.onMessage(method.getMethodDescriptor().parseRequest(new ByteArrayInputStream(new byte[0])));
        assertThatThrownBy(listener::onHalfClose).isInstanceOf(OutOfMemoryError.class);
        assertThat(call.ends).isEqualTo(1);
    }
}
