// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

/** Learns of requests. Called by the threads that serve them. */
public interface S3RequestListener {
    /**
     * Notes that a request was answered, or its connection cut.
     *
     * @param status 0: cut
     */
    void answered(String method, int status, long nanos);
}
