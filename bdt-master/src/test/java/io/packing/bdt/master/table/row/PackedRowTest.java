// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.blob.Codec;
import io.packing.blob.Extent;
import io.packing.blob.FileAttributes;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

class PackedRowTest {
    @Test
    void extentsOfEveryCodecAreReadAsTheyWereWritten() {
        List<Inode.StoredExtent> extents = new ArrayList<>();
        long at = 0;
        for (Codec codec : Codec.values()) {
            int tag = codec.isEncrypted() ? Extent.MAX_STORED - Extent.MAX_LENGTH : 0;
            for (int encoded : new int[] {1, 100, Extent.MAX_LENGTH}) {
                int length = codec.plain() == Codec.NONE ? encoded : Extent.MAX_LENGTH;
                Extent extent = new Extent(at, length, at + 16, encoded + tag, codec, -7);
                extents.add(new Inode.StoredExtent(at + 1, extent));
                at += length;
            }
        }
        assertThat(Inode.Packed.of(extents).extents()).isEqualTo(extents);
    }

    @Test
    void rowsOfTheVersionBeforeZstandardAreRead() {
        // Two extents of blob 3: as it is, ten bytes at 16; by DEFLATE, ten bytes at 26 in five.
        byte[] old = HexFormat.of().parseHex("02" + "06000a10" + "00000001" + "07000a1a" + "00000002" + "05");
        Inode.Place place = Inode.place(2, new Bytes.In(old));
        assertThat(((Inode.Packed) place).extents())
                .containsExactly(
                        new Inode.StoredExtent(3, new Extent(0, 10, 16, 10, Codec.NONE, 1)),
                        new Inode.StoredExtent(3, new Extent(10, 10, 26, 5, Codec.DEFLATE, 2)));
    }

    @Test
    void anUnknownCodecInARowIsNamed() {
        // Codec 9 is 8 above the 23 bits of the stored length.
        Bytes.Out row = new Bytes.Out()
                .number(1)
                .number(1)
                .number(0)
                .number(10)
                .number(16)
                .fixed4(0);
        row.number(8L << 23 | 5);
        Inode.Place place = Inode.place(2, new Bytes.In(row.toBytes()));
        assertThatThrownBy(((Inode.Packed) place)::extents)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("unknown codec 9");
    }

    @Test
    void aRowOfAFragmentedFileIsReadAsItWasWrittenAndOneOfALaterVersionIsRefused() {
        Inode file =
                new Inode(7, 1L << 40, new FileAttributes(1L << 30, 5, "u", "g", 0644), new Inode.Fragmented(262_144));
        byte[] row = file.encode();
        // Version 3, kind 4: a master that knows version 1 only refuses it.
        assertThat(row[0]).isEqualTo((byte) 0x34);
        assertThat(Inode.decode(row)).isEqualTo(file);
        Inode layered = file.at(new Inode.Fragmented(262_150, MapLayer.FIRST_ID + 3, 262_144));
        assertThat(layered.encode()[0]).isEqualTo((byte) 0x44);
        assertThat(Inode.decode(layered.encode())).isEqualTo(layered);
        row[0] = 0x54;
        assertThatThrownBy(() -> Inode.decode(row))
                .isInstanceOf(Bytes.MalformedException.class)
                .hasMessageContaining("update this master");
    }
}
