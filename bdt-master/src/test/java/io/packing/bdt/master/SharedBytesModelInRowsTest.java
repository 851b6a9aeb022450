// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.row.Keys;
import java.io.IOException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;

/** The comparison with a model that copies bytes, of a table with nearly all maps in rows. */
@Tag("hunt")
class SharedBytesModelInRowsTest extends SharedBytesModelTest {
    private static long steps;
    private static long stepsWithRows;

    SharedBytesModelInRowsTest() {
        stores.maps = TestStores.ROWS;
    }

    @Override
    void stepped() throws IOException {
        steps++;
        stepsWithRows += rowsOf(Keys.MAP) > 0 ? 1 : 0;
    }

    @AfterAll
    static void mapsWereInRows() {
        assertThat(stepsWithRows).isGreaterThan(steps / 4);
    }
}
