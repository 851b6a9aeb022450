package io.packing.bdt.master.cloud;

import java.util.List;
import java.util.Optional;

/**
 * What a mount's {@code ready} file says: whose table is in the folder. One line each; versions before wrote the first two.
 *
 * @param epoch under which this master holds the mount
 * @param location of the store, as the client wrote it
 * @param server that the location is at; empty for a directory
 * @param identity of the store; empty when an older version wrote the file
 */
public record ReadyMount(long epoch, String location, String server, Optional<String> identity) {
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
                lines.size() > 3 ? Optional.of(lines.get(3)) : Optional.empty());
    }

    public String encode() {
        return "%d\n%s\n%s\n%s"
                .formatted(
                        epoch, location, server, identity.map(id -> id + "\n").orElse(""));
    }

    /** The store, for people. */
    String store() {
        return location
                + (server.isEmpty() ? "" : "@" + server)
                + identity.map(id -> ", identity " + id).orElse("");
    }
}
