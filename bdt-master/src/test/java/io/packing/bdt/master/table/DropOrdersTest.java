// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.change.DroppedFiles;
import io.packing.blob.FileVersion;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Orders to drop files that a worker may miss. */
class DropOrdersTest {
    private static final int MOST = 6;

    private final DropOrders orders = new DropOrders(MOST);

    private void add(long... ids) {
        for (long id : ids) {
            assertThat(orders.add(new DroppedFiles.Order("w", new FileVersion(id, 1), false)))
                    .isTrue();
        }
    }

    private List<Long> ids(OptionalLong followed, int count, long last) {
        DropOrders.Numbered next = orders.next(followed, count);
        assertThat(next.last()).isEqualTo(last);
        return next.orders().stream().map(DroppedFiles.Order::fileId).toList();
    }

    private List<Long> ids(long followed, long last) {
        return ids(OptionalLong.of(followed), 10, last);
    }

    @Test
    void ordersAreRepeatedUntilTheWorkerHasFollowedThem() {
        add(11, 12);
        assertThat(ids(0, 2)).containsExactly(11L, 12L);
        add(13);
        assertThat(ids(0, 3)).as("the first reply was lost").containsExactly(11L, 12L, 13L);
        assertThat(ids(2, 3)).containsExactly(13L);
        assertThat(ids(3, 3)).isEmpty();
        add(14);
        assertThat(ids(2, 4)).as("an older report comes late").containsExactly(14L);
    }

    @Test
    void aReplyHasTheFirstOfManyOrders() {
        add(1, 2, 3, 4, 5);
        assertThat(ids(OptionalLong.of(0), 2, 2)).containsExactly(1L, 2L);
        assertThat(ids(OptionalLong.of(2), 2, 4)).containsExactly(3L, 4L);
        assertThat(ids(OptionalLong.of(4), 2, 5)).containsExactly(5L);
    }

    @Test
    void aWorkerThatDoesNotSayWhatItFollowedGetsEachOrderOnce() {
        add(1, 2, 3);
        assertThat(ids(OptionalLong.empty(), 2, 2)).containsExactly(1L, 2L);
        assertThat(ids(OptionalLong.empty(), 2, 3)).containsExactly(3L);
        assertThat(ids(OptionalLong.empty(), 2, 3)).isEmpty();
    }

    @Test
    void aNumberThatWasNeverGivenEndsNoLaterOrder() {
        add(1, 2);
        assertThat(ids(1_000, 2)).isEmpty();
        add(3);
        assertThat(ids(2, 3)).containsExactly(3L);
    }

    @Test
    void noOrderFollowsOneThatIsMissing() {
        LongStream.rangeClosed(1, MOST).forEach(this::add);
        assertThat(orders.haveOverflowed()).isFalse();
        assertThat(orders.add(new DroppedFiles.Order("w", new FileVersion(7, 1), false)))
                .isFalse();
        assertThat(ids(MOST, MOST)).isEmpty();
        assertThat(orders.add(new DroppedFiles.Order("w", new FileVersion(8, 1), false)))
                .isFalse();
        assertThat(ids(MOST, MOST)).isEmpty();
        assertThat(orders.haveOverflowed()).isTrue();
    }
}
