// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.synth;

import io.packing.trace.TraceEvent;
import java.util.List;

/**
 * The old files of each family, with the data that gets read and no compaction reads.
 *
 * <p>A file is a row of slots. Gets read one or two blocks of a slot; the rest is cold. A permutation scatters the
 * slots of a family over its files.
 */
final class LiveFiles {
    /** An old file. {@code stream} is {@link TraceEvent#NONE} until its first read. */
    static final class LiveFile {
        final String path;
        final long size;
        long stream = TraceEvent.NONE;

        LiveFile(String path, long size) {
            this.path = path;
            this.size = size;
        }
    }

    /** A slot of a family, after scattering. */
    record Slot(int family, long index) {}

    private final long slotBytes;
    private final Permutation[] byClass;
    private final Permutation[] byFamily;
    /** [class][family]: the first block of the class that belongs to a later family. */
    private final long[][] bounds;
    /** [class][family]: the family's first slot that belongs to this class. */
    private final long[][] bases;

    private final long[] slotsPerFile;
    private final LiveFile[][] files;

    LiveFiles(Workload workload, List<TraceModel.HeatClass> classes, long[] counts, long seed, HBaseNames names) {
        List<Workload.Family> families = workload.families();
        this.slotBytes =
                (long) workload.requests().slotBlocks() * workload.requests().blockBytes();
        this.byClass = new Permutation[counts.length];
        this.bounds = new long[counts.length][families.size()];
        this.bases = new long[counts.length][families.size()];
        long[] slots = new long[families.size()];
        for (int c = 0; c < counts.length; c++) {
            byClass[c] = new Permutation(counts[c], seed + c);
            double share = 0.0;
            long before = 0L;
            for (int f = 0; f < families.size(); f++) {
                share += classes.get(c).families().get(f);
                bounds[c][f] = f == families.size() - 1 ? counts[c] : Math.round(share * counts[c]);
                bases[c][f] = slots[f];
                slots[f] += bounds[c][f] - before;
                before = bounds[c][f];
            }
        }
        this.byFamily = new Permutation[families.size()];
        this.slotsPerFile = new long[families.size()];
        this.files = new LiveFile[families.size()][];
        for (int f = 0; f < families.size(); f++) {
            byFamily[f] = new Permutation(slots[f], seed ^ (f + 77));
            long count = Math.max(
                    1, Math.round(slots[f] * slotBytes / families.get(f).fileBytes()));
            slotsPerFile[f] = Math.max(1, (slots[f] + count - 1) / count);
            files[f] = new LiveFile[(int) count];
            for (int i = 0; i < count; i++) {
                String store = names.store(i, families.get(f).name());
                long here = Math.max(1, Math.min(slotsPerFile[f], slots[f] - i * slotsPerFile[f]));
                files[f][i] = new LiveFile(HBaseNames.file(store, names.nextFile()), here * slotBytes);
            }
        }
    }

    Slot slot(int heatClass, long block) {
        long scattered = byClass[heatClass].of(block);
        int family = 0;
        while (scattered >= bounds[heatClass][family]) {
            family++;
        }
        long from = family == 0 ? 0 : bounds[heatClass][family - 1];
        return new Slot(family, byFamily[family].of(bases[heatClass][family] + scattered - from));
    }

    LiveFile fileOf(Slot slot) {
        return files[slot.family][(int) (slot.index / slotsPerFile[slot.family])];
    }

    long offsetOf(Slot slot) {
        return slot.index % slotsPerFile[slot.family] * slotBytes;
    }
}
