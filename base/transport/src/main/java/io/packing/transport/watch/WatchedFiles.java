// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.watch;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files that it reads again when they have changed. It looks when a user of their content asks it to; it has no thread.
 * If the files cannot be read, the content that was read last stays in use. Thread-safe.
 */
public final class WatchedFiles {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedFiles.class);

    private final List<Path> files;
    private final Load load;
    private List<Stamp> loaded;
    private List<Stamp> complained = List.of();

    /** An action that reads the files and puts their content to use. */
    public interface Load {
        void run() throws IOException, GeneralSecurityException;
    }

    /** The attributes that change when a process writes or replaces a file. */
    private record Stamp(
            FileTime modified, long bytes, @Nullable Object file) {
        static Stamp of(Path path) throws IOException {
            BasicFileAttributes now = Files.readAttributes(path, BasicFileAttributes.class);
            return new Stamp(now.lastModifiedTime(), now.size(), now.fileKey());
        }
    }

    private WatchedFiles(List<Path> files, Load load, List<Stamp> loaded) {
        this.files = List.copyOf(files);
        this.load = load;
        this.loaded = loaded;
    }

    /**
     * Reads files.
     *
     * @throws IllegalArgumentException naming the files when they cannot be used
     */
    public static WatchedFiles read(List<Path> files, Load load) {
        try {
            // Taken before the load, so that the next refresh sees a change meanwhile.
            List<Stamp> stamps = stamps(files);
            load.run();
            return new WatchedFiles(files, load, stamps);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IllegalArgumentException("cannot use %s: %s".formatted(files, reason(e)), e);
        }
    }

    /** Reads the files again if they have changed. */
    public synchronized void refresh() {
        Optional<List<Stamp>> now = stampsNow();
        if (now.isEmpty() || now.get().equals(loaded)) {
            return;
        }
        try {
            load.run();
            loaded = now.get();
            LOG.info("read {} again, which changed", files);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            complain(now.get(), e);
        }
    }

    private Optional<List<Stamp>> stampsNow() {
        try {
            return Optional.of(stamps(files));
        } catch (IOException e) {
            complain(List.of(), e);
            return Optional.empty();
        }
    }

    /** Logs the failure once for each change. */
    private void complain(List<Stamp> about, Exception e) {
        if (!about.equals(complained) || about.isEmpty()) {
            complained = about;
            LOG.warn("{} changed and cannot be used, what was read before stays: {}", files, reason(e));
        }
    }

    private static List<Stamp> stamps(List<Path> files) throws IOException {
        List<Stamp> stamps = new ArrayList<>();
        for (Path file : files) {
            stamps.add(Stamp.of(file));
        }
        return List.copyOf(stamps);
    }

    private static String reason(Exception e) {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }
}
