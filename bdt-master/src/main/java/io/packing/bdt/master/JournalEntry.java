package io.packing.bdt.master;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.blob.FilePath;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/** A change of the namespace that a recovery must know because no footer tells of it. */
sealed interface JournalEntry {
    /**
     * A directory was made.
     *
     * @param implied by a claim below it: then no upload is made for it alone, since footers imply it as well
     */
    record Made(FilePath path, long id, DirectoryAttributes attributes, long mtimeMillis, boolean implied)
            implements JournalEntry {}

    /** A file or directory was removed, with all below it. */
    record Deleted(FilePath path, long id) implements JournalEntry {}

    /** A file or directory was moved. */
    record Renamed(FilePath from, FilePath to, long id) implements JournalEntry {}

    /** Attributes were changed. */
    record Changed(FilePath path, AttributeChange change) implements JournalEntry {}

    /** Whether this entry is worth an upload of its own. */
    default boolean urgent() {
        return !(this instanceof Made made && made.implied());
    }

    default byte[] encode() {
        Bytes.Out out = new Bytes.Out();
        if (this instanceof Made m) {
            out.byte1(m.implied() ? 5 : 1)
                    .text(m.path().value())
                    .number(m.id())
                    .text(m.attributes().owner())
                    .text(m.attributes().group())
                    .number(m.attributes().mode())
                    .signed(m.mtimeMillis());
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
        }
        return out.toBytes();
    }

    static JournalEntry decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        int kind = in.byte1();
        FilePath path = new FilePath(in.text());
        return switch (kind) {
            case 1, 5 ->
                new Made(
                        path,
                        in.number(),
                        new DirectoryAttributes(in.text(), in.text(), in.smallNumber()),
                        in.signed(),
                        kind == 5);
            case 2 -> new Deleted(path, in.number());
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
}
