// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import io.packing.s3server.S3ServerMetrics;
import io.packing.s3server.S3ServerMetrics.Second;
import java.util.List;

/** PUT-class requests of one side in each second, from its first write on (Figure 3). */
public record PutTimeline(List<Second> seconds) {
    public PutTimeline {
        seconds = List.copyOf(seconds);
    }

    /** Returns a server's counts between two readings of its metrics, the second of the first reading included. */
    public static PutTimeline between(S3ServerMetrics before, S3ServerMetrics after) {
        List<Second> all = after.seconds();
        return new PutTimeline(all.subList(Math.max(0, before.seconds().size() - 1), all.size()));
    }
}
