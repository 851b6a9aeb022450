// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.upkeep;

import io.packing.bdt.FileStatus;
import io.packing.bdt.Outcome;
import io.packing.bdt.ScratchNames;
import io.packing.bdt.master.table.Clocks;
import io.packing.bdt.master.table.Table;
import io.packing.bdt.master.table.Waiting;
import io.packing.blob.FilePath;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.OptionalLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes scratch files whose clients died before they moved the bytes to their place. A client does so right after the file is
 * closed; the age leaves room for clocks that differ. A directory that {@link ScratchNames belongs to a file} stays as long as the file. Confined to the upkeep thread.
 */
public final class ScratchCleaner {
    public static final Duration AGE = Duration.ofDays(1);

    private static final Logger LOG = LoggerFactory.getLogger(ScratchCleaner.class);
    private static final int PAGE = 1_000;

    private final String mount;
    private final Table table;
    private final Clocks clocks;
    private final long passNanos;
    private long nextPass;
    private String after = "";

    /** @param passes time between two looks at all of them */
    public ScratchCleaner(String mount, Table table, Duration passes, Clocks clocks) {
        this.mount = mount;
        this.table = table;
        this.clocks = clocks;
        this.passNanos = passes.toNanos();
        this.nextPass = clocks.nanoTime();
    }

    /** Returns whether it belongs to a file that is there. */
    private boolean isKept(FileStatus scratch) throws IOException {
        OptionalLong file = ScratchNames.file(scratch.path().name());
        return file.isPresent() && table.hasFile(file.getAsLong());
    }

    /** Looks at a page; returns whether there was one. */
    public boolean step() throws IOException {
        if (clocks.nanoTime() - nextPass < 0) {
            return false;
        }
        List<FileStatus> page = table.list(FilePath.SCRATCH, after, PAGE).orElse(List.of());
        long youngest = clocks.wall().instant().minus(AGE).toEpochMilli();
        int deleted = 0;
        for (FileStatus file : page) {
            long changed = file.extras().changed().map(Instant::toEpochMilli).orElse(0L);
            // Of a file with other names the time of its bytes says nothing.
            if (Math.max(changed, file.attributes().mtimeMillis()) < youngest && !isKept(file)) {
                deleted += Waiting.on(table.delete(0, file.path(), true)) == Outcome.DONE ? 1 : 0;
            }
        }
        if (deleted > 0) {
            LOG.info("mount {}: deleted {} scratch files that dead clients left", mount, deleted);
        }
        boolean more = page.size() == PAGE;
        after = more ? page.get(PAGE - 1).path().name() : "";
        nextPass = more ? nextPass : clocks.nanoTime() + passNanos;
        return more;
    }
}
