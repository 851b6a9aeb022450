// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.master.table.TreeStore;
import io.packing.bdt.master.table.row.ReferenceMap.Reference;
import io.packing.seed.Seed;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Rows of maps beside {@link ReferenceMap}, which is their model. */
class MapRowsTest {
    private static final int FILE_BYTES = 4_000;

    private final TreeStore store = new TreeStore();
    private final WriteSet writes = new WriteSet(store);

    private static ReferenceMap some(Random random, int length) {
        List<Reference> references = new ArrayList<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            int offset = random.nextInt(length);
            references.add(new Reference(
                    offset, 1 + random.nextInt(length - offset), 1 + random.nextInt(5), random.nextInt(FILE_BYTES)));
        }
        return ReferenceMap.of(references);
    }

    private static Map<Long, Integer> counts(ReferenceMap map) {
        Map<Long, Integer> counts = new HashMap<>();
        map.references().forEach(each -> counts.merge(each.content(), 1, Integer::sum));
        return counts;
    }

    private static MapChain alone(long layer) {
        return new MapChain(List.of(layer));
    }

    @Test
    void randomSplicesGiveTheRowsAndTheCountsOfTheWholeMap() throws IOException {
        long seed = Seed.value();
        Random random = new Random(seed);
        Map<Long, ReferenceMap> models = new HashMap<>();
        Map<Long, Map<Long, Integer>> counted = new HashMap<>();
        for (int step = 0; step < 3_000; step++) {
            long inode = 1L + random.nextInt(3);
            int offset = random.nextInt(FILE_BYTES);
            int length = 1 + random.nextInt(random.nextInt(10) == 0 ? FILE_BYTES : 100);
            ReferenceMap before = models.getOrDefault(inode, ReferenceMap.EMPTY);
            MapRows.Changed changed;
            if (random.nextInt(20) == 0) {
                changed = MapRows.put(writes, inode, offset, Long.MAX_VALUE - offset, ReferenceMap.EMPTY, false);
                models.put(inode, before.without(offset, Integer.MAX_VALUE));
            } else {
                ReferenceMap replacement = some(random, length);
                changed = MapRows.put(writes, inode, offset, length, replacement, false);
                models.put(inode, before.with(offset, length, replacement));
            }
            Map<Long, Integer> counts = counted.computeIfAbsent(inode, each -> new HashMap<>());
            changed.gone().forEach(each -> counts.merge(each.content(), -1, Integer::sum));
            changed.come().forEach(each -> counts.merge(each.content(), 1, Integer::sum));
            counts.values().removeIf(count -> count == 0);
            String what = "seed %d, step %d".formatted(seed, step);
            ReferenceMap after = models.getOrDefault(inode, ReferenceMap.EMPTY);
            assertThat(alone(inode).slice(writes, 0, Integer.MAX_VALUE))
                    .as(what)
                    .isEqualTo(after);
            assertThat(counts).as(what).isEqualTo(counts(after));
            assertThat(alone(inode).all(writes)).as(what).isEqualTo(after);
            assertThat(changed.more())
                    .as(what)
                    .isEqualTo(after.references().size() - before.references().size());
            if (random.nextInt(10) == 0) {
                store.write(writes.toBatch(), SortedStore.Sync.NONE);
                writes.written();
            }
        }
    }

    @Test
    void aWriteCostsTheSameInAFileOfManyFragments() throws IOException {
        for (int i = 0; i < 10_000; i++) {
            MapRows.Changed unused = MapRows.put(writes, 1, i * 4_096L, 4_096, ReferenceMap.whole(i + 1, 4_096), false);
        }
        store.write(writes.toBatch(), SortedStore.Sync.NONE);
        writes.written();
        for (int i = 1; i < 9_999; i += 1_111) {
            long reads = writes.effort().reads();
            MapRows.Changed changed =
                    MapRows.put(writes, 1, i * 4_096L, 4_096, ReferenceMap.whole(20_000 + i, 4_096), false);
            assertThat(writes.effort().reads() - reads).isLessThanOrEqualTo(5);
            assertThat(writes.size()).isEqualTo(1);
            assertThat(changed.gone()).extracting(Reference::content).containsExactly(i + 1L);
            assertThat(changed.come()).extracting(Reference::content).containsExactly(20_000L + i);
            writes.written();
        }
    }

    /** A file or a frozen state of one. */
    private record Shown(MapChain chain, ReferenceMap model) {
        /** Returns a file that shows the bytes with another layer on top. */
        Shown under(long top) {
            List<Long> layers = new ArrayList<>(List.of(top));
            layers.addAll(chain.layers());
            return new Shown(new MapChain(layers), model);
        }
    }

    @Test
    void chainsOfLayersShowTheMapsOfTheirModels() throws IOException {
        long seed = Seed.value();
        Random random = new Random(seed);
        List<Shown> files = new ArrayList<>(List.of(new Shown(alone(1), ReferenceMap.EMPTY)));
        List<Shown> frozen = new ArrayList<>();
        long layers = 1;
        for (int step = 0; step < 3_000; step++) {
            int which = random.nextInt(files.size());
            Shown file = files.get(which);
            if (random.nextInt(40) == 0 && file.chain().layers().size() < 8) {
                frozen.add(file);
                files.set(which, file.under(++layers));
                Shown clone = frozen.get(random.nextInt(frozen.size())).under(++layers);
                if (files.size() < 6) {
                    files.add(clone);
                } else {
                    files.set(random.nextInt(files.size()), clone);
                }
            } else {
                files.set(which, changed(random, file));
            }
            String what = "seed %d, step %d".formatted(seed, step);
            check(random, files.get(random.nextInt(files.size())), what);
            check(random, frozen.isEmpty() ? files.get(0) : frozen.get(random.nextInt(frozen.size())), what);
        }
        assertThat(frozen).hasSizeGreaterThan(20);
    }

    private Shown changed(Random random, Shown file) throws IOException {
        long top = file.chain().layers().get(0);
        boolean covers = file.chain().layers().size() > 1;
        int offset = random.nextInt(FILE_BYTES);
        boolean isCut = random.nextInt(20) == 0;
        long length = isCut ? Long.MAX_VALUE - offset : 1L + random.nextInt(random.nextInt(10) == 0 ? FILE_BYTES : 100);
        ReferenceMap replacement = isCut ? ReferenceMap.EMPTY : some(random, (int) length);
        MapRows.Changed changed = MapRows.put(writes, top, offset, length, replacement, covers);
        for (Reference each : changed.gone()) {
            writes.delete(Keys.partReferrer(each.content(), top, each.end()));
        }
        for (Reference each : changed.come()) {
            byte[] part = new Referrer.Part(each.contentOffset(), each.length()).encode();
            writes.put(Keys.partReferrer(each.content(), top, each.end()), part);
        }
        return new Shown(file.chain(), file.model().with(offset, length, replacement));
    }

    private void check(Random random, Shown shown, String what) throws IOException {
        assertThat(shown.chain().all(writes)).as(what).isEqualTo(shown.model());
        int offset = random.nextInt(FILE_BYTES);
        int length = random.nextInt(FILE_BYTES);
        assertThat(shown.chain().slice(writes, offset, length))
                .as(what)
                .isEqualTo(shown.model().slice(offset, length));
        long content = 1L + random.nextInt(5);
        ReferenceMap of = ReferenceMap.of(shown.chain().of(writes, content));
        List<Reference> model = shown.model().references().stream()
                .filter(each -> each.content() == content)
                .toList();
        assertThat(of).as(what).isEqualTo(ReferenceMap.of(model));
    }
}
