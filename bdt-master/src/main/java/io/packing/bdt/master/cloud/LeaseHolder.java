// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import io.packing.bdt.master.table.row.Reached;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The master that holds an epoch of a mount, as it says so in the epoch's object. Each renewal changes the text. If the text
 * stays the same for the length of a lease, no holder answered.
 *
 * <pre>
 * packing epoch 1
 * address HOST:PORT        where people find the master
 * instance UUID            of its data directory
 * run UUID                 of its start
 * since 2026-01-31T12:00Z  by its clock
 * lease-millis 45000
 * renewal 17
 * state held               or released
 * position 1234            of the table, its next id, and a checksum of its counters: when it was released by a clean stop
 * next-id 99
 * print 4711
 * </pre>
 *
 * @param run one opening of the mount; it begins with the number of the start of the process
 * @param left how far the table was when it was given up; empty: it was not, or without a table
 */
public record LeaseHolder(
        String address,
        String instance,
        String run,
        Instant since,
        Duration lease,
        long renewal,
        boolean released,
        Optional<Reached> left) {
    private static final String FIRST_LINE = "packing epoch 1";
    /** Limits the lease that another master wrote, because this master waits for it. */
    private static final long MOST_MILLIS = LeaseOptions.LONGEST.toMillis();

    public LeaseHolder {
        if (address.isBlank() || instance.isBlank() || run.isBlank() || renewal < 0) {
            throw new IllegalArgumentException(
                    "bad holder '%s', '%s', '%s', %d".formatted(address, instance, run, renewal));
        }
    }

    /** A holder that left nothing yet. */
    public LeaseHolder(
            String address,
            String instance,
            String run,
            Instant since,
            Duration lease,
            long renewal,
            boolean released) {
        this(address, instance, run, since, lease, renewal, released, Optional.empty());
    }

    /** The next renewal. */
    LeaseHolder renewed() {
        return new LeaseHolder(address, instance, run, since, lease, renewal + 1, false);
    }

    /** The end of it: the next master need not wait. */
    public LeaseHolder ended() {
        return ended(Optional.empty());
    }

    /** The end of it, with how far the table was. */
    LeaseHolder ended(Optional<Reached> standing) {
        return new LeaseHolder(address, instance, run, since, lease, renewal + 1, true, standing);
    }

    /** Returns the question of a master that saw this text last. */
    byte[] question() {
        return "packing question 1\nrun %s\nrenewal %d\n"
                .formatted(run, renewal)
                .getBytes(StandardCharsets.UTF_8);
    }

    public byte[] encode() {
        return """
            %s
            address %s
            instance %s
            run %s
            since %s
            lease-millis %d
            renewal %d
            state %s
            """.formatted(
                        FIRST_LINE,
                        address,
                        instance,
                        run,
                        since,
                        lease.toMillis(),
                        renewal,
                        released ? "released" : "held")
                .concat(left.map(standing -> "position %d\nnext-id %d\nprint %d\n"
                                .formatted(standing.position(), standing.nextId(), standing.print()))
                        .orElse(""))
                .getBytes(StandardCharsets.UTF_8);
    }

    /** Empty when a master of a version without leases wrote it. */
    public static Optional<LeaseHolder> decode(byte[] bytes) {
        String[] lines = new String(bytes, StandardCharsets.UTF_8).split("\n", -1);
        if (!lines[0].equals(FIRST_LINE)) {
            return Optional.empty();
        }
        Map<String, String> values = new HashMap<>();
        for (String line : lines) {
            int space = line.indexOf(' ');
            if (space > 0) {
                values.put(line.substring(0, space), line.substring(space + 1));
            }
        }
        try {
            return Optional.of(new LeaseHolder(
                    values.getOrDefault("address", ""),
                    values.getOrDefault("instance", ""),
                    values.getOrDefault("run", ""),
                    Instant.parse(values.getOrDefault("since", "")),
                    Duration.ofMillis(Math.min(
                            MOST_MILLIS, Math.max(0, Long.parseLong(values.getOrDefault("lease-millis", ""))))),
                    Long.parseLong(values.getOrDefault("renewal", "")),
                    values.getOrDefault("state", "").equals("released"),
                    values.containsKey("position")
                            ? Optional.of(new Reached(
                                    Long.parseLong(values.getOrDefault("position", "")),
                                    Long.parseLong(values.getOrDefault("next-id", "")),
                                    Long.parseLong(values.getOrDefault("print", ""))))
                            : Optional.empty()));
        } catch (DateTimeException | IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    @Override
    public String toString() {
        return "the BDT master at %s (since %s)".formatted(address, since);
    }
}
