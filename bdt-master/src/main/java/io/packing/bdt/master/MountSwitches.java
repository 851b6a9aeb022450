package io.packing.bdt.master;

import io.packing.bdt.UnavailableException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Mounts that are going to another group at this moment: calls for them wait until their store says who has them. Thread-safe. */
final class MountSwitches {
    private static final long MOST_MILLIS = 20_000;

    private final Map<String, CountDownLatch> switching = new ConcurrentHashMap<>();

    /** Has calls for a mount wait from now on, until {@link #end}. */
    void begin(String id) {
        switching.put(id, new CountDownLatch(1));
    }

    /** Ends what {@link #begin} began. */
    void end(String id) {
        CountDownLatch over = switching.remove(id);
        if (over != null) {
            over.countDown();
        }
    }

    /** Waits while a mount is going to another group. */
    void await(String id) throws UnavailableException {
        CountDownLatch over = switching.get(id);
        if (over == null) {
            return;
        }
        try {
            if (!over.await(MOST_MILLIS, TimeUnit.MILLISECONDS)) {
                throw new UnavailableException(
                        "mount %s goes to another group, and its store does not say yet who has it".formatted(id));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new UnavailableException("interrupted", e);
        }
    }
}
