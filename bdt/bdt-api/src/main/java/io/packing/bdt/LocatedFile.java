// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt;

import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A file with the place of its bytes.
 *
 * @param extended its extended attributes by name; empty: unknown, ask for them
 */
public record LocatedFile(FileStatus status, Placement placement, Optional<Map<String, ExtendedValue>> extended) {
    public LocatedFile {
        extended = extended.map(Map::copyOf);
    }

    /** Makes a file whose extended attributes are unknown. */
    public LocatedFile(FileStatus status, Placement placement) {
        this(status, placement, Optional.empty());
    }

    /** Returns the file with its extended attributes. */
    public LocatedFile with(Map<String, ExtendedValue> values) {
        return new LocatedFile(status, placement, Optional.of(values));
    }

    /** Returns the file without its extended attributes. */
    public LocatedFile withoutExtended() {
        return new LocatedFile(status, placement);
    }

    /** Returns the file without its places in blobs, for a caller that reads no blob. */
    public LocatedFile withheld() {
        return new LocatedFile(status, withheld(placement), extended);
    }

    /** Returns a placement that names no blob. */
    public static Placement withheld(Placement placement) {
        if (placement instanceof Placement.Packed packed && !packed.extents().isEmpty()) {
            return new Placement.Withheld();
        }
        if (!(placement instanceof Placement.Mapped mapped)) {
            return placement;
        }
        // Pieces of one content go on to share it.
        Map<FileVersion, LocatedFile> contents = new HashMap<>();
        List<Placement.Piece> pieces = mapped.pieces().stream()
                .map(piece -> new Placement.Piece(
                        piece.offset(),
                        piece.length(),
                        contents.computeIfAbsent(
                                piece.content().status().version(),
                                version -> piece.content().withheld()),
                        piece.contentOffset()))
                .toList();
        return new Placement.Mapped(pieces);
    }

    /** Returns the file with its version and length, and without path, owner, group, mode and times. */
    public LocatedFile nameless() {
        FileAttributes length = new FileAttributes(status.attributes().length(), 0, "", "", 0);
        return new LocatedFile(new FileStatus(FilePath.ROOT, status.version(), length, status.state()), placement);
    }
}
