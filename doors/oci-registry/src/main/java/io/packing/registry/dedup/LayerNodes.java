// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.oci.Digest;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;

/** Nodes with stores of their own, as the engine sees them that fills them. Thread-safe. */
public interface LayerNodes {
    /** Opens a blob, from its first byte on. */
    interface Bytes {
        InputStream open() throws IOException;
    }

    /** Replicas of a new layer that are kept as files. */
    int splitReplicas();

    /** Stores a blob whole, as often as a new one is kept so; {@link IOException} when fewer nodes take it. */
    void storeWhole(Digest digest, long length, Bytes blob) throws IOException;

    /**
     * Chooses nodes for the files of a layer.
     *
     * @param files their lengths by hash
     */
    Placing place(Map<String, Long> files) throws IOException;

    /** Files on their way to the nodes that were chosen for them. Confined to one thread. */
    interface Placing {
        /** Returns whether a file has to be sent. */
        boolean wants(String hex);

        /** Sends a file that is wanted, to all nodes that it is for. */
        void put(String hex, InputStream bytes, long length) throws IOException;

        /** Returns when every file has its replicas; {@link IOException} when one cannot have them. */
        void finish() throws IOException;
    }
}
