// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.bdt.AppendTarget;
import io.packing.bdt.Claim;
import io.packing.bdt.ClaimResult;
import io.packing.blob.FilePath;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The files and bytes that workers claimed since this master opened the mount, by the first directory of their paths. The mount's meters
 * count requests since then, too, so that a directory's part of them is its part of the bytes. Thread-safe.
 */
public final class WrittenDirectories {
    /** The most directories that are counted apart. */
    static final int MOST = 1_000;

    /** The name of the directories beyond these. */
    static final String OTHERS = "(others)";

    /** The name of bytes that were written into existing files by way of a scratch file, whose claims do not name those files. */
    static final String CHANGES = "(changes of files)";

    /** The files and bytes that were written below a directory. */
    public record Written(long files, long bytes) {
        private Written plus(long moreFiles, long moreBytes) {
            return new Written(files + moreFiles, bytes + moreBytes);
        }
    }

    private final Map<String, Written> directories = new HashMap<>();

    /** Learns the results of claims, and returns them. A file whose bytes the mount had already costs no request. */
    List<ClaimResult> claimed(List<Claim> claims, List<ClaimResult> results) {
        synchronized (directories) {
            for (int i = 0; i < results.size(); i++) {
                if (results.get(i) instanceof ClaimResult.Granted
                        && !claims.get(i).shared()) {
                    add(claims.get(i));
                }
            }
        }
        return results;
    }

    private void add(Claim claim) {
        Optional<FilePath> target = claim.append().map(AppendTarget::path);
        String directory = of(target.orElse(claim.path()));
        boolean known = directories.containsKey(directory) || directories.size() < MOST;
        String name = known ? directory : OTHERS;
        directories.put(
                name,
                directories
                        .getOrDefault(name, new Written(0, 0))
                        .plus(
                                target.isPresent() || directory.equals(CHANGES) ? 0 : 1,
                                claim.attributes().length()));
    }

    private static String of(FilePath path) {
        String text = path.value();
        if (text.startsWith(FilePath.SCRATCH.value() + "/")) {
            return CHANGES;
        }
        int end = text.indexOf('/', 1);
        return end < 0 ? "/" : text.substring(0, end);
    }

    /** Returns the counts so far, by the names of directories. */
    public Map<String, Written> now() {
        synchronized (directories) {
            return new TreeMap<>(directories);
        }
    }
}
