// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.blob.BlobName;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** The bytes of journal entries: the kind, and then its fields. A kind never changes. */
public final class JournalBytes {
    private JournalBytes() {}

    public static byte[] encode(JournalEntry entry) {
        Bytes.Out out = new Bytes.Out();
        if (entry instanceof JournalEntry.Made m) {
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
        } else if (entry instanceof JournalEntry.Deleted d) {
            out.byte1(2).text(d.path().value()).number(d.id());
        } else if (entry instanceof JournalEntry.Renamed r) {
            out.byte1(r.generation() == 0 ? 3 : 31)
                    .text(r.from().value())
                    .text(r.to().value())
                    .number(r.id());
            if (r.generation() != 0) {
                out.number(r.generation());
            }
        } else if (entry instanceof JournalEntry.Linked l) {
            out.byte1(22)
                    .text(l.path().value())
                    .text(l.name().value())
                    .number(l.firstName())
                    .number(l.newName())
                    .number(l.file())
                    .number(l.generation());
            encode(out, l.attributes());
            out.blob(l.extras().encode());
        } else if (entry instanceof JournalEntry.Changed c) {
            AttributeChange change = c.change();
            out.byte1(c.file() == 0 ? 4 : 25).text(c.path().value());
            if (c.file() != 0) {
                out.number(c.file());
            }
            out.byte1((change.owner().isPresent() ? 1 : 0)
                    | (change.group().isPresent() ? 2 : 0)
                    | (change.mode().isPresent() ? 4 : 0)
                    | (change.mtimeMillis().isPresent() ? 8 : 0)
                    | ExtraAttributesBytes.bits(change.extra()));
            change.owner().ifPresent(out::text);
            change.group().ifPresent(out::text);
            change.mode().ifPresent(out::number);
            change.mtimeMillis().ifPresent(out::signed);
            ExtraAttributesBytes.encode(change.extra(), out);
        } else if (entry instanceof JournalEntry.Kept k) {
            out.byte1(10).text(k.path().value()).number(k.id());
        } else if (entry instanceof JournalEntry.Ended e) {
            out.byte1(e.urgent() ? 7 : 6).number(e.ids().size());
            e.ids().forEach(out::number);
        } else if (entry instanceof JournalEntry.Mapped m) {
            out.byte1(m.extras().isNone() ? 11 : 20).text(m.path().value()).number(m.id());
            encode(out, m.attributes(), m.extras(), m.map(), m.contents());
        } else if (entry instanceof JournalEntry.Spliced s) {
            out.byte1(27).text(s.path().value()).number(s.id()).number(s.before());
            encode(out, s.attributes());
            out.blob(s.extras().encode()).number(s.splices().size());
            s.splices().forEach(each -> encode(out, each));
            encode(out, s.contents());
        } else if (entry instanceof JournalEntry.Repacked r) {
            Bytes.Out place = new Bytes.Out();
            Inode.encode(r.place(0), place);
            out.byte1(28).text(r.path().value()).number(r.id());
            encode(out, List.of(r.content()));
            out.text(r.blob().toString())
                    .blob(place.toBytes())
                    .number(r.splices().size());
            r.splices().forEach(each -> encode(out, each));
        } else if (entry instanceof JournalEntry.LayeredClone l) {
            out.byte1(30).text(l.path().value()).number(l.id());
            encode(out, l.attributes());
            out.blob(l.extras().encode())
                    .text(l.source().value())
                    .number(l.of())
                    .number(l.before());
        } else if (entry instanceof JournalEntry.Snapshotted s) {
            out.byte1(12)
                    .text(s.path().value())
                    .text(s.name())
                    .number(s.nextId())
                    .signed(s.takenMillis());
        } else if (entry instanceof JournalEntry.SnapshotRenamed s) {
            out.byte1(13).text(s.path().value()).text(s.from()).text(s.to());
        } else if (entry instanceof JournalEntry.SnapshotDropped s) {
            out.byte1(14).text(s.path().value()).text(s.name());
        } else if (entry instanceof JournalEntry.Held h) {
            out.byte1(h.extras().isNone() ? 15 : 21)
                    .number(h.parent())
                    .text(h.name())
                    .number(h.until())
                    .number(h.id())
                    .number(h.generation());
            encode(out, h.attributes(), h.extras(), h.map(), h.contents());
        } else if (entry instanceof JournalEntry.Rebuilt r) {
            out.byte1(16)
                    .number(r.recovered().at())
                    .number(r.recovered().firstId())
                    .number(r.recovered().backup());
        } else if (entry instanceof JournalEntry.Remade r) {
            out.byte1(17).number(r.since()).raw(encode(r.made()));
        } else if (entry instanceof JournalEntry.Cloned c) {
            out.byte1(18)
                    .text(c.source().value())
                    .text(c.destination().value())
                    .number(c.id())
                    .number(c.nextId())
                    .signed(c.takenMillis());
        } else if (entry instanceof JournalEntry.QuotaSet q) {
            out.byte1(23).text(q.path().value());
            QuotaRow.encode(out, q.mostNames(), q.mostBytes());
        } else if (entry instanceof JournalEntry.NameOwned o) {
            out.byte1(24)
                    .text(o.path().value())
                    .number(o.name())
                    .number(o.file())
                    .text(o.row())
                    .number(o.twin())
                    .number(o.others());
        } else if (entry instanceof JournalEntry.SharedOptionsSet s) {
            out.byte1(26).byte1(s.urgent() ? 1 : 0);
            SharedOptionsRow.encode(out, s.set());
        } else if (entry instanceof JournalEntry.Owned o) {
            out.byte1(19).text(o.path().value()).number(o.id());
        }
        return out.toBytes();
    }

