// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.DeniedException;
import io.packing.bdt.UnavailableException;
import io.packing.layers.containerd.SnapshotRefusal;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The answers of the snapshotter, and the one place where its failures become statuses. */
final class SnapshotAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(SnapshotAnswers.class);
    /** Longer descriptions do not fit into the trailers that a client takes. */
    private static final int MOST_DESCRIPTION = 1_000;

    private SnapshotAnswers() {}

    /** A call's work. */
    interface Work<T> {
        T answer() throws IOException, InterruptedException;
    }

    /** Does a call's work and answers it. */
    static <T> void answer(StreamObserver<T> to, String call, String about, Work<T> work) {
        T answer;
        try {
            answer = work.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            to.onError(Status.UNAVAILABLE
                    .withDescription("the snapshotter stops: call again")
                    .withCause(e)
                    .asException());
            return;
        } catch (IOException | RuntimeException e) {
            StatusException status = status(e);
            if (status.getStatus().getCode() == Status.Code.INTERNAL) {
                LOG.error("{} of {} failed", call, about, e);
            } else {
                LOG.info(
                        "{} of {}: {}: {}",
                        call,
                        about,
                        status.getStatus().getCode(),
                        status.getStatus().getDescription());
            }
            to.onError(status);
            return;
        }
        LOG.debug("{} of {}: done", call, about);
        to.onNext(answer);
        to.onCompleted();
    }

    static StatusException status(Exception failure) {
        Status status;
        if (failure instanceof SnapshotRefusal refusal) {
            status = Status.fromCode(Status.Code.valueOf(refusal.reason().name()));
        } else if (failure instanceof UnavailableException || failure instanceof BackingStoreUnavailableException) {
            status = Status.UNAVAILABLE;
        } else if (failure instanceof DeniedException) {
            status = Status.PERMISSION_DENIED;
        } else if (failure instanceof IllegalArgumentException) {
            status = Status.INVALID_ARGUMENT;
        } else {
            status = Status.INTERNAL;
        }
        String message = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        return status.withDescription(message.substring(0, Math.min(message.length(), MOST_DESCRIPTION)))
                .withCause(failure)
                .asException();
    }
}
