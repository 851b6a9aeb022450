package io.packing.chaos.masters;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** How long clients waited for a change that was acknowledged. Thread-safe. */
final class Outages {
    private final LongSupplier nanos;
    private final long[] last;
    private final long[] acknowledged;
    private long longest;

    Outages(int clients, LongSupplier nanos) {
        this.nanos = nanos;
        this.last = new long[clients];
        this.acknowledged = new long[clients];
        begin();
    }

    /** From now on is measured. */
    final synchronized void begin() {
        Arrays.fill(last, nanos.getAsLong());
        Arrays.fill(acknowledged, 0);
        longest = 0;
    }

    /** A client was told that a change is done. */
    synchronized void acknowledged(int client) {
        long now = nanos.getAsLong();
        longest = Math.max(longest, now - last[client]);
        last[client] = now;
        acknowledged[client]++;
        notifyAll();
    }

    /** Waits until each client was told of so many more changes. */
    synchronized void await(int more, Duration patience) throws IOException, InterruptedException {
        long[] wanted = Arrays.stream(acknowledged).map(each -> each + more).toArray();
        long deadline = nanos.getAsLong() + patience.toNanos();
        for (int client = 0; client < wanted.length; client++) {
            while (acknowledged[client] < wanted[client]) {
                long left = deadline - nanos.getAsLong();
                if (left <= 0) {
                    throw new IOException("client %d was told of %d changes in %d s, and should be of %d"
                            .formatted(
                                    client, acknowledged[client] - wanted[client] + more, patience.toSeconds(), more));
                }
                wait(left / 1_000_000 + 1);
            }
        }
    }

    /** The longest time since the begin in which a client was told of nothing. */
    synchronized Duration longest() {
        return Duration.ofNanos(longest);
    }
}
