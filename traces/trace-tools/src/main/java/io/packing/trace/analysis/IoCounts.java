// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The bytes, sizes and sequentiality of I/O, by cause and by family. Confined to one thread. */
final class IoCounts {
    private static final class OfCause {
        private long bytes;
        private long calls;
        private long sequential;
        private final Histogram sizes = new Histogram();
    }

    private final List<String> causes;
    /** The counts by [cause][0 read, 1 written]. */
    private final OfCause[][] byCause;

    private final Map<String, long[]> byFamily = new HashMap<>();
    private final Histogram betweenSyncs = new Histogram();
    private final Histogram logWrites = new Histogram();
    private long syncs;

    IoCounts(List<String> causes) {
        this.causes = List.copyOf(causes);
        this.byCause = new OfCause[causes.size()][2];
    }

    /** @param sequential number of calls that began where the last one on the stream had ended */
    void add(int cause, String family, boolean read, long bytes, int calls, int sequential) {
        int direction = read ? 0 : 1;
        OfCause of = byCause[cause][direction];
        if (of == null) {
            of = new OfCause();
            byCause[cause][direction] = of;
        }
        of.bytes += bytes;
        of.calls += calls;
        of.sequential += sequential;
        of.sizes.add(bytes / calls, calls);
        byFamily.computeIfAbsent(family, name -> new long[2])[direction] += bytes;
    }

    /** Counts an hflush or hsync that made {@code bytes} durable. */
    void sync(long bytes) {
        syncs++;
        betweenSyncs.add(bytes, 1);
    }

    void logWrite(long bytes, int calls) {
        logWrites.add(bytes / calls, calls);
    }

    void addTo(Totals totals) {
        for (int cause = 0; cause < byCause.length; cause++) {
            for (int direction = 0; direction < 2; direction++) {
                OfCause of = byCause[cause][direction];
                if (of != null) {
                    String way = direction == 0 ? "read" : "write";
                    totals.add(of.bytes, "io", causes.get(cause), way);
                    totals.add(of.calls, "iocalls", causes.get(cause), way);
                    totals.add(of.sequential, "sequential", causes.get(cause), way);
                    of.sizes.addTo(totals, "iosize", causes.get(cause), way);
                }
            }
        }
        byFamily.forEach((family, bytes) -> {
            totals.add(bytes[0], "familyio", family, "read");
            totals.add(bytes[1], "familyio", family, "write");
        });
        totals.add(syncs, "syncs");
        betweenSyncs.addTo(totals, "syncbytes");
        logWrites.addTo(totals, "logwrite");
    }
}
