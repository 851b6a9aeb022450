// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.MountEntry;
import io.packing.bdt.MoveProgress;
import io.packing.bdt.client.FederationClient;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The groups of masters and their mounts, as printed.
 *
 * @param groups the addresses of each, by name
 */
public record FederationReport(Map<String, String> groups, List<Mount> mounts) {
    /**
     * A mount.
     *
     * @param movesTo the group that it is being moved to; empty: it is not
     */
    public record Mount(
            String mount,
            String store,
            String group,
            @JsonProperty("moves_to") String movesTo) {
        public static Mount of(MountEntry entry) {
            return new Mount(entry.mount(), entry.store(), entry.group(), entry.target());
        }
    }

    /** A move's result. */
    public record Move(
            String mount,
            String group,
            String state,
            long rows,
            long bytes,
            double seconds,
            @JsonProperty("waited_ms") long waitedMs,
            String problem) {
        public static Move of(String mount, MoveProgress progress) {
            return new Move(
                    mount,
                    progress.group(),
                    progress.state().name().toLowerCase(Locale.ROOT),
                    progress.rows(),
                    progress.bytes(),
                    progress.time().toMillis() / 1e3,
                    progress.frozen().toMillis(),
                    progress.problem());
        }

        public void print(PrintWriter out) {
            if (state.equals("done")) {
                out.println("mount %s is one of group %s: %,d rows in %.1f s, changes waited %d ms"
                        .formatted(mount, group, rows, seconds, waitedMs));
            } else {
                out.println("mount %s stays where it was: %s".formatted(mount, problem));
            }
        }
    }

    public static FederationReport of(FederationClient.Table table) {
        return new FederationReport(
                table.groups(), table.mounts().stream().map(Mount::of).toList());
    }

    /** The name of a mount that is called by its name or its store. */
    public static String name(List<MountEntry> mounts, String called) {
        return mounts.stream()
                .filter(entry -> entry.mount().equals(called) || entry.store().equals(called))
                .map(MountEntry::mount)
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "no mount is called '%s'; packing mounts list tells their names".formatted(called)));
    }

    public void print(PrintWriter out) {
        groups.forEach((name, addresses) -> {
            out.println("group %s at %s".formatted(name, addresses));
            mounts.stream()
                    .filter(mount -> mount.group().equals(name))
                    .forEach(mount -> out.println("  %s  %s%s"
                            .formatted(
                                    mount.mount(),
                                    mount.store(),
                                    mount.movesTo().isEmpty() ? "" : ", moves to " + mount.movesTo())));
        });
    }
}
