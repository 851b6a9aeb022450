// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import com.google.common.collect.ImmutableSetMultimap;
import com.google.common.collect.ImmutableSortedSet;
import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.TreeRangeMap;
import com.google.common.collect.TreeRangeSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * The bytes of contents that a file has, by offset. Between them are holes, which read as zeros. The address map of
 * ANViL (§3.1): ranges are cloned into it and deleted from it. Immutable.
 */
public final class ReferenceMap {
    public static final ReferenceMap EMPTY = new ReferenceMap(TreeRangeMap.create());

    /** The content of a hole that covers lower layers. */
    private static final long HOLE = 0;

    /**
     * Bytes that a file has from a content.
     *
     * @param offset in the file
     * @param content file id of the version that wrote them; 0: a hole that covers what lower layers have (RFC 0020)
     * @param contentOffset in the content
     */
    public record Reference(long offset, long length, long content, long contentOffset) {
        public Reference {
            boolean whole = offset >= 0 && length > 0 && contentOffset >= 0 && content >= 0;
            if (!whole || offset > Long.MAX_VALUE - length || contentOffset > Long.MAX_VALUE - length) {
                throw new IllegalArgumentException("reference at %d to %d bytes at %d of content %d"
                        .formatted(offset, length, contentOffset, content));
            }
        }

        public long end() {
            return offset + length;
        }

        /** Returns whether it is a hole that covers lower layers. */
        public boolean isHole() {
            return content == HOLE;
        }

        private Source source() {
            return new Source(content, offset - contentOffset);
        }
    }

    /**
     * The common value of neighbouring bytes that are neighbours in one content, too.
     *
     * @param start offset in the file at which the content's first byte would be; may be negative
     */
    private record Source(long content, long start) {}

    private final RangeMap<Long, Source> sources;

    private ReferenceMap(RangeMap<Long, Source> sources) {
        this.sources = sources;
    }

    /** The whole of a content; nothing when it has no bytes. */
    public static ReferenceMap whole(long content, long length) {
        return length == 0 ? EMPTY : of(List.of(new Reference(0, length, content, 0)));
    }

    /**
     * Makes a map of references.
     *
     * @param references in any order; where two overlap, the later one counts
     */
    public static ReferenceMap of(List<Reference> references) {
        RangeMap<Long, Source> sources = TreeRangeMap.create();
        references.forEach(reference -> put(sources, reference, 0));
        return new ReferenceMap(sources);
    }

    /** By offset, as few as possible. */
    public List<Reference> references() {
        return references(sources);
    }

    boolean isEmpty() {
        return sources.asMapOfRanges().isEmpty();
    }

    /** Whatever it names, by id. */
    public ImmutableSortedSet<Long> contents() {
        return sources.asMapOfRanges().values().stream()
                .map(Source::content)
                .collect(ImmutableSortedSet.toImmutableSortedSet(Long::compare));
    }

    /** The ranges of each content that it names, by offset in the content. */
    public ImmutableSetMultimap<Long, Range<Long>> ranges() {
        return references().stream()
                .collect(ImmutableSetMultimap.toImmutableSetMultimap(
                        Reference::content, each -> range(each.contentOffset(), each.length())));
    }

    /** A range of it, moved to offset 0. */
    public ReferenceMap slice(long offset, long length) {
        return slice(sources, offset, length);
    }

    private static ReferenceMap slice(RangeMap<Long, Source> sources, long offset, long length) {
        RangeMap<Long, Source> slice = TreeRangeMap.create();
        references(sources.subRangeMap(range(offset, length))).forEach(reference -> put(slice, reference, -offset));
        return new ReferenceMap(slice);
    }

    /** With a range of it replaced by another map, holes included. */
    public ReferenceMap with(long offset, long length, ReferenceMap replacement) {
        ReferenceMap changed = without(offset, length);
        replacement.slice(0, length).references().forEach(reference -> put(changed.sources, reference, offset));
        return changed;
    }

    /** With a hole. */
    public ReferenceMap without(long offset, long length) {
        RangeMap<Long, Source> changed = TreeRangeMap.create();
        changed.putAll(sources);
        changed.remove(range(offset, length));
        return new ReferenceMap(changed);
    }

