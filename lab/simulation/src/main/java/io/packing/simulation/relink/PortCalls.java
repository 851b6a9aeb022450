// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.relink;

import io.packing.simulation.schedule.FaultSites.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The calls of ports that a fault may meet: those that write, sync, send or commit. */
final class PortCalls {
    /** Laboratory classes, whose calls are not production's. */
    private static final List<String> LABORATORY =
            List.of("io/packing/simulation/", "io/packing/power/", "io/packing/store/FaultyObjectStore");

    private static final String CHANNEL = "java/nio/channels/FileChannel";

    /** The methods of a class that are sites, by kind. */
    private static final Map<String, Map<Kind, Set<String>>> PORTS = Map.of(
            CHANNEL,
            Map.of(Kind.WRITE, Set.of("write", "truncate", "transferFrom"), Kind.SYNC, Set.of("force")),
            "java/nio/file/Files",
            Map.of(
                    Kind.WRITE,
                    Set.of(
                            "write",
                            "writeString",
                            "move",
                            "delete",
                            "deleteIfExists",
                            "createDirectory",
                            "createDirectories",
                            "createFile",
                            "createLink",
                            "copy",
                            "newOutputStream")),
            "io/packing/sorted/SortedStore",
            Map.of(Kind.WRITE, Set.of("write")),
            "io/packing/bdt/master/log/BatchStore",
            Map.of(Kind.COMMIT, Set.of("write", "tidy")),
            "io/packing/bdt/master/log/MutationLog",
            Map.of(Kind.COMMIT, Set.of("append", "sync", "truncate", "trim")),
            "io/packing/bdt/raft/RaftTables$Proposals",
            Map.of(Kind.COMMIT, Set.of("propose")));

    /** Classes of which all methods are sites, but for those that ask nothing. */
    private static final Map<String, Kind> WHOLE = Map.of(
            "io/packing/durable/DurableFile", Kind.SYNC,
            "io/packing/durable/DurableDirectory", Kind.SYNC,
            "io/packing/store/ObjectStore", Kind.SEND,
            "io/packing/bdt/WorkerSession", Kind.SEND,
            "io/packing/bdt/Bdt", Kind.SEND,
            "io/packing/bdt/Bdts", Kind.SEND,
            "io/packing/worker/read/Peers", Kind.SEND);

    private static final Set<String> LOCAL = Set.of(
            "<init>",
            "close",
            "location",
            "takesStream",
            "options",
            "encryptionKey",
            "withholdsPlaces",
            "sessionEpoch",
            "together",
            "tokenKeys");

    private PortCalls() {}

    /** Returns the kind of a call; empty for one that is no site. */
    static Optional<Kind> kind(String caller, String of, String method) {
        if (!caller.startsWith("io/packing/") || LABORATORY.stream().anyMatch(caller::startsWith)) {
            return Optional.empty();
        }
        Kind whole = WHOLE.get(of);
        if (whole != null) {
            return LOCAL.contains(method) || caller.equals(of) ? Optional.empty() : Optional.of(whole);
        }
        return PORTS.getOrDefault(of, Map.of()).entrySet().stream()
                .filter(kind -> kind.getValue().contains(method))
                .map(Map.Entry::getKey)
                .findFirst();
    }
}
