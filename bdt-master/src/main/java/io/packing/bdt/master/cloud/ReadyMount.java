// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import java.util.List;
import java.util.Optional;

/**
 * The content of a mount's {@code ready} file: the owner of the folder's table. One line each; versions before wrote the first two.
 *
 * @param leaseEpoch under which this master holds the mount
 * @param location of the store, as the client wrote it
 * @param server that the location is at; empty for a directory
 * @param identity of the store; empty when an older version wrote the file
 * @param run of the master that opened the table last; empty when an older version wrote the file, or a group has the table
 * @param next the run that takes the table over, while it does
 */
public record ReadyMount(
        long leaseEpoch,
        String location,
        String server,
        Optional<String> identity,
        Optional<String> run,
        Optional<String> next) {
    private static final String NO_RUN = "-";

    /** One that names no run. */
    public ReadyMount(long leaseEpoch, String location, String server, Optional<String> identity) {
        this(leaseEpoch, location, server, identity, Optional.empty(), Optional.empty());
    }

    /**
     * Reads what {@link #encode} wrote.
     *
     * @throws IllegalArgumentException when the lines are not that
     */
    public static ReadyMount decode(List<String> lines) {
        if (lines.isEmpty()) {
            throw new IllegalArgumentException("empty");
        }
        return new ReadyMount(
                Long.parseLong(lines.get(0)),
                lines.size() > 1 ? lines.get(1) : "",
                lines.size() > 2 ? lines.get(2) : "",
                line(lines, 3),
                line(lines, 4),
                line(lines, 5));
    }

    private static Optional<String> line(List<String> lines, int number) {
        return lines.size() > number ? Optional.of(lines.get(number)) : Optional.empty();
    }

    public String encode() {
        StringBuilder lines = new StringBuilder("%d\n%s\n%s\n".formatted(leaseEpoch, location, server));
        // Each line is there only with those before it.
        for (Optional<String> each : List.of(identity, run, next)) {
            if (each.isEmpty()) {
                break;
            }
            lines.append(each.get()).append('\n');
        }
        return lines.toString();
    }

    /** Returns these lines with a run that has the table. */
    ReadyMount of(String owner) {
        return new ReadyMount(leaseEpoch, location, server, identity, Optional.of(owner), Optional.empty());
    }

    /** Returns these lines for a store, while another run takes the table over. */
    public ReadyMount before(StoreIdentity store, String taker) {
        return new ReadyMount(
                leaseEpoch,
                location,
                server,
                Optional.of(store.id()),
                run.or(() -> Optional.of(NO_RUN)),
                Optional.of(taker));
    }

    /** Returns whether a run is the one that opened this table last, or was about to. */
    boolean isOf(String other) {
        return run.filter(other::equals).isPresent()
                || next.filter(other::equals).isPresent();
    }

    /** Returns whether an older version wrote this, which did not name its runs. */
    boolean isWithoutRun() {
        return run.isEmpty() || run.get().equals(NO_RUN);
    }

    /** The store, for people. */
    String store() {
        return location
                + (server.isEmpty() ? "" : "@" + server)
                + identity.map(id -> ", identity " + id).orElse("");
    }
}
