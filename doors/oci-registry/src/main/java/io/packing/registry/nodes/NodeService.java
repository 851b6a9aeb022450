// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.nodes;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The service of a node for the others.
 *
 * @param key the secret that all nodes share; empty: none
 */
public record NodeService(NodeStore store, PullCounts pulls, String key, AtomicReference<NodeMender> mender) {
    /** Gives every layer its replicas again. */
    public NodeMender.Report mend(NodeMender.Options options) throws IOException {
        return Optional.ofNullable(mender.get())
                .orElseThrow(() -> new IllegalStateException("the node does not serve yet"))
                .run(options);
    }

    /** Returns a text without the secret. */
    @Override
    public String toString() {
        return "NodeService";
    }
}
