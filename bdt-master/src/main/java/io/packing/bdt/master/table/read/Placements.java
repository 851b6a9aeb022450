// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import io.packing.bdt.FileStatus;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.bdt.master.table.row.BlobRow;
import io.packing.bdt.master.table.row.Content;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.MapRows;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.bdt.master.table.row.Rows;
import io.packing.bdt.master.table.row.SessionRow;
import io.packing.blob.BlobExtent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Tells clients of what the rows have: attributes, and in which blobs or at which worker the bytes are. */
public final class Placements {
    private final Rows rows;
    private final Function<String, Optional<SessionRow>> sessions;

    Placements(Rows rows, Function<String, Optional<SessionRow>> sessions) {
        this.rows = rows;
        this.sessions = sessions;
    }

    /** Returns the rows that have the places. */
    Rows rows() {
        return rows;
    }

    /** @param shown whose it is; in the past nothing changes, so that it does not matter */
    FileStatus status(FilePath path, Inode inode, Inheritance shown) {
        return status(path, inode, state(inode.place()), shown);
    }

    FileStatus status(FilePath path, Inode inode, FileStatus.State state, Inheritance shown) {
        FileStatus own = inode.status(path, state);
        if (!shown.isInherited() || path.isPast()) {
            return own;
        }
        return own.inherited(own.extras().isLinked() ? shown.cloneId() : 0);
    }

    public FileStatus.State state(Inode.Place place) {
        if (place instanceof Inode.Buffered buffered) {
            return isLost(buffered) ? FileStatus.State.LOST : FileStatus.State.BUFFERED;
        }
        if (Inode.hasMap(place)) {
            return FileStatus.State.MAPPED;
        }
        if (place instanceof Inode.Missing) {
            return FileStatus.State.LOST;
        }
        return place instanceof Inode.Directory ? FileStatus.State.DIRECTORY : FileStatus.State.PACKED;
    }

    /** A claim is lost when its worker came back, finished reclaiming, and did not mention it. */
    public boolean isLost(Inode.Buffered buffered) {
        return sessions.apply(buffered.worker())
                .map(session -> buffered.sessionEpoch() < session.floor())
                .orElse(false);
    }

    LocatedFile located(FilePath path, Inode inode, Inheritance shown) throws IOException {
        return new LocatedFile(
                status(path, inode, shown),
                placement(path, MapRows.whole(rows, inode).place()));
    }

    /** A content as if it were a file. */
    LocatedFile located(FilePath path, Content content) throws IOException {
        FileStatus status = new FileStatus(
                path,
                new FileVersion(content.id(), content.generation()),
                new FileAttributes(content.length(), 0, "", "", 0),
                state(content.place()));
        return new LocatedFile(status, placement(path, content.place()));
    }

    /** By this path a content is shown that is asked for by itself. */
    static FilePath contentPath(long id) {
        return FilePath.RESERVED.child("contents").child(Long.toString(id));
    }

    private Placement placement(FilePath path, Inode.Place place) throws IOException {
        if (place instanceof Inode.Buffered buffered) {
            if (isLost(buffered)) {
                return new Placement.Lost(buffered.worker());
            }
            String address =
                    sessions.apply(buffered.worker()).map(SessionRow::address).orElse("");
            return new Placement.Buffered(buffered.worker(), address);
        }
        if (place instanceof Inode.Packed packed) {
            return packed(packed);
        }
        if (place instanceof Inode.Mapped mapped) {
            return mapped(path, mapped.map());
        }
        if (place instanceof Inode.Missing) {
            return new Placement.Lost("");
        }
        throw new IllegalStateException(path + " is a directory");
    }

    private Placement packed(Inode.Packed packed) throws IOException {
        Map<Long, BlobRow> blobs = new HashMap<>();
        List<BlobExtent> extents = new ArrayList<>();
        for (Inode.StoredExtent stored : packed.extents()) {
            BlobRow blob = blobs.get(stored.blob());
            if (blob == null) {
                blob = blob(stored.blob());
                blobs.put(stored.blob(), blob);
            }
            extents.add(new BlobExtent(blob.name(), stored.extent()));
        }
        return new Placement.Packed(extents);
    }

    private Placement mapped(FilePath path, ReferenceMap map) throws IOException {
        Map<Long, LocatedFile> contents = new HashMap<>();
        List<Placement.Piece> pieces = new ArrayList<>();
        for (ReferenceMap.Reference each : map.references()) {
            LocatedFile content = contents.get(each.content());
            if (content == null) {
                content = located(
                        path,
                        Content.find(rows, each.content())
                                .orElseThrow(() -> new ContradictionException(path, each.content())));
                contents.put(each.content(), content);
            }
            pieces.add(new Placement.Piece(each.offset(), each.length(), content, each.contentOffset()));
        }
        return new Placement.Mapped(pieces);
    }

    public BlobRow blob(long number) throws IOException {
        return rows.get(Keys.numbered(Keys.BLOB, number))
                .map(BlobRow::decode)
                .orElseThrow(
                        () -> new ContradictionException("the table names blob " + number + " but does not know it"));
    }
}
