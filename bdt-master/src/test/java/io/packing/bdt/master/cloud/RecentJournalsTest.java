// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.seed.Seed;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

final class RecentJournalsTest {
    private static final int UPLOADS = 20_000;

    @Test
    void manyUploadsLeaveFewJournalsThatTogetherHaveEveryEntryOnce() {
        SplittableRandom random = new SplittableRandom(Seed.value());
        RecentJournals recent = new RecentJournals();
        List<MasterObject> stored = new ArrayList<>();
        long position = 0;
        long written = 0;
        int most = 0;
        for (int i = 0; i < UPLOADS; i++) {
            long own = random.nextInt(10) == 0 ? random.nextInt(1, 500) : 1;
            List<MasterObject> replaced = recent.replacedBy(own);
            long first = replaced.isEmpty() ? position + 1 : replaced.get(0).first();
            position += own;
            // Here each position has an entry.
            MasterObject journal = MasterObject.journal(first, position);
            recent.uploaded(journal, position - first + 1, replaced);
            assertThat(stored).containsAll(replaced);
            stored.removeAll(replaced);
            stored.add(journal);
            written += position - first + 1;
            most = Math.max(most, stored.size());
        }
        long next = 1;
        for (MasterObject journal : stored) {
            assertThat(journal.first()).isEqualTo(next);
            next = journal.last() + 1;
        }
        assertThat(next).isEqualTo(position + 1);
        assertThat(most).isLessThan(40);
        // Each entry goes as often as its journal doubles.
        assertThat(written).isLessThan(25 * position);
    }

    @Test
    void fewUploadsAreLeftAsTheyAre() {
        RecentJournals recent = new RecentJournals();
        for (int i = 1; i <= 16; i++) {
            assertThat(recent.replacedBy(1)).isEmpty();
            recent.uploaded(MasterObject.journal(i, i), 1, List.of());
        }
        assertThat(recent.replacedBy(1)).hasSize(16);
        recent.clear();
        assertThat(recent.replacedBy(1)).isEmpty();
    }
}
