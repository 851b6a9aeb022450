package io.packing.worker;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.DoubleSupplier;
import java.util.function.LongSupplier;

/**
 * How busy the processors are that this process may use, looked at twice a second at most. One for the process: the system
 * tells of the time since it was asked last, by whomever. Thread-safe.
 */
final class ProcessorLoad {
    private static final double HIGH = 0.85;
    private static final long INTERVAL_NANOS = 500_000_000L;

    private final DoubleSupplier load;
    private final LongSupplier nanoTime;
    private long lookedAt;
    private boolean high;

    /**
     * @param load from 0 to 1, since the last call; negative where the system does not tell
     * @param nanoTime monotonic nanoseconds
     */
    ProcessorLoad(DoubleSupplier load, LongSupplier nanoTime) {
        this.load = load;
        this.nanoTime = nanoTime;
        this.lookedAt = nanoTime.getAsLong() - INTERVAL_NANOS;
    }

    /** Of the machine, or of what the process has of it. */
    static ProcessorLoad ofThisMachine() {
        var system = (OperatingSystemMXBean)
                ManagementFactory.getPlatformMXBean(java.lang.management.OperatingSystemMXBean.class);
        return new ProcessorLoad(system::getCpuLoad, System::nanoTime);
    }

    /** Whether something has to wait for a processor nearly always. */
    synchronized boolean isHigh() {
        var now = nanoTime.getAsLong();
        if (now - lookedAt >= INTERVAL_NANOS) {
            lookedAt = now;
            high = load.getAsDouble() >= HIGH;
        }
        return high;
    }
}