    private static void encode(
            Bytes.Out out,
            FileAttributes attributes,
            ExtraAttributes extras,
            ReferenceMap map,
            List<JournalEntry.Source> contents) {
        encode(out, attributes);
        if (!extras.isNone()) {
            out.blob(extras.encode());
        }
        map.encode(out);
        encode(out, contents);
    }

    private static void encode(Bytes.Out out, List<JournalEntry.Source> contents) {
        out.number(contents.size());
        contents.forEach(each -> out.number(each.id()).number(each.generation()).number(each.length()));
    }

    private static void encode(Bytes.Out out, JournalEntry.Splice splice) {
        out.number(splice.offset()).number(splice.length());
        splice.map().encode(out);
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
            return new JournalEntry.Held(
                    in.number(),
                    in.text(),
                    in.number(),
                    in.number(),
                    in.number(),
                    attributes(in),
                    kind == 21 ? ExtraAttributes.decode(in.blob()) : ExtraAttributes.NONE,
                    ReferenceMap.decode(in),
                    sources(in));
        }
        if (kind == 16) {
            return new JournalEntry.Rebuilt(new Recovered(in.number(), in.number(), in.number()));
        }
        if (kind == 17) {
            long since = in.number();
            if (decode(in.rest()) instanceof JournalEntry.Made made) {
                return new JournalEntry.Remade(made, since);
            }
            throw new Bytes.MalformedException("a recovery made something that is no directory");
        }
        if (kind == 26) {
            boolean urgent = in.byte1() == 1;
            return new JournalEntry.SharedOptionsSet(SharedOptionsRow.decode(in), urgent);
        }
        FilePath path = new FilePath(in.text());
        return switch (kind) {
            case 1, 5, 8, 9 ->
                new JournalEntry.Made(
                        path,
                        in.number(),
                        new DirectoryAttributes(in.text(), in.text(), in.smallNumber()),
                        in.signed(),
                        kind == 5 || kind == 9,
                        kind >= 8 ? in.smallNumber() : 1);
            case 2 -> new JournalEntry.Deleted(path, in.number());
            case 10 -> new JournalEntry.Kept(path, in.number());
            case 11, 20 ->
                new JournalEntry.Mapped(
                        path,
                        in.number(),
                        attributes(in),
                        kind == 20 ? ExtraAttributes.decode(in.blob()) : ExtraAttributes.NONE,
                        ReferenceMap.decode(in),
                        sources(in));
            case 27 ->
                new JournalEntry.Spliced(
                        path,
                        in.number(),
                        in.number(),
                        attributes(in),
                        ExtraAttributes.decode(in.blob()),
                        splices(in),
                        sources(in));
            case 28 -> repacked(path, in);
            case 30 ->
                new JournalEntry.LayeredClone(
                        path,
                        in.number(),
                        attributes(in),
                        ExtraAttributes.decode(in.blob()),
                        new FilePath(in.text()),
                        in.number(),
                        in.number());
            case 12 -> new JournalEntry.Snapshotted(path, in.text(), in.number(), in.signed());
            case 13 -> new JournalEntry.SnapshotRenamed(path, in.text(), in.text());
            case 14 -> new JournalEntry.SnapshotDropped(path, in.text());
            case 18 -> new JournalEntry.Cloned(path, new FilePath(in.text()), in.number(), in.number(), in.signed());
            case 19 -> new JournalEntry.Owned(path, in.number());
            case 24 ->
                new JournalEntry.NameOwned(path, in.number(), in.number(), in.text(), in.number(), in.smallNumber());
            case 23 -> new JournalEntry.QuotaSet(path, QuotaRow.limit(in), QuotaRow.limit(in));
            case 22 ->
                new JournalEntry.Linked(
                        path,
                        new FilePath(in.text()),
                        in.number(),
                        in.number(),
                        in.number(),
                        in.number(),
                        attributes(in),
                        ExtraAttributes.decode(in.blob()));
            case 3, 31 ->
                new JournalEntry.Renamed(path, new FilePath(in.text()), in.number(), kind == 31 ? in.number() : 0);
            case 4, 25 -> {
                long file = kind == 25 ? in.number() : 0;
                int present = in.byte1();
                if (present > 127) {
                    throw new Bytes.MalformedException("change of unknown attributes %x".formatted(present));
                }
                yield new JournalEntry.Changed(
                        path,
                        file,
                        new AttributeChange(
                                (present & 1) != 0 ? Optional.of(in.text()) : Optional.empty(),
                                (present & 2) != 0 ? Optional.of(in.text()) : Optional.empty(),
                                (present & 4) != 0 ? OptionalInt.of(in.smallNumber()) : OptionalInt.empty(),
                                (present & 8) != 0 ? OptionalLong.of(in.signed()) : OptionalLong.empty(),
                                ExtraAttributesBytes.decode(present, in)));
            }
            default -> throw new Bytes.MalformedException("journal entry of kind " + kind);
        };
    }

    private static FileAttributes attributes(Bytes.In in) {
        return new FileAttributes(in.number(), in.signed(), in.text(), in.text(), in.smallNumber());
    }

    private static JournalEntry.Repacked repacked(FilePath path, Bytes.In in) {
        long id = in.number();
        List<JournalEntry.Source> content = sources(in);
        if (content.size() != 1) {
            throw new Bytes.MalformedException("%d contents in the place of fragments".formatted(content.size()));
        }
        BlobName blob = BlobName.parse(in.text());
        List<Extent> extents = Inode.Packed.decode(in.blob()).extents().stream()
                .map(Inode.StoredExtent::extent)
                .toList();
        return new JournalEntry.Repacked(path, id, content.get(0), blob, extents, splices(in));
    }

    private static List<JournalEntry.Splice> splices(Bytes.In in) {
        int count = in.smallNumber();
        List<JournalEntry.Splice> splices = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            splices.add(new JournalEntry.Splice(in.number(), in.number(), ReferenceMap.decode(in)));
        }
        return splices;
    }

    private static List<JournalEntry.Source> sources(Bytes.In in) {
        int count = in.smallNumber();
        List<JournalEntry.Source> sources = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sources.add(new JournalEntry.Source(in.number(), in.number(), in.number()));
        }
        return sources;
    }

    private static JournalEntry.Ended ended(Bytes.In in, boolean urgent) {
        int count = in.smallNumber();
        List<Long> ids = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            ids.add(in.number());
        }
        return new JournalEntry.Ended(ids, urgent);
    }
}
