// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.rpc;

import io.grpc.Status;
import io.grpc.StatusException;
import io.grpc.stub.StreamObserver;
import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.DeniedException;
import io.packing.bdt.QuotaExceededException;
import io.packing.bdt.UnavailableException;
import java.io.IOException;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The answers of a service that works on a mount for a program of others, such as a CSI driver. Here its failures become statuses. A
 * request may have secrets, so no log has more of it than what the call is about.
 */
public final class CallAnswers {
    private static final Logger LOG = LoggerFactory.getLogger(CallAnswers.class);

    private final String service;
    private final Function<Exception, Optional<Status.Code>> refusals;

    /**
     * Creates the answers of a service.
     *
     * @param service in words, such as "the driver"
     * @param refusals the statuses of the service's own failures; empty for all others
     */
    public CallAnswers(String service, Function<Exception, Optional<Status.Code>> refusals) {
        this.service = service;
        this.refusals = refusals;
    }

    /** The work of a call. */
    public interface Work<T> {
        T answer() throws IOException, InterruptedException;
    }

    /**
     * Does the work of a call and answers it.
     *
     * @param about the name or the id of what the call is for
     */
    public <T> void answer(StreamObserver<T> to, String call, String about, Work<T> work) {
        T answer;
        try {
            answer = work.answer();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            to.onError(Status.UNAVAILABLE
                    .withDescription(service + " stops: call again")
                    .withCause(e)
                    .asException());
            return;
        } catch (IOException | RuntimeException e) {
            StatusException status = status(e);
            if (status.getStatus().getCode() == Status.Code.INTERNAL) {
                LOG.error("{}: {} of {} failed", service, call, about, e);
            } else {
                LOG.info(
                        "{}: {} of {}: {}: {}",
                        service,
                        call,
                        about,
                        status.getStatus().getCode(),
                        status.getStatus().getDescription());
            }
            to.onError(status);
            return;
        }
        LOG.debug("{}: {} of {}: done", service, call, about);
        to.onNext(answer);
        to.onCompleted();
    }

    private StatusException status(Exception failure) {
        String message = failure.getMessage();
        return refusals.apply(failure)
                .orElseGet(() -> code(failure))
                .toStatus()
                .withDescription(StatusMapping.shortened(message == null ? failure.toString() : message))
                .withCause(failure)
                .asException();
    }

    private static Status.Code code(Exception failure) {
        if (failure instanceof UnavailableException || failure instanceof BackingStoreUnavailableException) {
            return Status.Code.UNAVAILABLE;
        }
        if (failure instanceof DeniedException) {
            return Status.Code.PERMISSION_DENIED;
        }
        if (failure instanceof QuotaExceededException) {
            return Status.Code.RESOURCE_EXHAUSTED;
        }
        return failure instanceof IllegalArgumentException ? Status.Code.INVALID_ARGUMENT : Status.Code.INTERNAL;
    }
}
