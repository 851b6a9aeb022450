// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.load;

import io.packing.lab.compare.AnsweredRequests;
import io.packing.lab.compare.Measurement;
import io.packing.lab.compare.PutTimeline;
import io.packing.rig.S3Process;
import io.packing.s3server.S3ServerMetrics;
import java.io.IOException;

/** Reads off an S3 server what one side asks of it: first while it ingests, then while it is read back. */
public final class Meter {
    private final S3Process s3;
    private final String prefix;
    private final S3ServerMetrics before;

    private Meter(S3Process s3, String prefix, S3ServerMetrics before) {
        this.s3 = s3;
        this.prefix = prefix;
        this.before = before;
    }

    /** Takes the first reading. */
    public static Meter start(S3Process s3, String prefix) throws IOException, InterruptedException {
        return new Meter(s3, prefix, s3.metrics());
    }

    /** Takes the reading after the ingest, which took so long. */
    public Ingested ingested(double seconds) throws IOException, InterruptedException {
        return ingested(seconds, seconds);
    }

    /** Takes the reading after an ingest whose writers had their answers earlier than its files were durable. */
    public Ingested ingested(double acknowledged, double seconds) throws IOException, InterruptedException {
        return new Ingested(acknowledged, seconds, s3.metrics());
    }

    /** PUTs since the first reading. */
    public long puts() throws IOException, InterruptedException {
        return requests(s3.metrics()).since(requests(before)).put();
    }

    /** Returns the requests refused since the first reading. */
    public long throttled() throws IOException, InterruptedException {
        return requests(s3.metrics()).since(requests(before)).throttled();
    }

    private AnsweredRequests requests(S3ServerMetrics metrics) {
        return AnsweredRequests.of(metrics.prefix(prefix));
    }

    /** A side with everything that was measured of it. */
    public record Metered(Measurement measurement, PutTimeline timeline) {}

    /** The readings after the ingest. */
    public final class Ingested {
        private final double acknowledged;
        private final double seconds;
        private final S3ServerMetrics after;

        private Ingested(double acknowledged, double seconds, S3ServerMetrics after) {
            this.acknowledged = acknowledged;
            this.seconds = seconds;
            this.after = after;
        }

        /** Takes the reading after the reading back. */
        public Metered readBack(long files, long size, long verified) throws IOException, InterruptedException {
            AnsweredRequests ingest = requests(after);
            Measurement measurement = new Measurement(
                    files,
                    size,
                    acknowledged,
                    seconds,
                    ingest.since(requests(before)),
                    requests(s3.metrics()).since(ingest),
                    verified);
            return new Metered(measurement, PutTimeline.between(before, after));
        }
    }
}
