// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.tree;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.registry.dedup.LayerCompression;
import io.packing.registry.dedup.OpenLayer;
import io.packing.registry.oci.Digest;

/**
 * The facts of a layer that container engines read; the names and numbers are those of containers/storage ({@code
 * Layer} in layers.go).
 *
 * @param compressedDigest of the blob
 * @param compressedSize bytes of the blob
 * @param diffDigest of the tar stream
 * @param diffSize bytes of the tar stream
 * @param compression 0 none, 2 gzip, 4 zstd
 */
record LayerInfo(
        @JsonProperty("compressed-diff-digest") String compressedDigest,
        @JsonProperty("compressed-size") long compressedSize,
        @JsonProperty("diff-digest") String diffDigest,
        @JsonProperty("diff-size") long diffSize,
        int compression) {
    static LayerInfo of(Digest digest, OpenLayer layer) {
        return new LayerInfo(
                digest.toString(),
                layer.length(),
                layer.tarDigest().toString(),
                layer.tarLength(),
                number(layer.compression()));
    }

    private static int number(LayerCompression compression) {
        return switch (compression) {
            case NONE -> 0;
            case GZIP -> 2;
            case ZSTD -> 4;
        };
    }
}
