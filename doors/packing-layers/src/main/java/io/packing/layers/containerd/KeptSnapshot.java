// SPDX-License-Identifier: Apache-2.0
package io.packing.layers.containerd;

import java.util.Map;
import java.util.Optional;

/**
 * A snapshot as its file {@code snapshot.json} has it.
 *
 * @param id the name of its directory
 * @param key its name; containerd puts its namespace before it
 * @param parent the key of the snapshot below; empty text: none
 * @param labels of containerd
 * @param createdMillis milliseconds since the epoch
 * @param updatedMillis milliseconds since the epoch
 * @param usage of a committed snapshot
 * @param chain the chain id of the layers whose files are in the registry; empty: the files are in its directory
 */
public record KeptSnapshot(
        long id,
        String key,
        String parent,
        SnapshotKind kind,
        Map<String, String> labels,
        long createdMillis,
        long updatedMillis,
        UpperUsage usage,
        Optional<String> chain) {
    public KeptSnapshot {
        labels = Map.copyOf(labels);
        if (id < 1 || key.isEmpty()) {
            throw new IllegalArgumentException("a snapshot %d with the key '%s'".formatted(id, key));
        }
        if (chain.isPresent() && kind != SnapshotKind.COMMITTED) {
            throw new IllegalArgumentException("the files of a changeable snapshot are in its directory");
        }
    }

    KeptSnapshot withLabels(Map<String, String> all, long nowMillis) {
        return new KeptSnapshot(id, key, parent, kind, all, createdMillis, nowMillis, usage, chain);
    }

    KeptSnapshot committed(String name, Map<String, String> all, long nowMillis, UpperUsage used) {
        return new KeptSnapshot(
                id, name, parent, SnapshotKind.COMMITTED, all, createdMillis, nowMillis, used, Optional.empty());
    }
}
