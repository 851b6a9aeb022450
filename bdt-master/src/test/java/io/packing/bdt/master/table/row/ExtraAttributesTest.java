// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.ExtendedChange;
import io.packing.bdt.ExtendedValue;
import io.packing.bdt.Outcome;
import io.packing.bdt.RareAttributeChange;
import io.packing.bdt.RareAttributes;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ExtrasTest {
    private static final FileAttributes ATTRIBUTES = new FileAttributes(3, 1, "u", "g", 0644);
    private static final FilePath PATH = new FilePath("/a");
    private static final Inode.Place EMPTY = new Inode.Mapped(ReferenceMap.EMPTY);
    private static final ExtraAttributes ALL = new ExtraAttributes(
            new TreeMap<>(Map.of("user.a", value(1, 2))), 5, Optional.of(Instant.ofEpochSecond(0, 7_000_009)));

    private static ExtendedValue value(int... bytes) {
        byte[] value = new byte[bytes.length];
        for (int i = 0; i < bytes.length; i++) {
            value[i] = (byte) bytes[i];
        }
        return new ExtendedValue(value);
    }

    @Test
    void aRowWithoutExtrasHasTheBytesThatItAlwaysHad() {
        // Version 1 and kind 4, id, generation, length, mtime, owner, group, mode, no references.
        assertThat(HexFormat.of().formatHex(new Inode(9, 8, ATTRIBUTES, EMPTY).encode()))
                .startsWith("14" + "09" + "08" + "03" + "02" + "0175" + "0167" + "a403");
    }

    @Test
    void aRowWithExtrasIsGolden() {
        Inode inode = new Inode(9, 8, ATTRIBUTES, EMPTY, ALL);
        String extras = "07" + "01" + "06757365722e61" + "020102" + "05" + "0e" + "09";
        String row = HexFormat.of().formatHex(inode.encode());
        // Kind 4 with bit 8, and after the mode the length of the extras.
        assertThat(row).startsWith("1c" + "09" + "08" + "03" + "02" + "0175" + "0167" + "a403" + "0f" + extras);
        assertThat(Inode.decode(HexFormat.of().parseHex(row))).isEqualTo(inode);
    }

    @Test
    void aFileWithSeveralNamesAndItsNamesAreGolden() {
        Inode file = new Inode(9, 8, ATTRIBUTES, EMPTY, ExtraAttributes.NONE.withLinks(2));
        assertThat(HexFormat.of().formatHex(file.encode()))
                .startsWith("1c" + "09" + "08" + "03" + "02" + "0175" + "0167" + "a403" + "02" + "0802");
        Inode name = new Inode(7, 8, new FileAttributes(0, 0, "", "", 0), new Inode.Linked(9));
        String row = HexFormat.of().formatHex(name.encode());
        assertThat(row).isEqualTo("17" + "07" + "08" + "00" + "00" + "00" + "00" + "00" + "09");
        assertThat(Inode.decode(HexFormat.of().parseHex(row))).isEqualTo(name);
    }

    @Test
    void everyPartOfExtrasIsThereAfterwardsOrIsNot() {
        for (int present = 0; present < 16; present++) {
            ExtraAttributes extras = new ExtraAttributes(
                    (present & 1) != 0 ? ALL.extended() : new TreeMap<>(),
                    (present & 2) != 0 ? RareAttributes.NANOS - 1 : 0,
                    (present & 4) != 0 ? Optional.of(Instant.ofEpochSecond(-5, 1)) : Optional.empty(),
                    (present & 8) != 0 ? 300 : 0);
            Inode directory = new Inode(9, 8, ATTRIBUTES, new Inode.Directory(), extras);
            assertThat(Inode.decode(directory.encode())).isEqualTo(directory);
        }
    }

    @Test
    void extrasOfALaterVersionAreRefused() {
        assertThatThrownBy(() -> ExtraAttributes.decode(new byte[] {16})).isInstanceOf(Bytes.MalformedException.class);
    }

    @Test
    void entriesOfTheJournalWithExtrasAreReadAsTheyWereWritten() {
        RareAttributeChange change = new RareAttributeChange(
                List.of(
                        ExtendedChange.CLEAR,
                        ExtendedChange.put("user.a", value(1)),
                        ExtendedChange.of(ExtendedChange.Kind.DROP, "user.b")),
                4,
                Optional.of(Instant.ofEpochMilli(3)));
        for (JournalEntry entry : List.of(
                new JournalEntry.Changed(PATH, 0, AttributeChange.NONE.with(change)),
                new JournalEntry.Changed(PATH, 7, AttributeChange.ofMtime(-1).with(change)),
                new JournalEntry.Mapped(PATH, 9, ATTRIBUTES, ALL, ReferenceMap.EMPTY, List.of()),
                new JournalEntry.Mapped(PATH, 9, ATTRIBUTES, ExtraAttributes.NONE, ReferenceMap.EMPTY, List.of()),
                new JournalEntry.Linked(PATH, new FilePath("/b"), 5, 6, 9, 8, ATTRIBUTES, ALL),
                new JournalEntry.Held(1, "a", 2, 9, 8, ATTRIBUTES, ALL, ReferenceMap.EMPTY, List.of()))) {
            assertThat(JournalBytes.decode(JournalBytes.encode(entry))).isEqualTo(entry);
        }
    }

    @Test
    void aChangeOfExtendedAttributesInTheJournalIsGolden() {
        AttributeChange change = new AttributeChange(Optional.empty(), Optional.empty(), OptionalInt.empty())
                .with(RareAttributeChange.of(ExtendedChange.put("user.a", value(1, 2))));
        assertThat(HexFormat.of().formatHex(JournalBytes.encode(new JournalEntry.Changed(PATH, 0, change))))
                .isEqualTo("04" + "022f61" + "10" + "01" + "00" + "06757365722e61" + "020102");
        assertThat(HexFormat.of().formatHex(JournalBytes.encode(new JournalEntry.Changed(PATH, 9, change))))
                .isEqualTo("19" + "022f61" + "09" + "10" + "01" + "00" + "06757365722e61" + "020102");
    }

    @Test
    void whatDependsOnWhatIsThereIsSaidBeforeAnythingChanges() {
        ExtraAttributes has = ExtraAttributes.NONE.with(
                RareAttributeChange.of(ExtendedChange.put("user.a", value(1))), OptionalLong.empty());
        assertThat(has.problem(List.of(new ExtendedChange(ExtendedChange.Kind.CREATE, "user.a", value(2)))))
                .isEqualTo(Outcome.EXISTS);
        assertThat(has.problem(List.of(new ExtendedChange(ExtendedChange.Kind.REPLACE, "user.b", value(2)))))
                .isEqualTo(Outcome.NO_ATTRIBUTE);
        assertThat(has.problem(List.of(ExtendedChange.of(ExtendedChange.Kind.REMOVE, "user.b"))))
                .isEqualTo(Outcome.NO_ATTRIBUTE);
        assertThat(has.problem(List.of(
                        ExtendedChange.of(ExtendedChange.Kind.REMOVE, "user.a"),
                        new ExtendedChange(ExtendedChange.Kind.CREATE, "user.a", value(2)))))
                .isEqualTo(Outcome.DONE);
    }

    @Test
    void allOfAFileTogetherHaveALimit() {
        List<ExtendedChange> steps = new ArrayList<>();
        ExtendedValue large = new ExtendedValue(new byte[ExtendedValue.MOST_BYTES - 10]);
        steps.add(ExtendedChange.put("user.a", large));
        steps.add(ExtendedChange.put("user.b", large));
        assertThat(ExtraAttributes.NONE.problem(steps)).isEqualTo(Outcome.DONE);
        steps.add(ExtendedChange.put("user.c", value(1, 2, 3)));
        assertThat(ExtraAttributes.NONE.problem(steps)).isEqualTo(Outcome.NO_ROOM);
    }

    @Test
    void namesAndValuesThatAreTooLongAreRefused() {
        assertThatThrownBy(() -> ExtendedChange.put("user." + "ü".repeat(126), value()))
                .hasMessageContaining("255 bytes");
        assertThatThrownBy(() -> ExtendedChange.put("user.a", new ExtendedValue(new byte[(64 << 10) + 1])))
                .hasMessageContaining("65536 bytes");
        assertThatThrownBy(() -> ExtendedChange.put("", value())).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aHashTellsSetsApart() {
        SortedMap<String, ExtendedValue> one = new TreeMap<>(Map.of("user.a", value(1)));
        long hash = new ExtraAttributes(one, 0, Optional.empty()).told().extended();
        assertThat(hash).isNotZero();
        assertThat(new ExtraAttributes(one, 9, Optional.empty()).told().extended())
                .isEqualTo(hash);
        one.put("user.a", value(2));
        assertThat(new ExtraAttributes(one, 0, Optional.empty()).told().extended())
                .isNotEqualTo(hash);
        assertThat(ExtraAttributes.NONE.told()).isSameAs(RareAttributes.NONE);
    }

    @Test
    void whoSetsTheOneTimeAndDoesNotKnowTheOtherMeansBoth() {
        Instant later = Instant.ofEpochMilli(77);
        ExtraAttributes set = ExtraAttributes.NONE.with(
                new RareAttributeChange(List.of(), 5, Optional.of(later)), OptionalLong.of(3));
        assertThat(set.told()).isEqualTo(new RareAttributes(0, 5, Optional.of(later)));
        assertThat(set.with(RareAttributeChange.NONE, OptionalLong.of(4)).isNone())
                .isTrue();
        assertThat(set.with(RareAttributeChange.NONE, OptionalLong.empty())).isEqualTo(set);
        Instant same = RareAttributes.time(3, 5);
        assertThat(ExtraAttributes.NONE
                        .with(new RareAttributeChange(List.of(), 5, Optional.of(same)), OptionalLong.of(3))
                        .changed())
                .isEmpty();
        assertThat(Arrays.asList(set.withoutTimes().isNone(), ALL.withoutTimes().isNone()))
                .containsExactly(true, false);
    }
}
