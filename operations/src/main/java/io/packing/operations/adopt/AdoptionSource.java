// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.adopt;

import io.packing.store.StoreLocation;

/**
 * The objects to adopt.
 *
 * @param bucket of the mount's own service
 * @param prefix with which their keys begin: empty, or with a slash at its end
 */
public record AdoptionSource(String bucket, String prefix) {
    public AdoptionSource {
        if (bucket.isEmpty() || (!prefix.isEmpty() && !prefix.endsWith("/"))) {
            throw new IllegalArgumentException("no source of objects: '%s' in '%s'".formatted(prefix, bucket));
        }
    }

    /**
     * Reads {@code s3://bucket/prefix}.
     *
     * @throws IllegalArgumentException when it is another store, which cannot be adopted
     */
    public static AdoptionSource parse(String text) {
        if (StoreLocation.parse(text) instanceof StoreLocation.Bucket at) {
            return new AdoptionSource(at.bucket(), at.keyPrefix());
        }
        throw new IllegalArgumentException(
                "'%s' cannot be adopted: only stores with S3's protocol read an object on the condition of its version; give s3://bucket/prefix"
                        .formatted(text));
    }

    @Override
    public String toString() {
        return "s3://" + bucket + "/" + prefix;
    }
}
