// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.ScannedName;
import io.packing.blob.FilePath;
import io.packing.operations.walk.ScanPages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The names of files that have several, and a check of their link counts. Names that clones have from their origins are in no
 * row: a walk finds them, when such a file is damaged. Holds nothing of other files. Thread-safe.
 */
final class HardLinkNames {
    /** Such a file is shown here by its id. */
    private static final String FILES = FilePath.RESERVED.child("links").value() + "/";

    /** By id of the file; a name in a tree that is being removed, or that a clone has from its origin, has no path. */
    private final Map<Long, List<String>> names = new HashMap<>();

    private final Map<Long, Integer> counted = new HashMap<>();
    /** The damage of linked files, by id. */
    private final Map<Long, Set<Damage>> damaged = new LinkedHashMap<>();

    private final Set<Long> walked = new HashSet<>();

    synchronized void take(ScanPage page) {
        for (ScannedName name : page.names()) {
            names.computeIfAbsent(name.file(), first -> new ArrayList<>())
                    .addAll(Collections.nCopies(
                            name.count(), name.path().map(FilePath::value).orElse("")));
        }
        for (ScannedFile file : page.files()) {
            if (file.links() > 0) {
                counted.put(file.version().id(), file.links());
            }
        }
    }

    /** Returns whether the damage is of a file that has several names, at the place of its row. */
    static boolean isOfLinkedFile(Damage damage) {
        return damage.path().startsWith(FILES);
    }

    /** Returns a linked file's damage at each of its names, other damage as it is; names in clones come later. */
    synchronized List<Damage> named(Damage damage) {
        if (!isOfLinkedFile(damage)) {
            return List.of(damage);
        }
        long file = Long.parseLong(damage.path().substring(FILES.length()));
        boolean isOfBytes = damage.kind() != DamageKind.LINKS;
        if (isOfBytes) {
            boolean unused = damaged.computeIfAbsent(file, first -> new LinkedHashSet<>())
                    .add(damage);
        }
        List<Damage> told = seen(file).map(damage::at).toList();
        return told.isEmpty() && !isOfBytes ? List.of(damage) : told;
    }

    /** The names of a file that have rows with paths. */
    private Stream<String> seen(long file) {
        return names.getOrDefault(file, List.of()).stream().filter(each -> !each.isEmpty());
    }

    synchronized boolean isAnyDamaged() {
        return !damaged.isEmpty();
    }

    /** Returns the unreported damage of an entry that a walk meets. */
    synchronized List<Damage> met(FileStatus entry) {
        long file = entry.version().id();
        Set<Damage> all = damaged.getOrDefault(file, Set.of());
        String path = entry.path().value();
        if (all.isEmpty() || seen(file).anyMatch(path::equals)) {
            return List.of();
        }
        walked.add(file);
        return all.stream().map(damage -> damage.at(path)).toList();
    }

    /** Damage of files to which no path leads, after a walk. */
    synchronized List<Damage> nowhere() {
        return damaged.entrySet().stream()
                .filter(each -> !walked.contains(each.getKey())
                        && seen(each.getKey()).findAny().isEmpty())
                .flatMap(each -> each.getValue().stream())
                .toList();
    }

    /** Reports each file with a wrong link count. A file that changed meanwhile seems wrong once, not twice. */
    void check(Bdt bdt, DamageLog log) throws IOException {
        Map<Long, String> wrong = wrong();
        if (wrong.isEmpty()) {
            return;
        }
        HardLinkNames again = new HardLinkNames();
        ScanPages.visit(bdt, ScanPart.FILES, again::take);
        Map<Long, String> still = again.wrong();
        wrong.forEach((file, how) -> {
            if (how.equals(still.get(file))) {
                log.add(new Damage(FILES + file, DamageKind.LINKS, "", how));
            }
        });
    }

    private synchronized Map<Long, String> wrong() {
        Map<Long, String> wrong = new HashMap<>();
        counted.forEach((file, links) -> {
            int found = names.getOrDefault(file, List.of()).size();
            if (found != links) {
                wrong.put(file, "it counts %,d names and has %,d".formatted(links, found));
            }
        });
        return wrong;
    }
}
