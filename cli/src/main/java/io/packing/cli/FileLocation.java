// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import java.io.PrintWriter;
import java.util.List;
import java.util.Locale;

/** A file's place, as printed; {@code worker} and {@code address} are empty once the file is packed. */
record FileLocation(
        String path, String state, String worker, String address, List<Piece> extents, List<Shared> contents) {
    /** One piece of a file in a blob. */
    record Piece(String blob, long blobOffset, long fileOffset, int length, int storedLength, String codec) {}

    /** Bytes of a file that other files may share. */
    record Shared(long offset, long length, String content, long contentOffset, FileLocation location) {}

    static FileLocation of(LocatedFile file) {
        String path = file.status().path().value();
        Placement placement = file.placement();
        if (placement instanceof Placement.Buffered buffered) {
            return new FileLocation(path, "buffered", buffered.worker(), buffered.address(), List.of(), List.of());
        }
        if (placement instanceof Placement.Lost lost) {
            return new FileLocation(path, "lost", lost.worker(), "", List.of(), List.of());
        }
        if (placement instanceof Placement.Withheld) {
            // In blobs, which the master does not name to this user.
            return new FileLocation(path, "withheld", "", "", List.of(), List.of());
        }
        if (placement instanceof Placement.Mapped mapped) {
            List<Shared> contents = mapped.pieces().stream()
                    .map(piece -> new Shared(
                            piece.offset(),
                            piece.length(),
                            piece.content().status().version().toString(),
                            piece.contentOffset(),
                            of(piece.content())))
                    .toList();
            return new FileLocation(path, "mapped", "", "", List.of(), contents);
        }
        List<Piece> pieces = ((Placement.Packed) placement)
                .extents().stream()
                        .map(e -> new Piece(
                                e.blob().key(),
                                e.extent().blobOffset(),
                                e.extent().fileOffset(),
                                e.extent().length(),
                                e.extent().storedLength(),
                                e.extent().codec().name().toLowerCase(Locale.ROOT)))
                        .toList();
        return new FileLocation(path, "packed", "", "", pieces, List.of());
    }

    void print(PrintWriter out, String indent) {
        out.printf("%s%s: %s %s %s%n", indent, path, state, worker, address);
        extents.forEach(e -> out.printf(
                "%s  %d+%d  %s %d+%d %s%n",
                indent, e.fileOffset(), e.length(), e.blob(), e.blobOffset(), e.storedLength(), e.codec()));
        for (Shared shared : contents) {
            out.printf(
                    "%s  %d+%d  content %s at %d%n",
                    indent, shared.offset(), shared.length(), shared.content(), shared.contentOffset());
            shared.location().print(out, indent + "    ");
        }
    }
}
