// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.tree;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.HistoryName;
import io.packing.blob.FilePath;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.NotDirectoryException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * The states of a directory that has a history (RFC 0031): a reader names a time, and reads the directory as it was then. To find a state
 * takes some thirty lookups at the master, however many there are.
 */
public final class DirectoryStates {
    private final Bdt bdt;
    private final FilePath directory;

    /**
     * Looks at a directory.
     *
     * @throws FileNotFoundException when there is none
     * @throws NotDirectoryException when it is a file
     */
    public DirectoryStates(Bdt bdt, FilePath directory) throws IOException {
        FileStatus there =
                bdt.stat(directory).orElseThrow(() -> new FileNotFoundException(directory + ": no such directory"));
        if (!there.isDirectory()) {
            throw new NotDirectoryException(directory.value());
        }
        this.bdt = bdt;
        this.directory = directory;
    }

    /** Returns the path at which the directory is kept as it was when a second began. */
    public FilePath path(Instant state) {
        return directory.child(FilePath.SNAPSHOTS).child(HistoryName.of(state));
    }

    /** Returns the time of the oldest state; empty: the directory has no history. */
    public Optional<Instant> first() throws IOException {
        return after(Instant.EPOCH.minusSeconds(1));
    }

    /** Returns the time of the newest state; empty: the directory has no history. */
    public Optional<Instant> last() throws IOException {
        return newest(HistoryName.LATEST);
    }

    /**
     * Finds the path of the directory as it was at a time; parts of a second are left out.
     *
     * @param now the time of the caller
     * @throws FileNotFoundException naming the times that it can be restored to, or that there are none
     */
    public FilePath at(Instant time, Instant now) throws IOException {
        Instant first = first().orElseThrow(() -> new FileNotFoundException(
                ("%s has no history: an operator gives it one, from then on, with `packing mounts set --option"
                                + " packing.history.paths=%s=1d`")
                        .formatted(directory, directory)));
        Instant second = time.truncatedTo(ChronoUnit.SECONDS);
        if (second.isBefore(first) || time.isAfter(now)) {
            throw new FileNotFoundException("%s can be read and restored as it was from %s until now, %s; %s is %s"
                    .formatted(
                            directory,
                            first,
                            now.truncatedTo(ChronoUnit.SECONDS),
                            second,
                            time.isAfter(now) ? "later" : "before that"));
        }
        return path(newest(second).orElseThrow());
    }

    /** Returns the newest state up to a time. It looks further and further back, and then for the newest in the last stretch. */
    private Optional<Instant> newest(Instant time) throws IOException {
        long end = time.getEpochSecond();
        long step = 1;
        while (!isBetween(end - step, end)) {
            if (step > end) {
                return Optional.empty();
            }
            step *= 2;
        }
        // There is one after the lower, up to the upper, and none after the upper.
        long lower = Math.max(-1, end - step);
        long upper = step == 1 ? end : end - step / 2;
        while (upper - lower > 1) {
            long middle = lower + (upper - lower) / 2;
            if (isBetween(middle, upper)) {
                lower = middle;
            } else {
                upper = middle;
            }
        }
        return Optional.of(Instant.ofEpochSecond(upper));
    }

    private boolean isBetween(long after, long until) throws IOException {
        return after(Instant.ofEpochSecond(Math.max(-1, after)))
                .filter(each -> each.getEpochSecond() <= until)
                .isPresent();
    }

    /** Returns the oldest state after a time. */
    private Optional<Instant> after(Instant time) throws IOException {
        FilePath list = directory.child(FilePath.SNAPSHOTS);
        String name = time.isBefore(Instant.EPOCH) ? "at-" : HistoryName.of(time);
        while (true) {
            List<FileStatus> next = bdt.list(list, name, 1)
                    .orElseThrow(() -> new FileNotFoundException(directory + ": no such directory"));
            if (next.isEmpty()) {
                return Optional.empty();
            }
            name = next.get(0).path().name();
            Optional<Instant> found = HistoryName.time(name);
            if (found.isPresent() || !name.startsWith("at-")) {
                return found;
            }
        }
    }
}