    /** With each hole of a range as a reference to content 0, which covers what lower layers have. */
    ReferenceMap covering(long offset, long length) {
        RangeMap<Long, Source> changed = TreeRangeMap.create();
        changed.putAll(sources);
        TreeRangeSet.create(sources.asMapOfRanges().keySet())
                .complement()
                .subRangeSet(range(offset, length))
                .asRanges()
                .forEach(hole -> changed.putCoalescing(hole, new Source(HOLE, 0)));
        return new ReferenceMap(changed);
    }

    /** Without the holes that cover lower layers: they are holes of the map. */
    ReferenceMap withoutHoles() {
        RangeMap<Long, Source> changed = TreeRangeMap.create();
        sources.asMapOfRanges().forEach((range, source) -> {
            if (source.content() != HOLE) {
                changed.put(range, source);
            }
        });
        return new ReferenceMap(changed);
    }

    /** A map that is changed many times before it is written. Confined to one thread. */
    public static final class Editor {
        private final RangeMap<Long, Source> sources = TreeRangeMap.create();

        public Editor(ReferenceMap map) {
            sources.putAll(map.sources);
        }

        public ReferenceMap slice(long offset, long length) {
            return ReferenceMap.slice(sources, offset, length);
        }

        /** Replaces a range of it by another map, holes included. */
        public void put(long offset, long length, ReferenceMap replacement) {
            remove(offset, length);
            replacement
                    .slice(0, length)
                    .references()
                    .forEach(reference -> ReferenceMap.put(sources, reference, offset));
        }

        /** Makes a hole. */
        public void remove(long offset, long length) {
            sources.remove(range(offset, length));
        }

        /** Removes all from an offset on. */
        public void cut(long offset) {
            sources.remove(Range.atLeast(offset));
        }

        public ReferenceMap toMap() {
            RangeMap<Long, Source> copy = TreeRangeMap.create();
            copy.putAll(sources);
            return new ReferenceMap(copy);
        }
    }

    void encode(Bytes.Out out) {
        List<Reference> references = references();
        out.number(references.size());
        long end = 0;
        for (Reference each : references) {
            out.number(each.offset() - end)
                    .number(each.length())
                    .number(each.content())
                    .number(each.contentOffset());
            end = each.end();
        }
    }

    static ReferenceMap decode(Bytes.In in) {
        int count = in.smallNumber();
        RangeMap<Long, Source> sources = TreeRangeMap.create();
        long end = 0;
        try {
            for (int i = 0; i < count; i++) {
                Reference reference =
                        new Reference(Math.addExact(end, in.number()), in.number(), in.number(), in.number());
                if (reference.isHole()) {
                    throw new IllegalArgumentException("a hole at %d".formatted(reference.offset()));
                }
                put(sources, reference, 0);
                end = reference.end();
            }
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw new Bytes.MalformedException("map with a wrong reference", e);
        }
        return new ReferenceMap(sources);
    }

    private static Range<Long> range(long offset, long length) {
        if (offset < 0 || length < 0 || offset > Long.MAX_VALUE - length) {
            throw new IllegalArgumentException("range of %d bytes at %d".formatted(length, offset));
        }
        return Range.closedOpen(offset, offset + length);
    }

    private static void put(RangeMap<Long, Source> into, Reference reference, long by) {
        long offset = reference.offset() + by;
        Source moved = new Source(reference.content(), reference.source().start() + by);
        into.putCoalescing(range(offset, reference.length()), moved);
    }

    private static List<Reference> references(RangeMap<Long, Source> sources) {
        List<Reference> references = new ArrayList<>();
        for (Map.Entry<Range<Long>, Source> each : sources.asMapOfRanges().entrySet()) {
            long offset = each.getKey().lowerEndpoint();
            Source source = each.getValue();
            references.add(new Reference(
                    offset, each.getKey().upperEndpoint() - offset, source.content(), offset - source.start()));
        }
        return references;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ReferenceMap map && references().equals(map.references());
    }

    @Override
    public int hashCode() {
        return references().hashCode();
    }

    @Override
    public String toString() {
        return references().toString();
    }
}
