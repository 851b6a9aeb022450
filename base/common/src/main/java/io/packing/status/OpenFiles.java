// SPDX-License-Identifier: Apache-2.0
package io.packing.status;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * A check of the number of files and connections that the operating system lets a daemon have open. A daemon with too
 * few would report that it serves and then accept no caller, so it does not start.
 */
public final class OpenFiles {
    /** The need of the smallest daemon: its jars, its ports, its files, and a few hundred callers. */
    public static final long NEEDED = 1_024;
    /** Enough for large tables: one table of LevelDB may have 2,000 files open. */
    public static final long AMPLE = 4_096;

    private OpenFiles() {}

    /**
     * Checks the limit of this process.
     *
     * @param daemon its name, for the message
     * @param warn takes the warning about a limit that suffices for a start, but perhaps not for long
     * @throws IOException with the limit and the need, when the daemon must not start
     */
    public static void check(String daemon, Consumer<String> warn) throws IOException {
        check(daemon, limit(), warn);
    }

    static void check(String daemon, OptionalLong limit, Consumer<String> warn) throws IOException {
        if (limit.isEmpty() || limit.getAsLong() >= AMPLE) {
            return;
        }
        String text = "%s may have %d files and connections open ('ulimit -n')".formatted(daemon, limit.getAsLong());
        if (limit.getAsLong() < NEEDED) {
            throw new IOException(
                    "%s, and needs %d: raise 'ulimit -n', or LimitNOFILE of its unit, to 65536, and start it again"
                            .formatted(text, NEEDED));
        }
        warn.accept("%s: raise that to 65536 where it serves many callers, or large tables".formatted(text));
    }

    /** Returns the limit; empty when the system does not report it. */
    static OptionalLong limit() {
        return ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean unix
                ? OptionalLong.of(unix.getMaxFileDescriptorCount())
                : OptionalLong.empty();
    }
}
