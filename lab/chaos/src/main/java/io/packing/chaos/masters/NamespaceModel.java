// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import io.packing.linear.SequentialModel;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** A directory of files that {@link ClientOperation}s change one after the other: the version of the file at each name. */
public final class NamespaceModel implements SequentialModel<Map<String, Long>, ClientOperation> {
    @Override
    public Map<String, Long> initial() {
        return Map.of();
    }

    @Override
    public Optional<Map<String, Long>> step(Map<String, Long> files, ClientOperation deed) {
        if (deed instanceof ClientOperation.Create create) {
            boolean possible = create.replacing() || !files.containsKey(create.name());
            return told(create.told(), possible, files, changed -> changed.put(create.name(), create.version()));
        }
        if (deed instanceof ClientOperation.Delete delete) {
            return told(
                    delete.told(), files.containsKey(delete.name()), files, changed -> changed.remove(delete.name()));
        }
        if (deed instanceof ClientOperation.Move move) {
            boolean possible = files.containsKey(move.from()) && (move.replacing() || !files.containsKey(move.to()));
            return told(move.told(), possible, files, changed -> changed.put(move.to(), changed.remove(move.from())));
        }
        boolean right = deed instanceof ClientOperation.Look look
                ? look.seen().equals(at(files, look.name()))
                : deed instanceof ClientOperation.Names names && names.seen().equals(files);
        return right ? Optional.of(files) : Optional.empty();
    }

    @Override
    public boolean isRead(ClientOperation deed) {
        if (deed instanceof ClientOperation.Create create) {
            return create.told() == ClientOperation.Told.REFUSED;
        }
        if (deed instanceof ClientOperation.Delete delete) {
            return delete.told() == ClientOperation.Told.REFUSED;
        }
        return !(deed instanceof ClientOperation.Move move) || move.told() == ClientOperation.Told.REFUSED;
    }

    private static OptionalLong at(Map<String, Long> files, String name) {
        Long version = files.get(name);
        return version == null ? OptionalLong.empty() : OptionalLong.of(version);
    }

    /** A change of a copy of the directory. */
    private interface Change {
        void apply(Map<String, Long> files);
    }

    private static Optional<Map<String, Long>> told(
            ClientOperation.Told told, boolean possible, Map<String, Long> files, Change change) {
        if (possible ? told == ClientOperation.Told.REFUSED : told == ClientOperation.Told.DONE) {
            return Optional.empty();
        }
        if (!possible) {
            return Optional.of(files);
        }
        Map<String, Long> changed = new HashMap<>(files);
        change.apply(changed);
        return Optional.of(Map.copyOf(changed));
    }
}
