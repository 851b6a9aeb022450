// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.identity;

import io.grpc.ForwardingServerCall.SimpleForwardingServerCall;
import io.grpc.ForwardingServerCallListener.SimpleForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.Status;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * A call with messages for as long as its client likes, whose caller is checked again with each message. When the check
 * fails, the call ends like a cancelled one; the client may call again and then learns the reason.
 */
final class WatchedCall<Q, A> extends SimpleForwardingServerCall<Q, A> {
    private boolean ended;
    private boolean closed;

    WatchedCall(ServerCall<Q, A> call) {
        super(call);
    }

    /**
     * Returns a listener that checks the caller before each message.
     *
     * @param problem returns the reason why the caller is no longer let in
     */
    ServerCall.Listener<Q> watch(ServerCall.Listener<Q> handler, Supplier<Optional<String>> problem) {
        return new SimpleForwardingServerCallListener<>(handler) {
            @Override
            public void onMessage(Q message) {
                Optional<String> why = isEnded() ? Optional.empty() : problem.get();
                if (why.isPresent() && end(why.get())) {
                    super.onCancel();
                } else if (!isEnded()) {
                    super.onMessage(message);
                }
            }

            @Override
            public void onHalfClose() {
                if (!isEnded()) {
                    super.onHalfClose();
                }
            }

            @Override
            public void onCancel() {
                if (!isEnded()) {
                    super.onCancel();
                }
            }

            @Override
            public void onComplete() {
                if (!isEnded()) {
                    super.onComplete();
                }
            }
        };
    }

    private synchronized boolean end(String why) {
        if (closed) {
            return false;
        }
        closed = true;
        ended = true;
        super.close(Status.UNAVAILABLE.withDescription("call again: " + why), new Metadata());
        return true;
    }

    /** Returns whether this has ended the call, and cancelled its handler. */
    private synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public synchronized void sendHeaders(Metadata headers) {
        if (!ended) {
            super.sendHeaders(headers);
        }
    }

    @Override
    public synchronized void sendMessage(A message) {
        if (!ended) {
            super.sendMessage(message);
        }
    }

    @Override
    public synchronized void close(Status status, Metadata trailers) {
        closed = true;
        if (!ended) {
            super.close(status, trailers);
        }
    }

    @Override
    public boolean isCancelled() {
        return isEnded() || super.isCancelled();
    }
}
