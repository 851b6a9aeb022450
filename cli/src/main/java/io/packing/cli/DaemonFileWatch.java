// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;

/**
 * Looks whether the file of a daemon's settings changes while the daemon runs. What it can take at once it takes; of all else, and
 * of a file that cannot be used, the log tells. Confined to one thread.
 */
final class DaemonFileWatch implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DaemonFileWatch.class);
    private static final long SECONDS = 5;

    /** A daemon that can take some of its settings while it runs. */
    interface Reloadable {
        /**
         * Takes a setting, or its default when the file has it no more; false when that needs a restart.
         *
         * @throws IllegalArgumentException when the value cannot be used
         */
        boolean reload(String key, Optional<String> value);
    }

    private final Daemon daemon;
    private final Path file;
    private final List<String> words;
    private final Reloadable running;
    private final CountDownLatch closed = new CountDownLatch(1);
    private Map<String, String> known;
    private String seen;

    /**
     * @param words of the command line, which go before the file
     * @throws IllegalArgumentException when the file cannot be used
     */
    DaemonFileWatch(Daemon daemon, Path file, List<String> words, Reloadable running) {
        this.daemon = daemon;
        this.file = file;
        this.words = List.copyOf(words);
        this.running = running;
        // Before it is read: a change meanwhile is seen by the first step.
        this.seen = stamp();
        this.known = settings();
    }

    /** Returns a watch for the daemon and the file of a command line; empty: it names none. */
    static Optional<DaemonFileWatch> of(List<String> words, CommandLine commands) {
        return DaemonFile.of(words)
                .flatMap(file -> Daemon.runBy(words).map(each -> {
                    CommandLine command = commands.getSubcommands().get(each.command());
                    Reloadable running = command != null && command.getCommand() instanceof Reloadable reloadable
                            ? reloadable
                            : (key, value) -> false;
                    return new DaemonFileWatch(each, file, words, running);
                }));
    }

    /** Goes on until it is closed. */
    void start() {
        Thread thread = new Thread(this::run, "daemon-file");
        thread.setDaemon(true);
        thread.start();
    }

    private void run() {
        try {
            while (!closed.await(SECONDS, TimeUnit.SECONDS)) {
                step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /** Takes what changed since the last step. */
    void step() {
        String now = stamp();
        if (now.equals(seen)) {
            return;
        }
        seen = now;
        Map<String, String> changed;
        try {
            changed = settings();
        } catch (IllegalArgumentException e) {
            LOG.warn(
                    "the settings stay as they are, and the daemon would not start with this file: {}", e.getMessage());
            return;
        }
        TreeSet<String> keys = new TreeSet<>(known.keySet());
        keys.addAll(changed.keySet());
        for (String key : keys) {
            Optional<String> value = Optional.ofNullable(changed.get(key));
            if (!Objects.equals(known.get(key), changed.get(key))) {
                take(key, value);
            }
        }
        known = changed;
    }

    private void take(String key, Optional<String> value) {
        String argument = key.substring(key.indexOf('.') + 1);
        if (DaemonFile.sets(words, key)
                || (key.startsWith(daemon.command() + ".") && DaemonFile.says(words, argument))) {
            LOG.warn("{} changed in {}, but stays what the command line says", key, file);
            return;
        }
        try {
            if (running.reload(key, value)) {
                LOG.info("{} changed in {}, and is taken", key, file);
            } else {
                LOG.warn("{} changed in {}: restart the daemon, so that it takes it", key, file);
            }
        } catch (IllegalArgumentException e) {
            LOG.warn("{} changed in {}, and cannot be used: {}", key, file, e.getMessage());
        }
    }

    /** All that the file says. */
    private Map<String, String> settings() {
        DaemonFile read = DaemonFile.read(daemon, file);
        Map<String, String> settings = new TreeMap<>(read.options());
        read.arguments().forEach((name, value) -> settings.put(daemon.command() + "." + name, value));
        return settings;
    }

    /** Returns a stamp that changes when the file is written or replaced. */
    private String stamp() {
        try {
            BasicFileAttributes now = Files.readAttributes(file, BasicFileAttributes.class);
            return "%s %d %s".formatted(now.lastModifiedTime(), now.size(), now.fileKey());
        } catch (IOException e) {
            return "unreadable";
        }
    }
}
