// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.ReadableBytes;
import io.packing.bdt.master.table.row.Inode;
import io.packing.bdt.master.table.row.ReferenceMap;
import io.packing.blob.FileAttributes;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class VersionBytesTest {
    private static final FileVersion CONTENT = new FileVersion(7, 3);

    private static VersionBytes ofMap(long length, ReferenceMap.Reference... references) {
        Inode file = new Inode(
                9,
                4,
                new FileAttributes(length, 0, "", "", 0644),
                new Inode.Mapped(ReferenceMap.of(List.of(references))));
        return VersionBytes.of(file, CONTENT);
    }

    @Test
    void whatAMapHasBehindTheEndOfItsFileDoesNotCount() {
        VersionBytes bytes = ofMap(5, new ReferenceMap.Reference(0, 10, 7, 20));
        assertThat(bytes.told(0).ranges()).containsExactly(new ReadableBytes.Range(20, 25));
        assertThat(ofMap(5, new ReferenceMap.Reference(5, 10, 7, 20)).isEmpty()).isTrue();
        assertThat(ofMap(5, new ReferenceMap.Reference(0, 5, 8, 0)).isEmpty()).isTrue();
    }

    @Test
    void moreRangesThanOneAnswerHasAreToldFromWhereTheLastOneEnds() {
        int count = 2 * ReadableBytes.MOST_RANGES + 1;
        List<ReferenceMap.Reference> references = new ArrayList<>();
        List<ReadableBytes.Range> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            references.add(new ReferenceMap.Reference(2L * i, 1, 7, 2L * i));
            all.add(new ReadableBytes.Range(2L * i, 2L * i + 1));
        }
        VersionBytes bytes = ofMap(2L * count, references.toArray(ReferenceMap.Reference[]::new));
        List<ReadableBytes.Range> told = new ArrayList<>();
        for (long from = 0; from < Long.MAX_VALUE; ) {
            ReadableBytes answer = bytes.told(from);
            assertThat(answer.ranges()).hasSizeLessThanOrEqualTo(ReadableBytes.MOST_RANGES);
            told.addAll(answer.ranges());
            from = answer.until();
        }
        assertThat(told).isEqualTo(all);
        assertThat(bytes.areAll(1)).isTrue();
        assertThat(bytes.areAll(2)).isFalse();
        assertThat(bytes.areAll(0)).isTrue();
    }
}
