// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

/**
 * The past of one file, from its accesses in the order of time, and its part of the statistics of §3.3.
 *
 * <p>Confined to one thread; used for one file.
 */
final class FileHistory {
    private static final long UNKNOWN = -1;
    private static final long MB = 1 << 20;
    private static final double NANOS_PER_SECOND = 1e9;

    private final LocalityMap locality;
    private final Extents extents = new Extents();
    private FileClass fileClass = FileClass.UNCLASSIFIED;
    private long created = UNKNOWN;
    private long deleted = UNKNOWN;
    private long size;
    /** False for names that the trace only renames or deletes, which are mostly directories. */
    private boolean isFile;

    /** @param locality counts the reads of all files */
    FileHistory(LocalityMap locality) {
        this.locality = locality;
    }

    void add(long nanos, FileEvent access) {
        isFile |= access.kind() != FileEvent.Kind.NAMED && access.kind() != FileEvent.Kind.DELETED;
        switch (access.kind()) {
            case NAMED -> {
                if (fileClass.equals(FileClass.UNCLASSIFIED)) {
                    fileClass = access.fileClass();
                }
            }
            case CREATED -> created = nanos;
            case DELETED -> deleted = nanos;
            case SIZED -> size = Math.max(size, access.end());
            case READ -> {
                locality.read(extents, access.start(), access.end(), nanos, access.count());
                extents.read(access.start(), access.end(), nanos, access.isCore());
                size = Math.max(size, access.end());
            }
            case WRITTEN -> {
                extents.written(access.start(), access.end(), access.isCore());
                size = Math.max(size, access.end());
            }
        }
    }

    /** Adds the state at the end of the trace. */
    void addTo(Totals totals) {
        if (!isFile) {
            totals.add(1, "names", "without-io");
            return;
        }
        String family = fileClass.family();
        totals.add(1, "files", "seen", family);
        totals.add(size, "files", "bytes", family);
        totals.add(1, "files", "size", family, Integer.toString(Buckets.of(size)));
        if (created != UNKNOWN) {
            addCreated(totals);
        }
        addData(totals);
    }

    private void addCreated(Totals totals) {
        String sizeClass = size < 16 * MB ? "small" : size < 64 * MB ? "medium" : "large";
        totals.add(1, "created", "files", sizeClass);
        totals.add(size, "created", "bytes", sizeClass);
        if (deleted != UNKNOWN) {
            long seconds = Math.round((deleted - created) / NANOS_PER_SECOND);
            totals.add(1, "life", sizeClass, Integer.toString(Buckets.of(seconds)));
        }
    }

    private void addData(Totals totals) {
        extents.forEach((bytes, piece) -> {
            String use = piece.reads() == 0 ? "written" : piece.isWritten() ? "both" : "read";
            totals.add(bytes, "data", fileClass.family(), use);
            if (piece.reads() > 0) {
                // Buckets of Fig. 3.8: 1, 2 to 3, 4 to 7, ..., 64 and more.
                int heat = Math.min(6, 31 - Integer.numberOfLeadingZeros(piece.reads()));
                totals.add(bytes, "heat", "data", Integer.toString(heat));
                totals.add(bytes * piece.reads(), "heat", "io", Integer.toString(heat));
            }
            if (deleted == UNKNOWN) {
                addLive(totals, bytes, piece);
            }
        });
    }

    /** Adds data to Fig. 3.3, which does not count deleted data. */
    private static void addLive(Totals totals, long bytes, Extents.Piece piece) {
        if (piece.isCoreRead() || piece.isCoreWritten()) {
            String use = !piece.isCoreRead() ? "written" : piece.isCoreWritten() ? "both" : "read";
            totals.add(bytes, "live", "core", use);
        }
        totals.add(bytes, "live", "all", piece.reads() == 0 ? "written" : piece.isWritten() ? "both" : "read");
    }
}
