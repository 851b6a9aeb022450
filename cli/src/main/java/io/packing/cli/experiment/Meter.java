package io.packing.cli.experiment;

import io.packing.cli.compare.Measurement;
import io.packing.cli.compare.Requests;
import io.packing.cli.compare.Timeline;
import io.packing.cli.rig.S3Process;
import io.packing.s3server.S3ServerMetrics;
import java.io.IOException;

/** Reads off an S3 server what one side asks of it: first while it ingests, then while it is read back. */
final class Meter {
    private final S3Process s3;
    private final String prefix;
    private final S3ServerMetrics before;

    private Meter(S3Process s3, String prefix, S3ServerMetrics before) {
        this.s3 = s3;
        this.prefix = prefix;
        this.before = before;
    }

    /** Takes the first reading. */
    static Meter start(S3Process s3, String prefix) throws IOException, InterruptedException {
        return new Meter(s3, prefix, s3.metrics());
    }

    /** Takes the reading after the ingest, which took so long. */
    Ingested ingested(double seconds) throws IOException, InterruptedException {
        return new Ingested(seconds, s3.metrics());
    }

    /** PUTs since the first reading. */
    long puts() throws IOException, InterruptedException {
        return requests(s3.metrics()).since(requests(before)).put();
    }

    private Requests requests(S3ServerMetrics metrics) {
        return Requests.of(metrics.prefix(prefix));
    }

    /** A side with everything that was measured of it. */
    record Metered(Measurement measurement, Timeline timeline) {}

    /** What was read off after the ingest. */
    final class Ingested {
        private final double seconds;
        private final S3ServerMetrics after;

        private Ingested(double seconds, S3ServerMetrics after) {
            this.seconds = seconds;
            this.after = after;
        }

        /** Takes the reading after the reading back. */
        Metered readBack(long files, long size, long verified) throws IOException, InterruptedException {
            Requests ingest = requests(after);
            Measurement measurement = new Measurement(
                    files,
                    size,
                    seconds,
                    ingest.since(requests(before)),
                    requests(s3.metrics()).since(ingest),
                    verified);
            return new Metered(measurement, Timeline.between(before, after));
        }
    }
}
