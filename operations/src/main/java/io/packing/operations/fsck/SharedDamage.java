// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.BdtLookups;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.Placement;
import io.packing.bdt.ScannedSnapshot;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import io.packing.operations.walk.TreeWalk;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Damage that several paths may show: of contents, which several files may have, and of files that snapshots and clones of directories
 * show as well. A walk through the present and all snapshots finds these paths, and only if there is damage. Holds each damaged file and
 * each damaged range of a content. Thread-safe while it collects.
 */
final class SharedDamage {
    /** Bytes of a content from an offset to one that is none of them. */
    private record Range(DamageKind kind, String blob, long from, long to, String detail) {
        boolean meets(Placement.Piece piece) {
            return piece.contentOffset() < to && from < piece.contentOffset() + piece.length();
        }
    }

    private final BdtLookups bdt;
    private final DamageLog log;
    private final HardLinkNames links;
    private final OlderFiles older;
    private final Map<FileVersion, List<Range>> damaged = new LinkedHashMap<>();
    private final Set<FileVersion> named = new LinkedHashSet<>();
    /** Damage of whole files, each at its reported path. */
    private final Map<FileVersion, Set<Damage>> files = new HashMap<>();
    /** Damaged files and contents that a repair has put below {@code /lost+found}: snapshots may show them, and never change. */
    private final Set<FileVersion> aside = new HashSet<>();

    SharedDamage(BdtLookups bdt, DamageLog log, HardLinkNames links, OlderFiles older) {
        this.links = links;
        this.older = older;
        this.bdt = bdt;
        this.log = log;
    }

    synchronized void add(FileVersion content, DamageKind kind, String blob, long from, long to, String detail) {
        damaged.computeIfAbsent(content, each -> new ArrayList<>()).add(new Range(kind, blob, from, to, detail));
    }

    /** Reports a damaged file at its path; its other paths follow in the end. */
    synchronized void addFile(FileVersion file, Damage damage) {
        log.add(damage);
        if (Repair.isSetAside(damage)) {
            boolean unused = aside.add(file);
        }
        if (!HardLinkNames.isOfLinkedFile(damage)) {
            boolean unused =
                    files.computeIfAbsent(file, each -> new LinkedHashSet<>(2)).add(damage);
        }
    }

    /** Walks the mount and its snapshots, and logs each path of the damage. */
    synchronized void name(List<ScannedSnapshot> snapshots) throws IOException {
        if (damaged.isEmpty() && files.isEmpty() && !links.isAnyDamaged() && !older.isAny()) {
            return;
        }
        walk(FilePath.ROOT);
        for (ScannedSnapshot snapshot : snapshots) {
            // A dropped snapshot leads no reader to the damage.
            if (bdt.stat(snapshot.path()).isPresent()) {
                walk(snapshot.path());
            }
        }
        damaged.forEach((content, ranges) -> {
            if (!named.contains(content)) {
                ranges.forEach(this::nowhere);
            }
        });
        links.nowhere().forEach(log::addNamed);
    }

    /** Logs damage that no path shows. Lost bytes are no damage then: a directory and its clone have both deleted the file. */
    private void nowhere(Range range) {
        if (range.kind == DamageKind.LOST) {
            log.countNameless();
        } else {
            log.add(new Damage("", range.kind, range.blob, range.detail));
        }
    }

    private void walk(FilePath top) throws IOException {
        TreeWalk.located(
                bdt,
                top,
                this::visit,
                (directory, why) -> log.add(
                        new Damage(directory.value(), DamageKind.ROW, "", "it cannot be listed: " + why.getMessage())));
    }

    private void visit(ListedEntry entry) {
        links.met(entry.status()).forEach(log::addNamed);
        older.met(entry).ifPresent(log::addNamed);
        String path = entry.status().path().value();
        for (Damage each : files.getOrDefault(entry.status().version(), Set.of())) {
            if (!each.path().equals(path)) {
                log(each.at(path), entry.status().version());
            }
        }
        if (!(entry.placement().orElse(null) instanceof Placement.Mapped mapped)) {
            return;
        }
        Map<Damage, FileVersion> told = new LinkedHashMap<>();
        for (Placement.Piece piece : mapped.pieces()) {
            FileVersion content = piece.content().status().version();
            for (Range range : damaged.getOrDefault(content, List.of())) {
                if (range.meets(piece)) {
                    named.add(content);
                    told.put(new Damage(path, range.kind, range.blob, range.detail), content);
                }
            }
        }
        told.forEach(this::log);
    }

    /** The walk comes to the present, which has the files that are set aside, before it comes to snapshots. */
    private void log(Damage damage, FileVersion damagedVersion) {
        if (Repair.isSetAside(damage)) {
            boolean unused = aside.add(damagedVersion);
        }
        if (aside.contains(damagedVersion)
                && new FilePath(damage.path()).isPast()
                && damage.kind().leavesAFileWithoutBytes()) {
            log.countSetAside();
        } else {
            log.add(damage);
        }
    }
}
