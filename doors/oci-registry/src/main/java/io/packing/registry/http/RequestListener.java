package io.packing.registry.http;

/** Learns of requests. Called by the threads that serve them. */
public interface RequestListener {
    /**
     * A request was answered, or its connection was cut.
     *
     * @param endpoint such as {@code blob}
     * @param method of HTTP
     * @param status 0: cut
     */
    void answered(String endpoint, String method, int status);

    /** A blob read as other bytes than its digest says, and was not given out whole. */
    void wrongBytes();
}
