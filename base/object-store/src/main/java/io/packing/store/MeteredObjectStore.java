// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import java.io.IOException;

/**
 * A meter for a store without requests of its own, which reports every operation as the one request that S3 would get.
 */
public final class MeteredObjectStore extends DecoratedObjectStore {
    private final RequestListener listener;

    public MeteredObjectStore(ObjectStore store, RequestListener listener) {
        super(store);
        this.listener = listener;
    }

    @Override
    <T> T around(RequestKind kind, Call<T> call, Moved<T> moved) throws IOException {
        boolean answered = false;
        long bytes = 0;
        try {
            T result = call.run();
            bytes = moved.bytes(result);
            answered = true;
            return result;
        } catch (ObjectNotFoundException | PreconditionFailedException e) {
            answered = true;
            throw e;
        } finally {
            listener.request(kind, bytes, answered ? RequestOutcome.OK : RequestOutcome.FAILED);
        }
    }
}
