// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.posix.calls;

import io.packing.bdt.LocatedFile;
import io.packing.fuse.Errno;
import io.packing.fuse.FuseException;
import io.packing.fuse.posix.draft.Draft;
import io.packing.fuse.posix.draft.Ranges;
import io.packing.fuse.posix.draft.StoredRanges;
import io.packing.fuse.posix.node.LockedNodes;
import io.packing.fuse.posix.node.Node;
import io.packing.fuse.posix.publish.Publisher;
import java.io.IOException;

/** The call {@code lseek(2)} to data and to holes. */
public final class SeekCall {
    private static final int DATA = 3;
    private static final int HOLE = 4;

    private final Publisher publisher;
    private final LockedNodes locks;

    /** The bytes outside of holes, and the length of the file. */
    private record Shape(Ranges data, long size) {}

    public SeekCall(Publisher publisher, LockedNodes locks) {
        this.publisher = publisher;
        this.locks = locks;
    }

    /** Returns the first offset from another one on that is data, or a hole; the end of a file is a hole. */
    public long seek(Node node, long offset, int whence) throws FuseException, IOException {
        if (whence != DATA && whence != HOLE) {
            throw new FuseException(Errno.EINVAL);
        }
        Shape shape = locks.locked(node, () -> shape(node));
        if (offset < 0 || offset >= shape.size()) {
            throw new FuseException(Errno.ENXIO);
        }
        if (whence == HOLE) {
            return Math.min(shape.size(), shape.data().coveredFrom(offset));
        }
        long next = shape.data().nextFrom(offset);
        if (next >= shape.size()) {
            throw new FuseException(Errno.ENXIO);
        }
        return next;
    }

    private Shape shape(Node node) throws FuseException, IOException {
        Draft draft = node.draft;
        boolean hasBase = draft == null || !draft.isWhole();
        Ranges data = new Ranges();
        long size = draft == null ? node.attributes.length() : draft.size();
        if (hasBase && node.unlinked && node.kept.isEmpty()) {
            // The table has no places of it any more.
            data.add(0, size);
        } else if (hasBase) {
            LocatedFile located = publisher.located(node);
            data = StoredRanges.of(located);
            size = draft == null ? located.status().attributes().length() : size;
        }
        if (draft != null) {
            draft.overlay(data);
        }
        return new Shape(data, size);
    }
}
