package io.packing.bdt.master.table;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A change of the namespace that a recovery must know because no footer tells of it. */
public sealed interface JournalEntry {
    /**
     * A directory was made.
     *
     * @param id of the lowest
     * @param implied by a claim below it: then no upload is made for it alone, since footers imply it as well
     * @param levels how many were made, one in the other, of which the path is the lowest; their ids follow each other
     */
    record Made(FilePath path, long id, DirectoryAttributes attributes, long mtimeMillis, boolean implied, int levels)
            implements JournalEntry {
        public Made {
            if (levels < 1 || levels >= id) {
                throw new Bytes.MalformedException("%d directories down to id %d".formatted(levels, id));
            }
        }
    }

    /** A file or directory was removed, with all below it. */
    record Deleted(FilePath path, long id) implements JournalEntry {}

    /** A file or directory was moved. */
    record Renamed(FilePath from, FilePath to, long id) implements JournalEntry {}

    /** Attributes were changed. */
    record Changed(FilePath path, AttributeChange change) implements JournalEntry {}

    /**
     * Files in buffers are over that no other entry names: they were overwritten, or were below a directory that was
     * deleted. A worker that comes back with one of them after a recovery is refused by its id.
     *
     * @param urgent whether they were deleted; an overwrite alone makes no upload
     */
    record Ended(List<Long> ids, boolean urgent) implements JournalEntry {
        public Ended {
            ids = List.copyOf(ids);
        }
    }

    /** A file that came back after a recovery met something else at its path, and is kept at this one. */
    record Kept(FilePath path, long id) implements JournalEntry {}

    /**
     * A file has these bytes from now on: it is new, or its bytes were changed.
     *
     * @param path of the file
     * @param contents what the map names
     */
    record Mapped(FilePath path, long id, FileAttributes attributes, ReferenceMap map, List<Source> contents)
            implements JournalEntry {
        public Mapped {
            contents = List.copyOf(contents);
        }
    }

    /** A content that a map names, so that it can be told before anybody knows where its bytes are. */
    record Source(long id, long generation, long length) {}

    /** Whether this entry is worth an upload of its own. */
    default boolean urgent() {
        return !(this instanceof Made made && made.implied());
    }

    /** Whether it says what became of files, so that what a recovery lost must be led through it. */
    default boolean isHistory() {
        return !(this instanceof Made || this instanceof Changed || this instanceof Mapped);
    }

    default byte[] encode() {
        Bytes.Out out = new Bytes.Out();
        if (this instanceof Made m) {
            boolean one = m.levels() == 1;
            out.byte1(m.implied() ? one ? 5 : 9 : one ? 1 : 8)
                    .text(m.path().value())
                    .number(m.id())
                    .text(m.attributes().owner())
                    .text(m.attributes().group())
                    .number(m.attributes().mode())
                    .signed(m.mtimeMillis());
            if (!one) {
                out.number(m.levels());
            }
        } else if (this instanceof Deleted d) {
            out.byte1(2).text(d.path().value()).number(d.id());
        } else if (this instanceof Renamed r) {
            out.byte1(3).text(r.from().value()).text(r.to().value()).number(r.id());
        } else if (this instanceof Changed c) {
            AttributeChange change = c.change();
            out.byte1(4)
                    .text(c.path().value())
                    .byte1((change.owner().isPresent() ? 1 : 0)
                            | (change.group().isPresent() ? 2 : 0)
                            | (change.mode().isPresent() ? 4 : 0)
                            | (change.mtimeMillis().isPresent() ? 8 : 0));
            change.owner().ifPresent(out::text);
            change.group().ifPresent(out::text);
            change.mode().ifPresent(out::number);
            change.mtimeMillis().ifPresent(out::signed);
        } else if (this instanceof Kept k) {
            out.byte1(10).text(k.path().value()).number(k.id());
        } else if (this instanceof Ended e) {
            out.byte1(e.urgent() ? 7 : 6).number(e.ids().size());
            e.ids().forEach(out::number);
        } else if (this instanceof Mapped m) {
            FileAttributes attributes = m.attributes();
            out.byte1(11)
                    .text(m.path().value())
                    .number(m.id())
                    .number(attributes.length())
                    .signed(attributes.mtimeMillis())
                    .text(attributes.owner())
                    .text(attributes.group())
                    .number(attributes.mode());
            m.map().encode(out);
            out.number(m.contents().size());
            m.contents()
                    .forEach(each ->
                            out.number(each.id()).number(each.generation()).number(each.length()));
        }
        return out.toBytes();
    }

    public static JournalEntry decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        int kind = in.byte1();
        if (kind == 6 || kind == 7) {
            return ended(in, kind == 7);
        }
        FilePath path = new FilePath(in.text());
        return switch (kind) {
            case 1, 5, 8, 9 ->
                new Made(
                        path,
                        in.number(),
                        new DirectoryAttributes(in.text(), in.text(), in.smallNumber()),
                        in.signed(),
                        kind == 5 || kind == 9,
                        kind >= 8 ? in.smallNumber() : 1);
            case 2 -> new Deleted(path, in.number());
            case 10 -> new Kept(path, in.number());
            case 11 ->
                new Mapped(
                        path,
                        in.number(),
                        new FileAttributes(in.number(), in.signed(), in.text(), in.text(), in.smallNumber()),
                        ReferenceMap.decode(in),
                        sources(in));
            case 3 -> new Renamed(path, new FilePath(in.text()), in.number());
            case 4 -> {
                int present = in.byte1();
                if (present > 15) {
                    throw new Bytes.MalformedException("change of unknown attributes %x".formatted(present));
                }
                yield new Changed(
                        path,
                        new AttributeChange(
                                (present & 1) != 0 ? Optional.of(in.text()) : Optional.empty(),
                                (present & 2) != 0 ? Optional.of(in.text()) : Optional.empty(),
                                (present & 4) != 0 ? OptionalInt.of(in.smallNumber()) : OptionalInt.empty(),
                                (present & 8) != 0 ? OptionalLong.of(in.signed()) : OptionalLong.empty()));
            }
            default -> throw new Bytes.MalformedException("journal entry of kind " + kind);
        };
    }

    private static List<Source> sources(Bytes.In in) {
        int count = in.smallNumber();
        List<Source> sources = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sources.add(new Source(in.number(), in.number(), in.number()));
        }
        return sources;
    }

    private static Ended ended(Bytes.In in, boolean urgent) {
        int count = in.smallNumber();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(in.number());
        }
        return new Ended(ids, urgent);
    }
}
