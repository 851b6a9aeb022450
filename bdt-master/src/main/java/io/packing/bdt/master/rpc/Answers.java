// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.rpc;

import io.grpc.stub.StreamObserver;
import io.packing.bdt.BackingStoreUnavailableException;
import io.packing.bdt.rpc.StatusMapping;
import io.packing.store.StoreUnavailableException;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;

/** Answers calls of one request and one answer. */
final class Answers {
    private Answers() {}

    /** A call whose answer is computed at once. */
    interface Call<T> {
        T answer() throws IOException;
    }

    /** A call whose answer comes from the mount's writer. */
    interface AsyncCall<T> {
        CompletableFuture<T> answer() throws IOException;
    }

    static <T> void answer(StreamObserver<T> to, Call<T> call) {
        T answer;
        try {
            answer = call.answer();
        } catch (StoreUnavailableException e) {
            to.onError(StatusMapping.toStatus(new BackingStoreUnavailableException(String.valueOf(e.getMessage()), e)));
            return;
        } catch (IOException | RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
            return;
        }
        to.onNext(answer);
        to.onCompleted();
    }

    static <T> void answerLater(StreamObserver<T> to, AsyncCall<T> call) {
        CompletableFuture<T> later;
        try {
            later = call.answer();
        } catch (IOException | RuntimeException e) {
            to.onError(StatusMapping.toStatus(e));
            return;
        }
        CompletableFuture<Void> unused = later.thenAccept(answer -> {
                    to.onNext(answer);
                    to.onCompleted();
                })
                .exceptionally(failure -> {
                    to.onError(StatusMapping.toStatus(failure));
                    return null;
                });
    }
}
