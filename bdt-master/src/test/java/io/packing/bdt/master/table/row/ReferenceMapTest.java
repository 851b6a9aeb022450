// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.seed.Seed;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReferenceMapTest {
    private static final int SPACE = 200;
    private static final int CONTENTS = 5;

    /** Each byte of a file as the content and offset that it is from; 0 is a hole. */
    private static long[] bytes(ReferenceMap map) {
        long[] bytes = new long[2 * SPACE];
        for (Reference each : map.references()) {
            for (int i = 0; i < each.length(); i++) {
                assertThat(bytes[(int) each.offset() + i]).isZero();
                bytes[(int) each.offset() + i] = each.content() * 10_000 + each.contentOffset() + i;
            }
        }
        return bytes;
    }

    @Test
    void anySequenceOfOperationsGivesTheBytesThatCopyingWouldGive() {
        long seed = Seed.value();
        Random random = new Random(seed);
        long[] model = new long[2 * SPACE];
        ReferenceMap map = ReferenceMap.EMPTY;
        for (int step = 0; step < 20_000; step++) {
            int offset = random.nextInt(SPACE);
            int length = random.nextInt(SPACE / 4);
            switch (random.nextInt(4)) {
                case 0 -> {
                    int content = 1 + random.nextInt(CONTENTS);
                    int from = random.nextInt(SPACE);
                    ReferenceMap source = ReferenceMap.whole(content, 2 * SPACE).slice(from, length);
                    map = map.with(offset, length, source);
                    for (int i = 0; i < length; i++) {
                        model[offset + i] = content * 10_000L + from + i;
                    }
                }
                case 1 -> {
                    map = map.without(offset, length);
                    Arrays.fill(model, offset, offset + length, 0);
                }
                case 2 -> {
                    int from = random.nextInt(SPACE);
                    map = map.with(offset, length, map.slice(from, length));
                    System.arraycopy(model, from, model, offset, length);
                }
                default -> {
                    Bytes.Out out = new Bytes.Out();
                    map.encode(out);
                    map = ReferenceMap.decode(new Bytes.In(out.toBytes()));
                }
            }
            assertThat(bytes(map)).as("seed %d, step %d", seed, step).isEqualTo(model);
        }
    }

    @Test
    void neighboursInFileAndContentAreOneReference() {
        ReferenceMap whole = ReferenceMap.whole(7, 100);
        ReferenceMap pieces = ReferenceMap.EMPTY
                .with(40, 60, whole.slice(40, 60))
                .with(0, 10, whole.slice(0, 10))
                .with(10, 30, whole.slice(10, 30));
        assertThat(pieces).isEqualTo(whole);
        assertThat(pieces.references()).containsExactly(new Reference(0, 100, 7, 0));
    }

    @Test
    void contentsThatAreNotReferencedAnyMoreAreNotNamed() {
        ReferenceMap map = ReferenceMap.whole(7, 100).with(20, 10, ReferenceMap.whole(9, 10));
        assertThat(map.contents()).containsExactly(7L, 9L);
        assertThat(map.without(0, 20).without(30, 70).contents()).containsExactly(9L);
    }

    @Test
    void anEmptyContentHasNoReference() {
        assertThat(ReferenceMap.whole(7, 0).isEmpty()).isTrue();
    }

    @Test
    void rangesThatCannotBeAreRefused() {
        ReferenceMap map = ReferenceMap.whole(7, 100);
        for (long[] bad : new long[][] {{-1, 5}, {5, -1}, {Long.MAX_VALUE, 1}}) {
            assertThatThrownBy(() -> map.slice(bad[0], bad[1])).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> map.without(bad[0], bad[1])).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void everyDamagedFormIsRefusedOrAMap() {
        Bytes.Out out = new Bytes.Out();
        ReferenceMap.of(List.of(new Reference(3, 5, 7, 0), new Reference(1L << 40, 1L << 30, 9, 1L << 50)))
                .encode(out);
        byte[] good = out.toBytes();
        for (int i = 0; i < good.length * 8; i++) {
            byte[] bad = good.clone();
            bad[i / 8] ^= (byte) (1 << i % 8);
            try {
                ReferenceMap map = ReferenceMap.decode(new Bytes.In(bad));
                Bytes.Out again = new Bytes.Out();
                map.encode(again);
                assertThat(ReferenceMap.decode(new Bytes.In(again.toBytes()))).isEqualTo(map);
            } catch (Bytes.MalformedException e) {
                assertThat(e).hasMessageMatching("(?s).+");
            }
        }
        for (int length = 0; length < good.length; length++) {
            byte[] cut = Arrays.copyOf(good, length);
            assertThatThrownBy(() -> ReferenceMap.decode(new Bytes.In(cut)))
                    .isInstanceOf(Bytes.MalformedException.class);
        }
    }
}
