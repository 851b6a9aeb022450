// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.FileStatus;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Placement;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanProblem;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The files of which a recovery may have missed a newer version, since it could not read an object. They are those with a version
 * from before its end, and those whose versions do not tell when they were claimed; a walk finds the paths that show them. Thread-safe.
 */
final class OlderFiles {
    /** The unread objects, with the last positions that they may have had. */
    private final List<ScanProblem> unread = new ArrayList<>();

    private final Set<Long> undated = new HashSet<>();

    /** Learns from a page of a table which generations do not tell when files were claimed. */
    synchronized void take(ScanPage page) {
        undated.addAll(page.undated());
    }

    /**
     * Learns from a problem of a table, and returns whether it is to be logged. A master names older files at their rows only, so
     * the walk does that instead. A master of an older version does not say which versions these are.
     */
    synchronized boolean isToLog(ScanProblem problem) {
        DamageKind kind = DamageKind.of(problem.kind());
        if (kind == DamageKind.UNREAD && problem.until() > 0) {
            unread.add(problem);
        }
        return kind != DamageKind.OLDER || unread.isEmpty();
    }

    synchronized boolean isAny() {
        return !unread.isEmpty();
    }

    /** Returns the finding of an entry that a walk meets, if it may be older than what was written. */
    synchronized Optional<Damage> met(ListedEntry entry) {
        FileStatus status = entry.status();
        if (status.isDirectory()) {
            return Optional.empty();
        }
        return unread.stream()
                .filter(each -> mayBeOlder(entry, each.until()))
                .findFirst()
                .map(each -> new Damage(
                        status.path().value(),
                        DamageKind.OLDER,
                        "",
                        "version %s may be older than what was written last: %s"
                                .formatted(status.version(), each.message())));
    }

    /**
     * Returns whether a file's version is from before a recovery, or any of its bytes are. A file that became a clone's own after the recovery,
     * by a change of another of its names, has a new version and the bytes of before; without any bytes it may be such a file.
     */
    private boolean mayBeOlder(ListedEntry file, long until) {
        if (mayBeOlder(file.status().version(), until)) {
            return true;
        }
        return file.placement().orElse(null) instanceof Placement.Mapped mapped
                && (mapped.pieces().isEmpty()
                        || mapped.pieces().stream()
                                .anyMatch(piece ->
                                        mayBeOlder(piece.content().status().version(), until)));
    }

    private boolean mayBeOlder(FileVersion version, long until) {
        return version.generation() <= until || undated.contains(version.generation());
    }
}
