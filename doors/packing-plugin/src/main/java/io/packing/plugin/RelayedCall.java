// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import org.jspecify.annotations.Nullable;

/**
 * One call that is passed on. Each side is asked for its next message when the other has taken the one before, so a slow
 * reader slows its writer down and nothing piles up here.
 */
final class RelayedCall {
    private final ServerCall<byte[], byte[]> incoming;
    private final ClientCall<byte[], byte[]> outgoing;
    /** A message was passed on that the other side has no room for yet: its sender is asked for more when it has. */
    private boolean requestHeld;

    private boolean answerHeld;

    private RelayedCall(ServerCall<byte[], byte[]> incoming, ClientCall<byte[], byte[]> outgoing) {
        this.incoming = incoming;
        this.outgoing = outgoing;
    }

    /** Passes a call on to a channel. */
    static ServerCall.Listener<byte[]> start(ServerCall<byte[], byte[]> incoming, Metadata headers, Channel to) {
        RelayedCall call = new RelayedCall(incoming, to.newCall(incoming.getMethodDescriptor(), CallOptions.DEFAULT));
        call.outgoing.start(call.new Answers(), headers);
        incoming.request(1);
        call.outgoing.request(1);
        return call.new Requests();
    }

    private synchronized void requestPassed() {
        requestHeld = !outgoing.isReady();
        if (!requestHeld) {
            incoming.request(1);
        }
    }

    private synchronized void outgoingReady() {
        if (requestHeld) {
            requestHeld = false;
            incoming.request(1);
        }
    }

    private synchronized void answerPassed() {
        answerHeld = !incoming.isReady();
        if (!answerHeld) {
            outgoing.request(1);
        }
    }

    private synchronized void incomingReady() {
        if (answerHeld) {
            answerHeld = false;
            outgoing.request(1);
        }
    }

    /** The client's requests. */
    private final class Requests extends ServerCall.Listener<byte[]> {
        @Override
        public void onMessage(byte[] message) {
            try {
                outgoing.sendMessage(message);
                requestPassed();
            } catch (RuntimeException e) {
                // Thrown from here it would end the stream below the call, and the next answer the connection.
                outgoing.cancel("the request could not be passed on", e);
            }
        }

        @Override
        public void onHalfClose() {
            try {
                outgoing.halfClose();
            } catch (RuntimeException e) {
                outgoing.cancel("the end of the request could not be passed on", e);
            }
        }

        @Override
        public void onCancel() {
            outgoing.cancel("the caller cancelled", null);
        }

        @Override
        public void onReady() {
            incomingReady();
        }
    }

    /** The server's answers. */
    private final class Answers extends ClientCall.Listener<byte[]> {
        @Override
        public void onHeaders(Metadata headers) {
            incoming.sendHeaders(headers);
        }

        @Override
        public void onMessage(byte[] message) {
            incoming.sendMessage(message);
            answerPassed();
        }

        @Override
        public void onClose(Status status, @Nullable Metadata trailers) {
            incoming.close(status, trailers == null ? new Metadata() : trailers);
        }

        @Override
        public void onReady() {
            outgoingReady();
        }
    }
}
