// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

/**
 * An object at one version, in any bucket that a store's service has.
 *
 * @param key in the bucket, without a store's prefix
 * @param version as a listing of the store gave it (an ETag)
 * @param length bytes of this version
 */
public record ObjectVersion(String bucket, String key, String version, long length) {
    public ObjectVersion {
        if (bucket.isEmpty() || key.isEmpty() || version.isEmpty() || length < 0) {
            throw new IllegalArgumentException(
                    "no version '%s' of object '%s' in '%s'".formatted(version, key, bucket));
        }
    }

    @Override
    public String toString() {
        return "s3://" + bucket + "/" + key;
    }
}
