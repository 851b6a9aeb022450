// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

/** Tests of footers of version 3 that break a rule of the format, and whose writer had the key. */
class EncryptedFooterTest {
    private static final int KEY = 200;
    private static final int BODY = 1_000;

    /** Returns a footer of one file with one extent. */
    private static byte[] footer(int version, int key, int dictionary, int length, int codec, int stored) {
        FooterOutput out = new FooterOutput(64);
        if (version > 2) {
            out.varint(key);
        }
        out.varint(dictionary);
        out.varint(1);
        out.varint(0);
        out.varint(0);
        out.varint(2);
        out.raw(new byte[] {'/', 'f'}, 0, 2);
        out.signed(1);
        out.signed(0);
        out.varint(length);
        out.signed(0);
        out.varint(0);
        out.varint(0);
        out.varint(0644);
        out.varint(1);
        out.varint(0);
        out.varint(length);
        out.signed(0);
        out.octet(codec);
        if (codec != 0) {
            out.varint(stored);
        }
        out.fixed32(0);
        return out.toByteArray();
    }

    private static BodyMap check(int version, byte[] footer) throws CorruptBlobException {
        BlobTrailer trailer =
                new BlobTrailer(version, BlobHeader.SIZE + KEY + BODY, footer.length, footer.length, 1, 0, 0);
        return Footer.check("blob", trailer, footer);
    }

    private static void refused(int version, byte[] footer, String why) {
        assertThatThrownBy(() -> check(version, footer))
                .isInstanceOf(CorruptBlobException.class)
                .hasMessageContaining(why);
    }

    @Test
    void anExtentOfEachCodecIsTakenWithItsTag() throws CorruptBlobException {
        assertThat(check(3, footer(3, KEY, 0, 100, 4, 116)).bodyStart()).isEqualTo(BlobHeader.SIZE + KEY);
        assertThat(check(3, footer(3, KEY, 0, 100, 5, 17)).coveredBytes()).isEqualTo(17);
        assertThat(check(3, footer(3, KEY, 0, 100, 6, 50)).size()).isEqualTo(1);
        assertThat(check(3, footer(3, KEY, 36, 100, 7, 50)).bodyStart()).isEqualTo(BlobHeader.SIZE + KEY + 36);
    }

    @Test
    void lengthsThatCannotBeAreRefused() {
        refused(3, footer(3, KEY, 0, 100, 4, 100), "outside the body");
        refused(3, footer(3, KEY, 0, 100, 4, 117), "outside the body");
        refused(3, footer(3, KEY, 0, 100, 5, 16), "outside the body");
        refused(3, footer(3, KEY, 0, 100, 5, BODY + 1), "outside the body");
        refused(3, footer(3, KEY, 0, 100, 5, Extent.MAX_STORED + 1), "stored length");
        refused(3, footer(3, BlobKey.LEAST_SECTION - 1, 0, 100, 4, 116), "key section");
        refused(3, footer(3, BlobKey.MAX_SECTION + 1, 0, 100, 4, 116), "key section");
        refused(3, footer(3, KEY + BODY + 1, 0, 100, 4, 116), "key section");
        refused(3, footer(3, KEY, 19, 100, 4, 116), "dictionary");
        refused(3, footer(3, KEY, BODY + 1, 100, 4, 116), "dictionary");
        refused(3, footer(3, KEY, Dictionary.MAX_SECTION + 17, 100, 4, 116), "dictionary");
    }

    @Test
    void plainAndEncryptedExtentsAreNotInOneBlob() {
        refused(3, footer(3, KEY, 0, 100, 0, 0), "unknown codec 0");
        refused(3, footer(3, KEY, 0, 100, 2, 50), "unknown codec 2");
        refused(2, footer(2, KEY, 0, 100, 4, 116), "unknown codec 4");
        refused(2, footer(2, KEY, 36, 100, 7, 50), "unknown codec 7");
        refused(3, footer(3, KEY, 0, 100, 8, 50), "unknown codec 8");
        refused(3, footer(3, KEY, 0, 100, 7, 50), "needs a dictionary");
    }
}
