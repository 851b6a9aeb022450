package io.packing.chaos.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * The clocks that processes see, each of which can be set to another time while they run: libfaketime stands before the C library of
 * a process, and looks once a second into a file how far off it is. Time that only counts on is not touched, as on a real machine.
 */
final class ProcessClocks {
    /** Where the library is, if not where Debian puts it. */
    private static final String PROPERTY = "packing.faketime";

    private static final String LIBRARY = "faketime/libfaketime.so.1";

    private final Path home;
    private final Optional<Path> library;
    private final Set<String> processes = ConcurrentHashMap.newKeySet();

    private ProcessClocks(Path home, Optional<Path> library) {
        this.home = home;
        this.library = library;
    }

    static ProcessClocks below(Path home) throws IOException {
        return new ProcessClocks(home, library());
    }

    private static Optional<Path> library() throws IOException {
        String named = System.getProperty(PROPERTY, "");
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named));
        }
        Path libraries = Path.of("/usr/lib");
        if (!Files.isDirectory(libraries)) {
            return Optional.empty();
        }
        try (Stream<Path> architectures = Files.list(libraries)) {
            return architectures
                    .map(each -> each.resolve(LIBRARY))
                    .filter(Files::exists)
                    .findFirst();
        }
    }

    /** Whether clocks can be set here. */
    boolean isThere() {
        return library.isPresent();
    }

    /** Variables of a process that is started. */
    Map<String, String> environment(String process) throws IOException {
        if (library.isEmpty()) {
            return Map.of();
        }
        boolean unused = processes.add(process);
        set(process, 0);
        return Map.of(
                "LD_PRELOAD",
                library.get().toString(),
                "FAKETIME_TIMESTAMP_FILE",
                file(process).toString(),
                "FAKETIME_CACHE_DURATION",
                "1",
                "FAKETIME_DONT_FAKE_MONOTONIC",
                "1",
                "DONT_FAKE_MONOTONIC",
                "1");
    }

    /** The same for all processes. */
    void setAll(long seconds) throws IOException {
        for (String process : processes) {
            set(process, seconds);
        }
    }

    private Path file(String process) {
        return home.resolve("clock-" + process);
    }

    /** From now on, or a second later, the process's clock is so far from the real one. */
    void set(String process, long seconds) throws IOException {
        Path next = Files.writeString(home.resolve("clock-" + process + "-next"), "%+d%n".formatted(seconds));
        Path unused =
                Files.move(next, file(process), StandardCopyOption.REPLACE_EXISTING, StandardCopyOption.ATOMIC_MOVE);
    }
}
