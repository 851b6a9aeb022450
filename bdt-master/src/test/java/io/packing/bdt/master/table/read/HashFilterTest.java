// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import io.packing.bdt.master.table.row.Keys;
import io.packing.bdt.master.table.row.Rows;
import java.io.IOException;
import java.util.Arrays;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class HashFilterTest {
    private static final int LEAST = 16;
    private static final int MANY = 2_000;

    private final NavigableMap<byte[], byte[]> table = new TreeMap<>(Arrays::compareUnsigned);
    private final HashFilter filter = new HashFilter(
            new Rows() {
                @Override
                public Optional<byte[]> get(byte[] key) {
                    return Optional.ofNullable(table.get(key));
                }

                @Override
                public void scan(byte[] from, byte[] to, Visitor visitor) throws IOException {
                    for (byte[] key : table.subMap(from, to).keySet()) {
                        if (!visitor.row(key, new byte[0])) {
                            return;
                        }
                    }
                }
            },
            LEAST);

    private static HashCode hash(int number) {
        return Hashing.sha256().hashInt(number);
    }

    private void write(int number) {
        table.put(Keys.hash(hash(number)), new byte[0]);
        filter.add(hash(number));
    }

    @Test
    void knowsEveryRowHoweverManyComeAndFewThatAreNotThere() throws IOException {
        for (int i = 0; i < LEAST; i++) {
            write(i);
        }
        for (int i = LEAST; i < MANY; i++) {
            assertThat(filter.mayHave(hash(i / 2))).as("row %d of %d", i / 2, i).isTrue();
            write(i);
            assertThat(filter.mayHave(hash(i))).as("row %d, the newest", i).isTrue();
        }
        int wrong = 0;
        for (int i = MANY; i < 2 * MANY; i++) {
            wrong += filter.mayHave(hash(i)) ? 1 : 0;
        }
        // One in a hundred is the aim; a filter that is full says yes to everything.
        assertThat(wrong).isLessThan(MANY / 10);
    }
}
