// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway.http;

import io.packing.s3gateway.auth.SignedRequest;
import java.util.Locale;
import java.util.Optional;

/**
 * The bucket and the key that a request is about.
 *
 * @param bucket empty: the request is about all buckets
 * @param key empty: it is about a bucket
 */
record S3Route(String bucket, String key) {
    /**
     * Finds them in the path, or the bucket in the header of the host.
     *
     * @param domain below which hosts are buckets; empty: buckets are in paths only
     */
    static S3Route of(SignedRequest request, Optional<String> domain) {
        String path = request.path().startsWith("/") ? request.path().substring(1) : request.path();
        Optional<String> bucket =
                domain.flatMap(suffix -> bucketOf(request.header("host").orElse(""), suffix));
        if (bucket.isPresent()) {
            return new S3Route(bucket.get(), path);
        }
        int slash = path.indexOf('/');
        return slash < 0 ? new S3Route(path, "") : new S3Route(path.substring(0, slash), path.substring(slash + 1));
    }

    private static Optional<String> bucketOf(String host, String domain) {
        int colon = host.lastIndexOf(':');
        String name = (colon < 0 ? host : host.substring(0, colon)).toLowerCase(Locale.ROOT);
        String suffix = "." + domain;
        return name.endsWith(suffix) && name.length() > suffix.length()
                ? Optional.of(name.substring(0, name.length() - suffix.length()))
                : Optional.empty();
    }
}
