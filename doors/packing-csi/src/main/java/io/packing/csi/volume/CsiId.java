// SPDX-License-Identifier: Apache-2.0
package io.packing.csi.volume;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The id of a volume, a snapshot or a group of snapshots.
 *
 * @param cluster the identity of the directory of volumes, which is in its mount's table
 */
public record CsiId(String cluster, CsiKey key) {
    static final int CLUSTER_DIGITS = 16;
    private static final Pattern CLUSTER = Pattern.compile("[0-9a-f]{" + CLUSTER_DIGITS + "}");

    public CsiId {
        if (!isCluster(cluster)) {
            throw new IllegalArgumentException("'%.100s' is no cluster".formatted(cluster));
        }
    }

    static boolean isCluster(String text) {
        return CLUSTER.matcher(text).matches();
    }

    /** Reads an id; empty: no driver gave it. */
    public static Optional<CsiId> parse(String text) {
        if (text.length() <= CLUSTER_DIGITS + 1
                || text.charAt(CLUSTER_DIGITS) != '.'
                || !isCluster(text.substring(0, CLUSTER_DIGITS))) {
            return Optional.empty();
        }
        String cluster = text.substring(0, CLUSTER_DIGITS);
        return CsiKey.parse(text.substring(CLUSTER_DIGITS + 1)).map(key -> new CsiId(cluster, key));
    }

    @Override
    public String toString() {
        return cluster + "." + key;
    }
}
