// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.change;

import io.packing.bdt.master.table.row.EntryLink;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.Snapshot;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The positions at which a directory is in a place: one range for the present, and one for each row of the past that has the directory. So it
 * takes no look at each snapshot. The range of the present holds for later snapshots, too.
 */
final class SeenPositions {
    private final NavigableMap<Long, Span> byEnd = new TreeMap<>();

    /**
     * Positions, both included.
     *
     * @param inode what the entry was at them
     */
    record Span(long from, long to, Inode inode) {}

    private SeenPositions() {}

    static SeenPositions of(Rows rows, EntryLink at, long directory) throws IOException {
        SeenPositions found = new SeenPositions();
        Optional<Inode> present = rows.get(Keys.entry(at.parent(), at.name()))
                .map(Inode::decode)
                .filter(inode -> inode.id() == directory);
        // Rows of the past from before the directory was made are of others of its name: there may be one for each
        // second.
        long[] next = {present.map(Inode::generation).orElse(0L)};
        rows.scan(Keys.past(at, next[0]), Keys.past(at, Long.MAX_VALUE), (key, row) -> {
            long position = Keys.pastPosition(key);
            if (row.length > 0) {
                Inode was = Inode.decode(row);
                if (was.id() == directory) {
                    found.add(next[0], position, was);
                }
            }
            next[0] = position + 1;
            return true;
        });
        present.ifPresent(inode -> found.add(next[0], Long.MAX_VALUE, inode));
        return found;
    }

    private void add(long from, long to, Inode inode) {
        long since = Math.max(from, inode.generation());
        if (since <= to) {
            byEnd.put(to, new Span(since, to, inode));
        }
    }

    private Optional<Span> at(long position) {
        return Optional.ofNullable(byEnd.ceilingEntry(position))
                .map(Map.Entry::getValue)
                .filter(span -> span.from() <= position);
    }

    /** Returns whether a snapshot sees the directory in this place. */
    boolean isSeenBy(Snapshot snapshot) {
        return at(snapshot.position())
                .filter(span -> snapshot.sees(span.inode()))
                .isPresent();
    }

    /** Returns the position before which the next snapshot may be that sees the directory; this one does not. */
    long before(Snapshot hidden) {
        if (at(hidden.position()).isPresent()) {
            return hidden.position();
        }
        return Optional.ofNullable(byEnd.lowerKey(hidden.position()))
                .map(end -> end + 1)
                .orElse(Long.MIN_VALUE);
    }

    List<Span> spans() {
        return List.copyOf(byEnd.values());
    }

    /** Returns the parts of spans in which the directory is in this place, too. */
    List<Span> within(List<Span> others) {
        List<Span> parts = new ArrayList<>();
        for (Span other : others) {
            for (Span own : byEnd.tailMap(other.from(), true).values()) {
                if (own.from() > other.to()) {
                    break;
                }
                parts.add(new Span(Math.max(own.from(), other.from()), Math.min(own.to(), other.to()), other.inode()));
            }
        }
        return parts;
    }
}
