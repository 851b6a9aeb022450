package io.packing.bdt.master.table;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The directory that another one is a clone of, as it was at a position: where names lead that the clone has no entry of. A clone
 * of a clone has a chain of them (RFC 0001).
 *
 * @param directory whose entries show
 * @param owner the directory that was kept at that position: this one, or one above it
 * @param position of the snapshot of the owner
 * @param nextId of that snapshot
 * @param next the origin that the directory itself had
 */
record Origin(long directory, long owner, long position, long nextId, Optional<Origin> next) {
    /** The longest chain. Each link costs a lookup for every name that is not found before it. */
    static final int MOST = 64;

    /** Of a directory that a snapshot sees. */
    static Origin of(Inode directory, Snapshot snapshot) {
        return new Origin(
                directory.id(), snapshot.directory(), snapshot.position(), snapshot.nextId(), directory.origin());
    }

    /** How the directory is looked at. */
    View view() {
        return new View(directory, next, Optional.of(new Snapshot(owner, position, "", nextId, 0, false)));
    }

    /** The key of the row that says that a directory needs the snapshot. */
    byte[] use(long user) {
        return Keys.use(owner, position, user);
    }

    /** This one and those behind it. */
    List<Origin> chain() {
        List<Origin> chain = new ArrayList<>();
        for (Optional<Origin> at = Optional.of(this); at.isPresent(); at = at.get().next) {
            chain.add(at.get());
        }
        return chain;
    }

    void encode(Bytes.Out out) {
        List<Origin> chain = chain();
        out.number(chain.size());
        chain.forEach(each -> out.number(each.directory)
                .number(each.owner)
                .number(each.position)
                .number(each.nextId));
    }

    static Origin decode(Bytes.In in) {
        int size = in.smallNumber();
        if (size < 1 || size > MOST) {
            throw new Bytes.MalformedException("a chain of %d origins".formatted(size));
        }
        List<long[]> chain = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            chain.add(new long[] {in.number(), in.number(), in.number(), in.number()});
        }
        Optional<Origin> next = Optional.empty();
        for (int i = size - 1; i >= 0; i--) {
            long[] each = chain.get(i);
            next = Optional.of(new Origin(each[0], each[1], each[2], each[3], next));
        }
        return next.orElseThrow();
    }
}
