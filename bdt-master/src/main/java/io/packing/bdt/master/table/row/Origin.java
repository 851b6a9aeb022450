// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * The directory that another one is a clone of, as it was at a position: where names lead that the clone has no entry of. A clone
 * of a clone has a chain of them (RFC 0001).
 *
 * @param directory whose entries show
 * @param owner the directory that was kept at that position: this one, or one above it
 * @param position of the snapshot of the owner
 * @param nextId of that snapshot
 * @param passages the clones that these entries are seen through, from them up; the last is the clone that has this origin
 * @param next the origin that the directory itself had
 */
public record Origin(
        long directory, long owner, long position, long nextId, List<TraversedClone> passages, Optional<Origin> next) {
    /** The longest chain of a clone that a user makes. Each link costs a lookup for every name that is not found before it. */
    static final int MOST = 64;

    /**
     * The longest chain. A directory in a clone that gets entries of its own has a link more than the directory that it shows, and each
     * clone around them another one.
     */
    private static final int MOST_AROUND = 1_000;

    /** The most clones that names are seen through. A chain needs one for each link, a clone inside of another one more. */
    static final int MOST_PASSAGES = 256;

    public Origin {
        passages = List.copyOf(passages);
    }

    /** Why no directory in a clone can have entries of its own with this origin; empty: it can. */
    public Optional<String> whyTooDeep() {
        int links = chain().size();
        return links > MOST_AROUND
                ? Optional.of("%d clones are around the directory, and that is the most: copy it, and change the copy"
                        .formatted(links - 1))
                : Optional.empty();
    }

    /** The clone that a directory with this origin is part of, by its id; empty: an older version made it. */
    public OptionalLong cloneId() {
        return passages.isEmpty() || !passages.get(passages.size() - 1).isPresent()
                ? OptionalLong.empty()
                : OptionalLong.of(passages.get(passages.size() - 1).cloneId());
    }

    /** A snapshot that a directory with this origin needs. */
    public record Need(long owner, long position) {
        /** The key of the row that says so. */
        public byte[] key(long user) {
            return Keys.use(owner, position, user);
        }
    }

    /** The snapshots that a directory with this origin needs. */
    public Set<Need> uses() {
        Set<Need> uses = new LinkedHashSet<>();
        for (Origin each : chain()) {
            uses.add(new Need(each.owner, each.position));
            each.passages.stream()
                    .filter(passage -> !passage.isPresent())
                    .forEach(passage -> uses.add(new Need(passage.owner(), passage.position())));
        }
        return uses;
    }

    /** Why nothing can be cloned with this origin; empty: it can. */
    public Optional<String> whyTooDeep(FilePath source) {
        int links = chain().size();
        int clones = chain().stream().mapToInt(each -> each.passages.size()).sum();
        return links > MOST || clones > MOST_PASSAGES
                ? Optional.of(
                        "%s is a clone of a clone, %d deep, and that is the most: clone what it is a clone of, or copy it"
                                .formatted(source, Math.max(links, clones) - 1))
                : Optional.empty();
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
        if (chain.stream().allMatch(each -> each.passages.isEmpty())) {
            return;
        }
        for (Origin each : chain) {
            out.number(each.passages.size());
            each.passages.forEach(passage ->
                    out.number(passage.cloneId()).number(passage.owner()).number(passage.position()));
        }
    }

    static Origin decode(Bytes.In in) {
        int size = in.smallNumber();
        if (size < 1 || size > MOST_AROUND) {
            throw new Bytes.MalformedException("a chain of %d origins".formatted(size));
        }
        List<long[]> chain = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            chain.add(new long[] {in.number(), in.number(), in.number(), in.number()});
        }
        List<List<TraversedClone>> passages = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            // Versions before did not note them.
            passages.add(in.hasMore() ? passages(in) : List.of());
        }
        Optional<Origin> next = Optional.empty();
        for (int i = size - 1; i >= 0; i--) {
            long[] each = chain.get(i);
            next = Optional.of(new Origin(each[0], each[1], each[2], each[3], passages.get(i), next));
        }
        return next.orElseThrow();
    }

    private static List<TraversedClone> passages(Bytes.In in) {
        int size = in.smallNumber();
        List<TraversedClone> passages = new ArrayList<>();
        for (int i = 0; i < size; i++) {
            passages.add(new TraversedClone(in.number(), in.number(), in.number()));
        }
        return passages;
    }
}
