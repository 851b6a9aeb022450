// SPDX-License-Identifier: Apache-2.0
package io.packing.status.page;

import io.packing.status.page.DaemonReport.Fact;
import io.packing.version.BuildVersion;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Facts about a daemon's process: its version, its Java, its heap, and the disks of its directories. */
public final class ProcessFacts {
    private static final double GIGABYTE = 1e9;

    private ProcessFacts() {}

    /** Returns the facts now, with a line for each directory's disk. */
    public static List<Fact> of(List<Path> directories) {
        List<Fact> facts = new ArrayList<>();
        facts.add(new Fact("version", BuildVersion.text()));
        facts.add(new Fact("Java", String.valueOf(Runtime.version())));
        Runtime runtime = Runtime.getRuntime();
        facts.add(new Fact("heap", share(runtime.totalMemory() - runtime.freeMemory(), runtime.maxMemory(), "used")));
        for (Path directory : directories) {
            facts.add(new Fact("disk of " + directory, disk(directory)));
        }
        return facts;
    }

    private static String disk(Path directory) {
        try {
            FileStore store = Files.getFileStore(directory);
            return share(store.getUsableSpace(), store.getTotalSpace(), "free");
        } catch (IOException e) {
            return "unknown: " + e.getMessage();
        }
    }

    private static String share(long part, long whole, String kind) {
        return String.format(
                Locale.ROOT,
                "%.1f of %.1f GB %s (%.0f %%)",
                part / GIGABYTE,
                whole / GIGABYTE,
                kind,
                100.0 * part / whole);
    }
}
