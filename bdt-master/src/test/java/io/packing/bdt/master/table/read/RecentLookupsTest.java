// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.read;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FileStatus;
import io.packing.bdt.FoundEntry;
import io.packing.bdt.ListedEntry;
import io.packing.bdt.LocatedFile;
import io.packing.bdt.Placement;
import io.packing.blob.FileAttributes;
import io.packing.blob.FilePath;
import io.packing.blob.FileVersion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The order of look-ups that a master remembers. */
final class RecentLookupsTest {
    private static final int MOST = 8;

    private final RecentLookups lookups = new RecentLookups();

    private static FileStatus status(long id, FileStatus.State state) {
        FileAttributes attributes = new FileAttributes(8, 0, "u", "g", 0644);
        return new FileStatus(new FilePath("/f" + id), new FileVersion(id, id), attributes, state);
    }

    private static LocatedFile packed(long id) {
        return new LocatedFile(status(id, FileStatus.State.PACKED), new Placement.Packed(List.of()));
    }

    private void locate(long... ids) {
        for (long id : ids) {
            LocatedFile file = packed(id);
            assertThat(lookups.located(Optional.of(file))).contains(file);
        }
    }

    private List<Long> order(Long... ids) {
        Map<Long, Long> latest = lookups.latest(Set.of(ids));
        List<Long> order = new ArrayList<>(latest.keySet());
        order.sort(Comparator.comparing(latest::get));
        return order;
    }

    @Test
    void nothingIsKeptBeforeItIsAskedFor() {
        locate(1, 2);
        assertThat(order(1L, 2L)).isEmpty();
    }

    @Test
    void theLastLookUpOfAFileCounts() {
        lookups.keep(MOST);
        locate(3, 1, 2, 3);
        assertThat(lookups.located(Optional.empty())).isEmpty();
        assertThat(order(1L, 2L, 3L, 4L)).containsExactly(1L, 2L, 3L);
        assertThat(order(2L)).containsExactly(2L);
    }

    @Test
    void earlierLookUpsAreForgotten() {
        lookups.keep(MOST);
        LongStream.rangeClosed(1, 3 * MOST + 1).forEach(this::locate);
        assertThat(order(1L, 2L * MOST + 1, 2L * MOST + 2, 3L * MOST + 1))
                .containsExactly(2L * MOST + 2, 3L * MOST + 1);
    }

    @Test
    void aFileInPartsCountsForEachContentAndAnEntryWithoutBytesForNothing() {
        lookups.keep(MOST);
        Placement parts = new Placement.Mapped(
                List.of(new Placement.Piece(0, 4, packed(7), 0), new Placement.Piece(4, 4, packed(5), 0)));
        List<FoundEntry> answers = List.of(
                FoundEntry.NOTHING,
                FoundEntry.of(new ListedEntry(status(9, FileStatus.State.DIRECTORY), Optional.empty())),
                FoundEntry.of(new ListedEntry(status(8, FileStatus.State.PACKED), Optional.of(parts))));
        assertThat(lookups.found(answers)).isSameAs(answers);
        assertThat(order(5L, 7L, 8L, 9L)).containsExactly(7L, 5L);
    }

    @Test
    void noLookUpOfManyThreadsIsMissing() throws InterruptedException {
        lookups.keep();
        CountDownLatch start = new CountDownLatch(1);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            long first = 1 + i * 10_000L;
            Thread thread = new Thread(() -> {
                try {
                    start.await();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                LongStream.range(first, first + 10_000).forEach(this::locate);
            });
            thread.start();
            threads.add(thread);
        }
        start.countDown();
        for (Thread each : threads) {
            each.join();
        }
        Set<Long> all = LongStream.rangeClosed(1, 40_000).boxed().collect(Collectors.toSet());
        assertThat(lookups.latest(all)).containsOnlyKeys(all);
    }
}
