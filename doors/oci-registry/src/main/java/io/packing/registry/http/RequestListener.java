package io.packing.registry.http;

import io.packing.registry.store.BlobSource;
import java.util.Optional;

/** Learns of requests. Called by the threads that serve them. */
public interface RequestListener {
    /** A request came. */
    Running began();

    /** A blob read as other bytes than its digest says, and was not given out whole. */
    void wrongBytes();

    /** A file of a lean layer, of so many bytes, was not sent since the client has it. */
    void omitted(long bytes);

    /** A request under way. */
    interface Running {
        /** It was answered, or its connection was cut. Told once. */
        void answered(Answer answer);
    }

    /**
     * How a request ended.
     *
     * @param endpoint such as {@code blob}
     * @param method of HTTP
     * @param status 0: cut
     * @param received bytes of its body
     * @param sent bytes of the answer's body
     * @param pulled where the bytes of a blob that was given out whole came from; empty: none was
     */
    record Answer(String endpoint, String method, int status, long received, long sent, Optional<BlobSource> pulled) {}
}
