// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.CorruptBlobException;
import io.packing.blob.FilePath;
import io.packing.operations.walk.TreeWalk;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Finds files with equal bytes below a path, and lets the later ones share the bytes of the first. Equal are files of one
 * length, one CRC32C (which the table has of a file that is one uncompressed extent) and one SHA-256. So a file is read only
 * when another one has its length, and its checksum is unknown or that of the other. Holds up to 450 bytes for each
 * file that has no equal one before it, and no bytes of files. Confined to one thread, and used once.
 */
public final class Dedup {
    /** Files that may be equal. */
    private record Likeness(long length, int crc32c) {}

    private final Bdt bdt;
    private final boolean dryRun;
    private final Consumer<String> warnings;
    private final Fingerprints fingerprints;
    private final ConditionalClones clones;

    /** The only file of its length so far. Nothing else of it needs to be known until there is another one. */
    private final Map<Long, DuplicateCandidate> onlyOnes = new HashMap<>();

    /** Lengths that several files have; these files are in {@link #alike}. */
    private final Set<Long> commonLengths = new HashSet<>();

    /** Files that differ from each other. */
    private final Map<Likeness, List<DuplicateCandidate>> alike = new HashMap<>();

    /** The file with the bytes of each map. */
    private final Map<ByteMap, DuplicateCandidate> byMap = new HashMap<>();

    private final PhysicalBytes physical = new PhysicalBytes();
    private long files;
    private long duplicates;
    private long alreadyShared;
    private long changed;
    private long unreadable;
    private long logicalBytes;
    private long sharedBytes;

    /**
     * @param dryRun whether nothing is changed
     * @param warnings is told of every file that cannot be read
     */
    public Dedup(Bdt bdt, VersionOpener bytes, boolean dryRun, Consumer<String> warnings) {
        this.bdt = bdt;
        this.dryRun = dryRun;
        this.warnings = warnings;
        this.fingerprints = new Fingerprints(bdt, bytes);
        this.clones = new ConditionalClones(bdt, this::ended);
    }

    /**
     * Deduplicates all files at a path and below it.
     *
     * @param seen is told how many files and directories were looked at since it was told before
     * @throws FileNotFoundException when nothing is at the path
     * @throws IllegalArgumentException when the path leads into a snapshot, or to what is the system's own
     */
    public Deduplicated run(FilePath path, LongConsumer seen) throws IOException {
        Optional<String> why = path.whyNotCreatable().or(path::whyNotForUsers);
        if (why.isPresent()) {
            throw new IllegalArgumentException(why.get());
        }
        try (PhysicalBytes counted = physical) {
            TreeWalk.walk(bdt, path, status -> {
                visit(status);
                seen.accept(1);
            });
            clones.flush();
            return new Deduplicated(
                    dryRun,
                    files,
                    duplicates,
                    alreadyShared,
                    changed,
                    unreadable,
                    logicalBytes,
                    fingerprints.readBytes(),
                    sharedBytes,
                    counted.total());
        }
    }

    private void visit(FileStatus status) throws IOException {
        if (status.isDirectory()) {
            return;
        }
        files++;
        logicalBytes += status.attributes().length();
        if (status.attributes().length() == 0) {
            return;
        }
        DuplicateCandidate file = new DuplicateCandidate(status, null);
        try {
            file = new DuplicateCandidate(status, map(status));
            DuplicateCandidate equal = equal(file);
            if (equal == null) {
                keep(file);
            } else {
                found(equal, file);
            }
        } catch (IOException e) {
            leaveAlone(file, e);
            addPhysical(file);
        }
    }

    private @Nullable ByteMap map(FileStatus status) throws IOException {
        // The others share nothing: who shares the bytes of a file makes it a mapped one.
        if (status.state() != FileStatus.State.MAPPED) {
            return null;
        }
        LocatedFile now = fingerprints.locate(status.path(), status.version());
        return now.placement() instanceof Placement.Mapped mapped ? ByteMap.of(now, mapped) : null;
    }

    /** The file that has the bytes of this one; null: none that was found before. */
    private @Nullable DuplicateCandidate equal(DuplicateCandidate file) throws IOException {
        DuplicateCandidate sharer = file.map() == null ? null : byMap.get(file.map());
        if (sharer != null) {
            return sharer;
        }
        if (!commonLengths.contains(file.length())) {
            DuplicateCandidate only = onlyOnes.putIfAbsent(file.length(), file);
            if (only == null) {
                return null;
            }
            onlyOnes.remove(file.length());
            commonLengths.add(file.length());
            addFirst(only);
        }
        List<DuplicateCandidate> others = alike(file);
        for (Iterator<DuplicateCandidate> each = others.iterator(); each.hasNext(); ) {
            DuplicateCandidate other = each.next();
            if (other.sha256() == null && !isRead(other)) {
                each.remove();
            } else if (fingerprints.sha256(file).equals(other.sha256())) {
                return other;
            }
        }
        others.add(file);
        return null;
    }

    private List<DuplicateCandidate> alike(DuplicateCandidate file) throws IOException {
        return alike.computeIfAbsent(
                new Likeness(file.length(), fingerprints.crc32c(file)), likeness -> new ArrayList<>(1));
    }

    /** A file of which no checksum was needed while it was the only one of its length. */
    private void addFirst(DuplicateCandidate file) throws IOException {
        try {
            alike(file).add(file);
        } catch (IOException e) {
            leaveAlone(file, e);
        }
    }

    private boolean isRead(DuplicateCandidate file) throws IOException {
        try {
            Sha256 unused = fingerprints.sha256(file);
            return true;
        } catch (IOException e) {
            leaveAlone(file, e);
            return false;
        }
    }

    private void keep(DuplicateCandidate file) throws IOException {
        addPhysical(file);
        if (file.map() != null) {
            byMap.putIfAbsent(file.map(), file);
        }
    }

    private void addPhysical(DuplicateCandidate file) throws IOException {
        if (file.map() == null) {
            physical.add(file.version(), file.length());
        } else {
            physical.add(file.map());
        }
    }

    /** Counts a file that cannot be compared; any other failure is thrown. */
    private void leaveAlone(DuplicateCandidate file, IOException why) throws IOException {
        if (why instanceof FileNotFoundException) {
            changed++;
        } else if (why instanceof CorruptBlobException || why instanceof Fingerprints.LostBytesException) {
            unreadable++;
            warnings.accept("%s is left alone: %s".formatted(file.path(), why.getMessage()));
        } else {
            throw why;
        }
    }

    private void found(DuplicateCandidate equal, DuplicateCandidate file) throws IOException {
        if (equal.shares(file)) {
            alreadyShared++;
            return;
        }
        if (file.map() != null) {
            byMap.putIfAbsent(file.map(), equal);
        }
        ConditionalClones.Pair pair = new ConditionalClones.Pair(equal, file);
        if (dryRun) {
            ended(pair, true);
        } else {
            clones.add(pair);
        }
    }

    private void ended(ConditionalClones.Pair pair, boolean shared) throws IOException {
        if (shared) {
            duplicates++;
            sharedBytes += pair.duplicate().length();
        } else {
            changed++;
            addPhysical(pair.duplicate());
        }
    }
}
