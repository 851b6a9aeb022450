package io.packing.cli.fsck;

import io.packing.bdt.Bdt;
import io.packing.bdt.ScanPage;
import io.packing.bdt.ScanPart;
import io.packing.bdt.ScannedFile;
import io.packing.bdt.ScannedName;
import io.packing.blob.FilePath;
import io.packing.cli.walk.ScanPages;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Which names lead to files that have several, and whether these count them right. Holds nothing of other files. Thread-safe. */
final class HardLinkNames {
    /** Such a file is shown here by its id. */
    private static final String FILES = FilePath.RESERVED.child("links").value() + "/";

    /** By id of the file; a name in a tree that is being removed, or that a clone has from its origin, has no path. */
    private final Map<Long, List<String>> names = new HashMap<>();

    private final Map<Long, Integer> counted = new HashMap<>();

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

    /** The paths by which programs find what is at a path of the table. */
    synchronized List<String> paths(String path) {
        if (!path.startsWith(FILES)) {
            return List.of(path);
        }
        List<String> paths = names.getOrDefault(Long.parseLong(path.substring(FILES.length())), List.of()).stream()
                .filter(each -> !each.isEmpty())
                .toList();
        return paths.isEmpty() ? List.of(path) : paths;
    }

    /** Tells of each file that counts wrong. What changed while it was looked at seems wrong once, and not twice. */
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
