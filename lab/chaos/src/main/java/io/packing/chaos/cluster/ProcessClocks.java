// SPDX-License-Identifier: Apache-2.0
package io.packing.chaos.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The clocks of processes, each of which can be set while its process runs. A small library, loaded before the C
 * library, reads the clock's offset in seconds from a file of 8 bytes. It needs a C compiler on the machine.
 */
final class ProcessClocks {
    private static final String SOURCE = "clock.c";

    private final Path home;
    private final Path library;
    private final boolean there;
    private final Set<String> processes = ConcurrentHashMap.newKeySet();

    private ProcessClocks(Path home, Path library, boolean there) {
        this.home = home;
        this.library = library;
        this.there = there;
    }

    static ProcessClocks below(Path home) throws IOException, InterruptedException {
        Path source = home.resolve(SOURCE);
        try (InputStream in = Objects.requireNonNull(ProcessClocks.class.getResourceAsStream(SOURCE))) {
            Files.write(source, in.readAllBytes());
        }
        Path library = home.resolve("clock.so");
        boolean compiled = ProgramCheck.succeeds(
                "cc", "-shared", "-fPIC", "-O1", "-o", library.toString(), source.toString(), "-ldl");
        return new ProcessClocks(home, library, compiled);
    }

    /** Returns whether this machine lets clocks be set. */
    boolean isThere() {
        return there;
    }

    /** Returns the environment variables of a process to start. */
    Map<String, String> environment(String process) throws IOException {
        if (!there) {
            return Map.of();
        }
        boolean unused = processes.add(process);
        set(process, 0);
        return Map.of(
                "LD_PRELOAD", library.toString(), "CHAOS_CLOCK", file(process).toString());
    }

    /** Sets the clocks of all processes. */
    void setAll(long seconds) throws IOException {
        for (String process : processes) {
            set(process, seconds);
        }
    }

    private Path file(String process) {
        return home.resolve("clock-" + process);
    }

    /** Sets a process's clock to a distance from the real time. */
    void set(String process, long seconds) throws IOException {
        ByteBuffer offset = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.nativeOrder());
        // The file is written in place: processes have it mapped.
        Path unused = Files.write(
                file(process), offset.putLong(seconds).array(), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    }
}
