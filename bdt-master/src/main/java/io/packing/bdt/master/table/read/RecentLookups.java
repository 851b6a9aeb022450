// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.FoundEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/**
 * The order in which clients looked files up of late: a ring of the ids of files and contents, in memory only. Without
 * {@link #keep} it remembers none. Thread-safe.
 */
public final class RecentLookups {
    private static final int USUAL = 1 << 20;

    private final AtomicLong count = new AtomicLong();
    private volatile @Nullable AtomicLongArray ring;

    /** Keeps look-ups from now on: the last 1,048,576, in 8 MB of memory. */
    public void keep() {
        keep(USUAL);
    }

    void keep(int most) {
        ring = new AtomicLongArray(most);
    }

    /** Learns a look-up of a client, and returns its answer. */
    public Optional<LocatedFile> located(Optional<LocatedFile> answer) {
        answer.ifPresent(file -> add(file.status().version(), file.placement()));
        return answer;
    }

    /** Learns look-ups of a client, and returns their answers. An entry without bytes that the client may read does not count. */
    public List<FoundEntry> found(List<FoundEntry> answers) {
        for (FoundEntry each : answers) {
            each.entry()
                    .ifPresent(entry -> entry.placement()
                            .ifPresent(placement -> add(entry.status().version(), placement)));
        }
        return answers;
    }

    private void add(FileVersion version, Placement placement) {
        AtomicLongArray kept = ring;
        if (kept == null) {
            return;
        }
        if (placement instanceof Placement.Mapped mapped) {
            mapped.pieces()
                    .forEach(each -> add(kept, each.content().status().version().id()));
        } else {
            add(kept, version.id());
        }
    }

    private void add(AtomicLongArray kept, long id) {
        kept.setRelease((int) (count.getAndIncrement() % kept.length()), id);
    }

    /** Returns when each of some files or contents was looked up last, as numbers that grow; those that are not known are left out. */
    public Map<Long, Long> latest(Set<Long> ids) {
        AtomicLongArray kept = ring;
        Map<Long, Long> latest = new HashMap<>();
        if (kept == null || ids.isEmpty()) {
            return latest;
        }
        long end = count.get();
        for (long at = Math.max(0, end - kept.length()); at < end; at++) {
            long id = kept.getAcquire((int) (at % kept.length()));
            if (ids.contains(id)) {
                latest.put(id, at);
            }
        }
        return latest;
    }
}
