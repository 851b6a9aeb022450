// SPDX-License-Identifier: Apache-2.0
package io.packing.transport.watch;

import io.packing.durable.FileStamp;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
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
    private List<FileStamp> loaded;
    private List<FileStamp> complained = List.of();

    /** An action that reads the files and puts their content to use. */
    public interface Load {
        void run() throws IOException, GeneralSecurityException;
    }

    private WatchedFiles(List<Path> files, Load load, List<FileStamp> loaded) {
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
            List<FileStamp> stamps = stamps(files);
            load.run();
            return new WatchedFiles(files, load, stamps);
        } catch (IOException | GeneralSecurityException | RuntimeException e) {
            throw new IllegalArgumentException("cannot use %s: %s".formatted(files, reason(e)), e);
        }
    }

    /** Reads the files again if they have changed. */
    public synchronized void refresh() {
        Optional<List<FileStamp>> now = stampsNow();
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

    private Optional<List<FileStamp>> stampsNow() {
        try {
            return Optional.of(stamps(files));
        } catch (IOException e) {
            complain(List.of(), e);
            return Optional.empty();
        }
    }

    /** Logs the failure once for each change. */
    private void complain(List<FileStamp> about, Exception e) {
        if (!about.equals(complained) || about.isEmpty()) {
            complained = about;
            LOG.warn("{} changed and cannot be used, what was read before stays: {}", files, reason(e));
        }
    }

    private static List<FileStamp> stamps(List<Path> files) throws IOException {
        List<FileStamp> stamps = new ArrayList<>();
        for (Path file : files) {
            stamps.add(FileStamp.of(file));
        }
        return List.copyOf(stamps);
    }

    private static String reason(Exception e) {
        return e.getClass().getSimpleName() + (e.getMessage() == null ? "" : ": " + e.getMessage());
    }
}
