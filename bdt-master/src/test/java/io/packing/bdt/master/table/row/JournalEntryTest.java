// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.AttributeChange;
import io.packing.bdt.DirectoryAttributes;
import io.packing.blob.BlobName;
import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class JournalEntryTest {
    private static final FilePath PATH = new FilePath("/a");

    @Test
    void changesOfTheVersionBeforeTimesWereKeptAreRead() {
        // Kind 4, path, bits 1 + 2 + 4, owner, group, mode 0644.
        byte[] old = HexFormat.of().parseHex("04" + "022f61" + "07" + "0175" + "0167" + "a403");
        assertThat(JournalBytes.decode(old))
                .isEqualTo(new JournalEntry.Changed(
                        PATH, 0, new AttributeChange(Optional.of("u"), Optional.of("g"), OptionalInt.of(0644))));
    }

    @Test
    void everyPartOfAChangeIsThereAfterwardsOrIsNot() {
        for (int present = 0; present < 16; present++) {
            JournalEntry.Changed change = new JournalEntry.Changed(
                    PATH,
                    present % 3,
                    new AttributeChange(
                            (present & 1) != 0 ? Optional.of("owner") : Optional.empty(),
                            (present & 2) != 0 ? Optional.of("") : Optional.empty(),
                            (present & 4) != 0 ? OptionalInt.of(07777) : OptionalInt.empty(),
                            (present & 8) != 0 ? OptionalLong.of(Long.MIN_VALUE) : OptionalLong.empty()));
            assertThat(JournalBytes.decode(JournalBytes.encode(change))).isEqualTo(change);
        }
    }

    @Test
    void everyKindOfEntryIsReadAsItWasWritten() {
        DirectoryAttributes attributes = new DirectoryAttributes("u", "g", 0755);
        for (JournalEntry entry : List.of(
                new JournalEntry.Made(PATH, 9, attributes, -1, false, 1),
                new JournalEntry.Made(PATH, 9, attributes, 1, true, 1),
                new JournalEntry.Made(PATH, 9, attributes, 1, false, 3),
                new JournalEntry.Made(PATH, 9, attributes, 1, true, 8),
                new JournalEntry.Deleted(PATH, 9),
                new JournalEntry.Renamed(PATH, FilePath.ROOT, 9, 0),
                new JournalEntry.Renamed(PATH, FilePath.ROOT, 9, 12),
                new JournalEntry.Ended(List.of(3L, 1L << 40), false),
                new JournalEntry.Ended(List.of(), true),
                new JournalEntry.Kept(PATH, 9),
                spliced(),
                repacked(),
                new JournalEntry.LayeredClone(
                        PATH,
                        9,
                        new FileAttributes(1L << 41, -5, "u", "", 0444),
                        ExtraAttributes.NONE,
                        PATH,
                        8,
                        1L << 40),
                new JournalEntry.Rebuilt(new Recovered(1L << 40, 3, 2)),
                new JournalEntry.Remade(new JournalEntry.Made(PATH, 9, attributes, 1, true, 8), 7))) {
            assertThat(JournalBytes.decode(JournalBytes.encode(entry))).isEqualTo(entry);
        }
    }

    private static JournalEntry repacked() {
        ReferenceMap map = ReferenceMap.of(List.of(new ReferenceMap.Reference(0, 4_096, 77, 12)));
        return new JournalEntry.Repacked(
                PATH,
                9,
                new JournalEntry.Source(77, 1L << 40, 5_000),
                new BlobName("compacted", 5_016, 1L << 50),
                List.of(
                        new Extent(0, 4_096, 16, 4_096, Codec.NONE, 5),
                        new Extent(4_096, 904, 4_112, 904, Codec.NONE, -6)),
                List.of(new JournalEntry.Splice(1L << 33, 4_096, map)));
    }

    private static JournalEntry spliced() {
        ReferenceMap map = ReferenceMap.of(
                List.of(new ReferenceMap.Reference(5, 4_096, 77, 12), new ReferenceMap.Reference(4_200, 9, 8, 0)));
        return new JournalEntry.Spliced(
                PATH,
                9,
                1L << 40,
                new FileAttributes(1L << 41, -5, "u", "", 0644),
                ExtraAttributes.NONE,
                List.of(
                        new JournalEntry.Splice(1L << 33, 8_192, map),
                        new JournalEntry.Splice(1L << 40, Long.MAX_VALUE - (1L << 40), ReferenceMap.EMPTY)),
                List.of(new JournalEntry.Source(77, 1L << 40, 5_000), new JournalEntry.Source(8, 3, 9)));
    }

    @Test
    void aChangeOfALaterVersionIsRefusedInsteadOfHalfDone() {
        byte[] later = HexFormat.of().parseHex("04" + "022f61" + "80");
        assertThatThrownBy(() -> JournalBytes.decode(later)).isInstanceOf(Bytes.MalformedException.class);
    }
}
