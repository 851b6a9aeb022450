// SPDX-License-Identifier: Apache-2.0
package io.packing.worker;

import com.google.common.hash.BloomFilter;
import com.google.common.hash.Funnels;
import io.packing.bdt.FingerprintPage;
import java.io.IOException;
import java.time.Duration;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The fingerprints of the contents that the mount has, as this worker has read them from the master. A filter of them errs to one side: it
 * may have a fingerprint that the mount lacks. Contents that other workers noted since the last {@link #refresh} are missing, hence it
 * answers for a moment only. Thread-safe; one thread refreshes it.
 */
final class MountFingerprints {
    /** The age up to which the filter answers. */
    private static final Duration MOST_AGE = Duration.ofSeconds(2);
    /** The time between two looks at the master's list. */
    private static final Duration REST = Duration.ofMillis(500);
    /** The time to the next look after the master gave no list. */
    private static final Duration LONG_REST = Duration.ofSeconds(10);

    private static final int LEAST_ROOM = 1 << 20;
    private static final double WRONG = 0.01;

    /** The master's list. */
    interface Source {
        FingerprintPage page(long list, long after) throws IOException;
    }

    private record Filter(BloomFilter<Integer> bits, long room) {
        static Filter forContents(long contents) {
            long room = Math.max(LEAST_ROOM, 2 * contents);
            return new Filter(BloomFilter.create(Funnels.integerFunnel(), room, WRONG), room);
        }
    }

    private final Source source;
    private final LongSupplier nanos;
    private volatile @Nullable Filter filter;
    /** The filter to which the master's list is added, at first another one than the one that answers. */
    private volatile @Nullable Filter filling;
    /** The time at which the worker asked for the newest part of the filter. */
    private volatile long refreshed;
    /** The time of the next question. Confined to the thread that refreshes, as all below. */
    private long due;
    /** The place in the master's list up to which it was read. */
    private long list;

    private long next;

    MountFingerprints(Source source, LongSupplier nanos) {
        this.source = source;
        this.nanos = nanos;
        this.refreshed = nanos.getAsLong();
        this.due = refreshed;
    }

    /** Returns true if the mount may have a content of this fingerprint, or nothing recent is known of the mount. */
    boolean mayHave(int fingerprint) {
        Filter known = filter;
        return known == null || isOlderThan(MOST_AGE) || known.bits.mightContain(fingerprint);
    }

    /** Adds a content of this worker, which the master's list has a moment later. */
    void add(int fingerprint) {
        for (Filter each : new @Nullable Filter[] {filling, filter}) {
            if (each != null) {
                boolean unused = each.bits.put(fingerprint);
            }
        }
    }

    /** Returns true if it is time to refresh. */
    boolean isDue() {
        return nanos.getAsLong() - due >= 0;
    }

    private boolean isOlderThan(Duration age) {
        return nanos.getAsLong() - refreshed > age.toNanos();
    }

    /** Reads what the master's list has got since; all of it at first, or when the filter has become too small. */
    void refresh() throws IOException {
        long asked = nanos.getAsLong();
        due = asked + LONG_REST.toNanos();
        Filter known = filter;
        if (known == null || next > known.room) {
            known = Filter.forContents(next);
            next = 0;
        }
        filling = known;
        FingerprintPage page;
        do {
            page = source.page(list, next);
            list = page.list();
            next = page.next();
            page.fingerprints().forEach(known.bits::put);
        } while (page.complete() && page.more());
        refreshed = asked;
        if (page.complete()) {
            filter = known;
            due = asked + REST.toNanos();
        } else {
            // The worker asks about all files, as at a master of an older version.
            filter = null;
            next = 0;
        }
    }
}
