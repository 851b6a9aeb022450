// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import io.packing.registry.dedup.ContentSource;
import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** A node as the others see it. A node that cannot be reached, or refuses, is an {@link IOException}. Thread-safe. */
interface PeerNode {
    /** Opens sent bytes, from the first one on. */
    interface Bytes {
        InputStream open() throws IOException;
    }

    boolean hasLayer(Digest digest) throws IOException;

    /**
     * Opens the bytes of a whole layer from a position on; {@link java.io.FileNotFoundException} when it is not there.
     */
    InputStream layer(Digest digest, long position) throws IOException;

    /** Stores a whole layer; bytes that do not have its digest are refused. */
    void putLayer(Digest digest, long length, Bytes bytes) throws IOException;

    void deleteLayer(Digest digest) throws IOException;

    /** Hashes a whole layer, and deletes it when its bytes are wrong. */
    void checkLayer(Digest digest) throws IOException;

    /** Hashes a file, and deletes it when its bytes are wrong. */
    void checkFile(String hex) throws IOException;

    /** Hashes all files, and deletes damaged ones; returns their number. */
    long scrub() throws IOException;

    /** Layers, by digest, that came so long ago. */
    List<String> oldLayers(Duration age) throws IOException;

    /** Files that came, or were asked for, so long ago. */
    List<String> oldFiles(Duration age) throws IOException;

    /**
     * Returns the files that the node has, and the number of the replica of each: 0 is the primary one. Files that it
     * does not have are left out.
     */
    Map<String, Integer> levels(List<String> hexes) throws IOException;

    /**
     * Reads bytes of files.
     *
     * @return the wanted ones that it does not have
     */
    Set<ContentSource.Wanted> slice(List<ContentSource.Wanted> wanted, byte[] into) throws IOException;

    /** Stores files that stand one after the other as {@link FileRecord} has them. */
    void putFiles(long length, Bytes records) throws IOException;

    void deleteFile(String hex) throws IOException;

    /** Bytes of all that it has, and how often which layer was pulled through it since it started. */
    Status status() throws IOException;

    /** The state of a node. */
    record Status(long bytes, Map<String, Long> pulls) {
        public Status {
            pulls = Map.copyOf(pulls);
        }
    }
}
