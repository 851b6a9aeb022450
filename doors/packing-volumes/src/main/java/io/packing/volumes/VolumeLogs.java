// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.Bdt;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ScratchNames;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * The places of logs of volumes in a mount (RFC 0028). A log is a directory among the scratch files, which its volume names in an extended
 * attribute.
 */
final class VolumeLogs {
    /** The directory with the log of the server before, while its groups are played. */
    static final String BEFORE = "before";

    private static final String ATTRIBUTE = "user.packing.volume.log.";
    private static final int PAGE = 1_000;
    /** The patience of commands with the server of a volume, which changes the map several times a second. */
    private static final long MOST_WAIT_MILLIS = 10_000;

    private static final long PAUSE_MILLIS = 5;

    private final Bdt bdt;
    private final long mostWaitMillis;

    VolumeLogs(Bdt bdt) {
        this(bdt, MOST_WAIT_MILLIS);
    }

    VolumeLogs(Bdt bdt, long mostWaitMillis) {
        this.bdt = bdt;
        this.mostWaitMillis = mostWaitMillis;
    }

    static FilePath directory(String name) {
        return FilePath.SCRATCH.child(name);
    }

    /**
     * Returns the steps that make a log the one of a volume. They are refused when the volume had none for the caller, and has one now. The
     * attribute's name has the volume's id: a clone of a file has the attributes of its source.
     *
     * @param isFirst false: the volume names another log now
     */
    List<ExtendedChange> naming(FileStatus volume, String name, boolean isFirst) throws IOException {
        List<ExtendedChange> steps = new ArrayList<>();
        String own = attribute(volume);
        for (String each : attributes(volume).keySet()) {
            if (each.startsWith(ATTRIBUTE) && !each.equals(own)) {
                steps.add(ExtendedChange.of(ExtendedChange.Kind.DROP, each));
            }
        }
        ExtendedValue value = new ExtendedValue(name.getBytes(StandardCharsets.UTF_8));
        steps.add(new ExtendedChange(isFirst ? ExtendedChange.Kind.CREATE : ExtendedChange.Kind.REPLACE, own, value));
        return steps;
    }

    /** Returns the name of a volume's log; empty: no server has written to it. */
    Optional<String> name(FileStatus volume) throws IOException {
        if (volume.isInherited() || VolumeFiles.isReadOnly(volume)) {
            // What a clone of a directory or a snapshot shows has the id of another file, whose log is not its own.
            return Optional.empty();
        }
        ExtendedValue value = attributes(volume).get(attribute(volume));
        if (value == null) {
            return Optional.empty();
        }
        String name = new String(value.bytes(), StandardCharsets.UTF_8);
        if (ScratchNames.file(name).orElse(0) != volume.version().id()) {
            throw new IOException("%s: its attribute %s is not one of a server's: '%s'"
                    .formatted(volume.path(), attribute(volume), name));
        }
        return Optional.of(name);
    }

    private Map<String, ExtendedValue> attributes(FileStatus volume) throws IOException {
        return volume.extras().hasExtended() ? bdt.extended(volume.path()).orElse(Map.of()) : Map.of();
    }

    private static String attribute(FileStatus volume) {
        return ATTRIBUTE + volume.version().id();
    }

    /** Returns the groups of a log in their order; none when it is not there. */
    List<FileStatus> groups(FilePath log) throws IOException {
        List<FileStatus> groups = new ArrayList<>();
        List<FileStatus> epochs = list(log);
        if (epochs.stream().anyMatch(each -> each.path().name().equals(BEFORE))) {
            groups.addAll(groups(log.child(BEFORE)));
        }
        for (FileStatus epoch : epochs) {
            if (epoch.isDirectory() && !epoch.path().name().equals(BEFORE)) {
                groups.addAll(list(epoch.path()));
            }
        }
        return groups;
    }

    private List<FileStatus> list(FilePath directory) throws IOException {
        List<FileStatus> all = new ArrayList<>();
        String after = "";
        while (true) {
            List<FileStatus> page = bdt.list(directory, after, PAGE).orElse(List.of());
            if (page.isEmpty()) {
                return all;
            }
            all.addAll(page);
            after = page.get(page.size() - 1).path().name();
        }
    }

    /**
     * Waits until the map of a volume has all that was synced before this call.
     *
     * @throws IOException when no server puts it there
     */
    void awaitMapped(FileStatus status) throws IOException {
        FilePath volume = status.path();
        Set<Long> left = groupIds(Optional.of(status));
        for (long waited = 0; !left.isEmpty(); waited += PAUSE_MILLIS) {
            if (waited >= mostWaitMillis) {
                throw new IOException(
                        "%s has synced writes in its log, and no server puts them into its map: serve it for writing, and try again"
                                .formatted(volume));
            }
            pause();
            // By id: another server that plays the log has the files elsewhere.
            boolean unused = left.retainAll(groupIds(bdt.stat(volume)));
        }
    }

    private Set<Long> groupIds(Optional<FileStatus> status) throws IOException {
        Optional<String> name = status.isPresent() ? name(status.get()) : Optional.empty();
        Set<Long> ids = new HashSet<>();
        if (name.isPresent()) {
            groups(directory(name.get()))
                    .forEach(group -> ids.add(group.version().id()));
        }
        return ids;
    }

    private static void pause() throws InterruptedIOException {
        try {
            // The server of the volume sends no event when it has changed the map.
            boolean unused = new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw VolumeLookUps.interrupted(e);
        }
    }
}
