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

    /**
     * A file got another name.
     *
     * @param path a name that it had
     * @param firstName id of the entry that this one became when the file got its second name; 0: it was one already
     * @param newName id of the entry of the new name
     * @param file its id
     * @param generation its generation, as what follows: to show it before anybody knows where its bytes are
     */
    record Linked(
            FilePath path,
            FilePath name,
            long firstName,
            long newName,
            long file,
            long generation,
            FileAttributes attributes,
            Extras extras)
            implements JournalEntry {}

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
    record Mapped(
            FilePath path, long id, FileAttributes attributes, Extras extras, ReferenceMap map, List<Source> contents)
            implements JournalEntry {
        public Mapped {
            contents = List.copyOf(contents);
        }

        /** The file as of a position. */
        Inode inode(long position) {
            return new Inode(id, position, attributes, new Inode.Mapped(map), extras);
        }
    }

    /** A directory has these limits from now on, or none. */
    record QuotaSet(FilePath path, OptionalLong mostNames, OptionalLong mostBytes) implements JournalEntry {}

    /** A snapshot was taken of a directory. */
    record Snapshotted(FilePath path, String name, long nextId, long takenMillis) implements JournalEntry {}

    /**
     * A directory is a clone of another one as it was at the position of this entry, or at that of the snapshot that the source is in.
     *
     * @param id of the clone
     * @param nextId the first id that was not given out yet
     */
    record Cloned(FilePath source, FilePath destination, long id, long nextId, long takenMillis)
            implements JournalEntry {}

    /** A directory that a clone had from its origin is its own from now on, since something in it changes. */
    record Owned(FilePath path, long id) implements JournalEntry {}

    /** A snapshot of a directory has another name. */
    record SnapshotRenamed(FilePath path, String from, String to) implements JournalEntry {}

    /** A snapshot of a directory was given up. */
    record SnapshotDropped(FilePath path, String name) implements JournalEntry {}

    /**
     * A snapshot sees a file that changed or went, some of whose bytes were in a buffer only: no footer tells of them yet.
     *
     * @param parent id of the directory
     * @param until position of the snapshot
     * @param contents what the map names
     */
    record Held(
            long parent,
            String name,
            long until,
            long id,
            long generation,
            FileAttributes attributes,
            Extras extras,
            ReferenceMap map,
            List<Source> contents)
            implements JournalEntry {
        public Held {
            contents = List.copyOf(contents);
        }
    }

    /**
     * The table was made from the backing store. A later recovery that begins with an older backup learns of this one from
     * the journal.
     */
    record Recovery(Recoveries.Recovered recovered) implements JournalEntry {}

    /**
     * Directories were made again of which a recovery knew only by what is in them, or did not know. A later recovery makes them with
     * the same ids, as of the same position.
     *
     * @param since position from which on they have been there
     */
    record Remade(Made made, long since) implements JournalEntry {}

    /** A content that a map names, so that it can be told before anybody knows where its bytes are. */
    record Source(long id, long generation, long length) {}

    /** Whether this entry is worth an upload of its own. */
    default boolean urgent() {
        return !(this instanceof Recovery)
                && !(this instanceof Remade)
                && !(this instanceof Owned)
                && !(this instanceof Made made && made.implied());
    }

    /** Whether it says what became of files, so that what a recovery lost must be led through it. */
    default boolean isHistory() {
        return this instanceof Deleted
                || this instanceof Renamed
                || this instanceof Ended
                || this instanceof Kept
                || this instanceof Cloned
                || this instanceof Snapshotted;
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
        } else if (this instanceof Linked l) {
            out.byte1(22)
                    .text(l.path().value())
                    .text(l.name().value())
                    .number(l.firstName())
                    .number(l.newName())
                    .number(l.file())
                    .number(l.generation());
            encode(out, l.attributes());
            out.blob(l.extras().encode());
        } else if (this instanceof Changed c) {
            AttributeChange change = c.change();
            out.byte1(4)
                    .text(c.path().value())
                    .byte1((change.owner().isPresent() ? 1 : 0)
                            | (change.group().isPresent() ? 2 : 0)
                            | (change.mode().isPresent() ? 4 : 0)
                            | (change.mtimeMillis().isPresent() ? 8 : 0)
                            | ExtrasBytes.bits(change.extra()));
            change.owner().ifPresent(out::text);
            change.group().ifPresent(out::text);
            change.mode().ifPresent(out::number);
            change.mtimeMillis().ifPresent(out::signed);
            ExtrasBytes.encode(change.extra(), out);
        } else if (this instanceof Kept k) {
            out.byte1(10).text(k.path().value()).number(k.id());
        } else if (this instanceof Ended e) {
            out.byte1(e.urgent() ? 7 : 6).number(e.ids().size());
            e.ids().forEach(out::number);
        } else if (this instanceof Mapped m) {
            out.byte1(m.extras().isNone() ? 11 : 20).text(m.path().value()).number(m.id());
            encode(out, m.attributes(), m.extras(), m.map(), m.contents());
        } else if (this instanceof Snapshotted s) {
            out.byte1(12)
                    .text(s.path().value())
                    .text(s.name())
                    .number(s.nextId())
                    .signed(s.takenMillis());
        } else if (this instanceof SnapshotRenamed s) {
            out.byte1(13).text(s.path().value()).text(s.from()).text(s.to());
        } else if (this instanceof SnapshotDropped s) {
            out.byte1(14).text(s.path().value()).text(s.name());
        } else if (this instanceof Held h) {
            out.byte1(h.extras().isNone() ? 15 : 21)
                    .number(h.parent())
                    .text(h.name())
                    .number(h.until())
                    .number(h.id())
                    .number(h.generation());
            encode(out, h.attributes(), h.extras(), h.map(), h.contents());
        } else if (this instanceof Recovery r) {
            out.byte1(16)
                    .number(r.recovered().at())
                    .number(r.recovered().firstId())
                    .number(r.recovered().backup());
        } else if (this instanceof Remade r) {
            out.byte1(17).number(r.since()).raw(r.made().encode());
        } else if (this instanceof Cloned c) {
            out.byte1(18)
                    .text(c.source().value())
                    .text(c.destination().value())
                    .number(c.id())
                    .number(c.nextId())
                    .signed(c.takenMillis());
        } else if (this instanceof QuotaSet q) {
            out.byte1(23).text(q.path().value());
            QuotaRow.encode(out, q.mostNames(), q.mostBytes());
        } else if (this instanceof Owned o) {
            out.byte1(19).text(o.path().value()).number(o.id());
        }
        return out.toBytes();
    }

    private static void encode(
            Bytes.Out out, FileAttributes attributes, Extras extras, ReferenceMap map, List<Source> contents) {
        encode(out, attributes);
        if (!extras.isNone()) {
            out.blob(extras.encode());
        }
        map.encode(out);
        out.number(contents.size());
        contents.forEach(each -> out.number(each.id()).number(each.generation()).number(each.length()));
    }

    private static void encode(Bytes.Out out, FileAttributes attributes) {
        out.number(attributes.length())
                .signed(attributes.mtimeMillis())
                .text(attributes.owner())
                .text(attributes.group())
                .number(attributes.mode());
    }

    public static JournalEntry decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        int kind = in.byte1();
        if (kind == 6 || kind == 7) {
            return ended(in, kind == 7);
        }
        if (kind == 15 || kind == 21) {
            return new Held(
                    in.number(),
                    in.text(),
                    in.number(),
                    in.number(),
                    in.number(),
                    attributes(in),
                    kind == 21 ? Extras.decode(in.blob()) : Extras.NONE,
                    ReferenceMap.decode(in),
                    sources(in));
        }
        if (kind == 16) {
            return new Recovery(new Recoveries.Recovered(in.number(), in.number(), in.number()));
        }
        if (kind == 17) {
            long since = in.number();
            if (decode(in.rest()) instanceof Made made) {
                return new Remade(made, since);
            }
            throw new Bytes.MalformedException("a recovery made something that is no directory");
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
            case 11, 20 ->
                new Mapped(
                        path,
                        in.number(),
                        attributes(in),
                        kind == 20 ? Extras.decode(in.blob()) : Extras.NONE,
                        ReferenceMap.decode(in),
                        sources(in));
            case 12 -> new Snapshotted(path, in.text(), in.number(), in.signed());
            case 13 -> new SnapshotRenamed(path, in.text(), in.text());
            case 14 -> new SnapshotDropped(path, in.text());
            case 18 -> new Cloned(path, new FilePath(in.text()), in.number(), in.number(), in.signed());
            case 19 -> new Owned(path, in.number());
            case 23 -> new QuotaSet(path, QuotaRow.limit(in), QuotaRow.limit(in));
            case 22 ->
                new Linked(
                        path,
                        new FilePath(in.text()),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        attributes(in),
                        Extras.decode(in.blob()));
            case 3 -> new Renamed(path, new FilePath(in.text()), in.number());
            case 4 -> {
                int present = in.byte1();
                if (present > 127) {
                    throw new Bytes.MalformedException("change of unknown attributes %x".formatted(present));
                }
                yield new Changed(
                        path,
                        new AttributeChange(
                                (present & 1) != 0 ? Optional.of(in.text()) : Optional.empty(),
                                (present & 2) != 0 ? Optional.of(in.text()) : Optional.empty(),
                                (present & 4) != 0 ? OptionalInt.of(in.smallNumber()) : OptionalInt.empty(),
                                (present & 8) != 0 ? OptionalLong.of(in.signed()) : OptionalLong.empty(),
                                ExtrasBytes.decode(present, in)));
            }
            default -> throw new Bytes.MalformedException("journal entry of kind " + kind);
        };
    }

    private static FileAttributes attributes(Bytes.In in) {
        return new FileAttributes(in.number(), in.signed(), in.text(), in.text(), in.smallNumber());
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
