// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.http;

import io.packing.registry.store.BlobSource;
import java.util.Optional;

/** Learns of requests. Called by the threads that serve them. */
public interface HttpRequestListener {
    /** Notes that a request came. */
    Running began();

    /** Notes a blob whose bytes differ from its digest, and that was not given out whole. */
    void wrongBytes();

    /** Notes a file of a lean layer, of so many bytes, that was not sent since the client has it. */
    void omitted(long bytes);

    /** A request under way. */
    interface Running {
        /** Notes that a request was answered, or its connection cut. Called once. */
        void answered(Answer answer);
    }

    /**
     * The end of a request.
     *
     * @param endpoint such as {@code blob}
     * @param method of HTTP
     * @param status 0: cut
     * @param received bytes of its body
     * @param sent bytes of the answer's body
     * @param pulled the source of the bytes of a blob that was given out whole; empty: none was
     */
    record Answer(String endpoint, String method, int status, long received, long sent, Optional<BlobSource> pulled) {}
}
