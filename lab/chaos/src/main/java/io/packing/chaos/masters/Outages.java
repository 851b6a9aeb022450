// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.masters;

import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.function.LongSupplier;

/** A clock of the clients' waits for acknowledged changes. Thread-safe. */
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

    /** Begins to measure anew. */
    final synchronized void begin() {
        Arrays.fill(last, nanos.getAsLong());
        Arrays.fill(acknowledged, 0);
        longest = 0;
    }

    /** Records an acknowledged change of a client. */
    synchronized void acknowledged(int client) {
        long now = nanos.getAsLong();
        longest = Math.max(longest, now - last[client]);
        last[client] = now;
        acknowledged[client]++;
        notifyAll();
    }

    /** Waits until each client has a number of further acknowledged changes. */
    synchronized void await(int more, Duration patience) throws IOException, InterruptedException {
        long[] wanted = Arrays.stream(acknowledged).map(each -> each + more).toArray();
        long deadline = nanos.getAsLong() + patience.toNanos();
        for (int client = 0; client < wanted.length; client++) {
            while (acknowledged[client] < wanted[client]) {
                long left = deadline - nanos.getAsLong();
                if (left <= 0) {
                    throw new IOException("client %d has %d acknowledged changes after %d s, instead of %d"
                            .formatted(
                                    client, acknowledged[client] - wanted[client] + more, patience.toSeconds(), more));
                }
                wait(left / 1_000_000 + 1);
            }
        }
    }

    /** Returns the longest time between two acknowledged changes of one client since the begin. */
    synchronized Duration longest() {
        return Duration.ofNanos(longest);
    }
}
