// SPDX-License-Identifier: Apache-2.0
package io.packing.store.credentials;

import io.packing.durable.FileStamp;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import software.amazon.awssdk.profiles.ProfileFile;
import software.amazon.awssdk.profiles.ProfileFileLocation;
import software.amazon.awssdk.profiles.ProfileFileSupplier;

/**
 * Files of AWS's profiles, which are read again when a process has written or replaced them. The SDK's own supplier compares times
 * only: it passes over a file that was written before its last look, and that a rename puts in place after it. A file that is gone
 * or broken takes nothing away. Thread-safe.
 */
public final class WatchedProfiles implements ProfileFileSupplier {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedProfiles.class);

    private final List<Path> files;
    private final Supplier<ProfileFile> reading;
    private List<FileStamp> seen;
    private ProfileFile last;

    private WatchedProfiles(List<Path> files, Supplier<ProfileFile> reading) {
        this.files = files;
        this.reading = reading;
        try {
            // Taken before the read, so that the next look sees a change meanwhile.
            this.seen = stamps();
        } catch (IOException e) {
            throw new IllegalArgumentException("the file of credentials %s cannot be read".formatted(files), e);
        }
        this.last = reading.get();
    }

    /**
     * Reads a file of keys.
     *
     * @throws IllegalArgumentException when the file cannot be read
     */
    public static WatchedProfiles ofKeys(Path file) {
        return new WatchedProfiles(
                List.of(file),
                () -> ProfileFile.builder()
                        .content(file)
                        .type(ProfileFile.Type.CREDENTIALS)
                        .build());
    }

    /** Reads those of AWS's files that this process has. */
    static WatchedProfiles ofProcess() {
        List<Path> there = Stream.of(
                        ProfileFileLocation.credentialsFilePath(), ProfileFileLocation.configurationFilePath())
                .filter(Files::exists)
                .toList();
        return new WatchedProfiles(there, ProfileFile::defaultProfileFile);
    }

    private List<FileStamp> stamps() throws IOException {
        List<FileStamp> stamps = new ArrayList<>();
        for (Path file : files) {
            stamps.add(FileStamp.of(file));
        }
        return stamps;
    }

    @Override
    public synchronized ProfileFile get() {
        List<FileStamp> now;
        try {
            now = stamps();
        } catch (IOException e) {
            // An operator who replaces it in two steps puts the next one there soon.
            return last;
        }
        if (!now.equals(seen)) {
            seen = now;
            try {
                last = reading.get();
            } catch (RuntimeException e) {
                LOG.warn("{} changed and cannot be used, what was read before stays: {}", files, e.getMessage());
            }
        }
        return last;
    }
}
