// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.common.hash.Hashing;
import io.packing.bdt.FingerprintPage;
import io.packing.bdt.master.table.row.Bytes;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class FingerprintListTest {
    private static final int NUMBER = 17;

    private final NavigableMap<byte[], byte[]> table = new TreeMap<>(Arrays::compareUnsigned);
    private Optional<IOException> broken = Optional.empty();
    private final Rows rows = new Rows() {
        @Override
        public Optional<byte[]> get(byte[] key) {
            return Optional.ofNullable(table.get(key));
        }

        @Override
        public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
            for (Map.Entry<byte[], byte[]> row : table.subMap(from, to).entrySet()) {
                if (!visitor.row(row.getKey(), row.getValue())) {
                    return;
                }
            }
            if (broken.isPresent()) {
                throw broken.get();
            }
        }
    };
    private final FingerprintList list = new FingerprintList(rows, NUMBER, 2);

    /** Writes a row, as a claim does. */
    private void write(int fingerprint) {
        Bytes.Out row = new Bytes.Out().number(1).number(2).number(Integer.toUnsignedLong(fingerprint));
        table.put(Keys.hash(Hashing.sha256().hashInt(fingerprint)), row.toBytes());
        list.add(OptionalInt.of(fingerprint));
    }

    /** Reads from a place to the end. */
    private List<Integer> read(long after) throws IOException {
        List<Integer> all = new ArrayList<>();
        FingerprintPage page;
        long next = after;
        do {
            page = list.page(NUMBER, next);
            assertThat(page.complete()).isTrue();
            all.addAll(page.fingerprints().asList());
            next = page.next();
        } while (page.more());
        return all;
    }

    @Test
    void hasTheRowsAtTheFirstQuestionAndLaterOnesInTheirOrder() throws IOException {
        write(-5);
        write(7);
        assertThat(read(0)).containsExactlyInAnyOrder(-5, 7);
        write(Integer.MIN_VALUE);
        write(0);
        assertThat(read(2)).containsExactly(Integer.MIN_VALUE, 0);
        assertThat(read(4)).isEmpty();
    }

    @Test
    void isReadInPages() throws IOException {
        int count = FingerprintList.PAGE + 10;
        for (int i = 0; i < count; i++) {
            write(i);
        }
        FingerprintPage first = list.page(0, 0);
        assertThat(first.fingerprints().length()).isEqualTo(FingerprintList.PAGE);
        assertThat(first.more()).isTrue();
        assertThat(read(0)).hasSize(count).doesNotHaveDuplicates();
        assertThat(read(FingerprintList.PAGE - 1)).hasSize(11);
    }

    @Test
    void anotherListOrAPlaceOutsideOfItBeginsAnew() throws IOException {
        write(1);
        for (long after : new long[] {0, 1, 2, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(list.page(NUMBER + 1, after).fingerprints().asList()).containsExactly(1);
        }
        for (long after : new long[] {2, -1, Long.MAX_VALUE, Long.MIN_VALUE}) {
            assertThat(list.page(NUMBER, after).fingerprints().asList()).containsExactly(1);
        }
    }

    @Test
    void aRowOfAnOlderVersionMakesItIncompleteForGood() throws IOException {
        write(1);
        table.put(
                Keys.hash(Hashing.sha256().hashInt(2)),
                new Bytes.Out().number(3).number(4).toBytes());
        assertThat(list.page(NUMBER, 0).complete()).isFalse();
        write(3);
        FingerprintPage later = list.page(NUMBER, 0);
        assertThat(later.complete()).isFalse();
        assertThat(later.fingerprints().length()).isZero();
    }

    @Test
    void aClaimOfAnOlderWorkerMakesItIncomplete() throws IOException {
        write(1);
        assertThat(read(0)).containsExactly(1);
        list.add(OptionalInt.empty());
        assertThat(list.page(NUMBER, 1).complete()).isFalse();
    }

    @Test
    void tooManyContentsTakeNoMemory() throws IOException {
        assertThat(read(0)).isEmpty();
        for (int i = 0; i < 2 * FingerprintList.PAGE; i++) {
            list.add(OptionalInt.of(i));
        }
        assertThat(read(0)).hasSize(2 * FingerprintList.PAGE);
        list.add(OptionalInt.of(-1));
        FingerprintPage page = list.page(NUMBER, 0);
        assertThat(page.complete()).isFalse();
        assertThat(page.fingerprints().length()).isZero();
    }

    @Test
    void rowsThatCannotBeReadAreReadAgainAtTheNextQuestion() throws IOException {
        write(1);
        broken = Optional.of(new IOException("planted"));
        assertThatThrownBy(() -> list.page(NUMBER, 0)).isSameAs(broken.get());
        broken = Optional.empty();
        write(2);
        assertThat(read(0)).containsExactlyInAnyOrder(1, 2);
    }
}
