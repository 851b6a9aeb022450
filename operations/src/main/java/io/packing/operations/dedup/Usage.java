// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dedup;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.packing.bdt.Bdt;
import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FilePath;
import io.packing.operations.walk.TreeWalk;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Optional;
import java.util.function.LongConsumer;

/**
 * The files, directories and bytes at a path of a mount and below it.
 *
 * @param logicalBytes the lengths of all files
 * @param physicalBytes the bytes of their contents, each counted once; holes have none
 */
public record Usage(
        long files,
        long directories,
        @JsonProperty("logical_bytes") long logicalBytes,
        @JsonProperty("physical_bytes") long physicalBytes) {
    /**
     * Counts what is at a path and below it.
     *
     * @param seen is told how many files and directories were counted since it was told before
     * @throws java.io.FileNotFoundException when nothing is at the path
     */
    public static Usage of(Bdt bdt, FilePath path, LongConsumer seen) throws IOException {
        try (PhysicalBytes physical = new PhysicalBytes()) {
            Count count = new Count(bdt, seen, physical);
            TreeWalk.walk(bdt, path, count);
            return new Usage(count.files, count.directories, count.logicalBytes, physical.total());
        }
    }

    private static final class Count implements TreeWalk.Visitor {
        private final Bdt bdt;
        private final LongConsumer seen;
        private final PhysicalBytes physical;
        private long files;
        private long directories;
        private long logicalBytes;

        Count(Bdt bdt, LongConsumer seen, PhysicalBytes physical) {
            this.physical = physical;
            this.bdt = bdt;
            this.seen = seen;
        }

        @Override
        public void visit(FileStatus status) throws IOException {
            seen.accept(1);
            if (status.isDirectory()) {
                directories++;
                return;
            }
            // The others share no bytes with another version: who does that makes the file a mapped one.
            Optional<LocatedFile> mapped =
                    status.state() == FileStatus.State.MAPPED ? bdt.locate(status.path()) : Optional.empty();
            FileStatus now = mapped.map(LocatedFile::status).orElse(status);
            files++;
            logicalBytes += now.attributes().length();
            if (mapped.isPresent() && mapped.get().placement() instanceof Placement.Mapped place) {
                physical.add(ByteMap.of(mapped.get(), place));
            } else {
                physical.add(now.version(), now.attributes().length());
            }
        }
    }

    public void print(PrintWriter out) {
        out.printf(Locale.ROOT, "%,20d files%n", files);
        out.printf(Locale.ROOT, "%,20d directories%n", directories);
        out.printf(Locale.ROOT, "%,20d bytes of files%n", logicalBytes);
        out.printf(Locale.ROOT, "%,20d bytes of contents, each counted once%n", physicalBytes);
    }
}
