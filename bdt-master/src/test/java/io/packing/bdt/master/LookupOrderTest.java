// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;

import io.packing.bdt.FoundEntry;
import io.packing.bdt.Placement;
import io.packing.bdt.master.cloud.MountKeys;
import io.packing.blob.FilePath;
import io.packing.blob.ZstdEncoder;
import io.packing.encryption.Keystore;
import io.packing.seed.Seed;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Files in a compacted blob in the order in which clients looked them up. */
class LookupOrderTest extends CompactionFixture {
    private final Random random = Seed.random();

    @Override
    Map<String, String> mountOptions() {
        Map<String, String> options = new HashMap<>(TestStores.MOUNT);
        options.put("packing.gc.compact.order", "lookups");
        return options;
    }

    @Override
    byte[] content(FilePath path) {
        byte[] bytes = new byte[100];
        random.nextBytes(bytes);
        return bytes;
    }

    private void blobs() throws IOException {
        for (String directory : List.of("a", "b", "c", "d")) {
            try (ZstdEncoder encoder = new ZstdEncoder(Optional.empty())) {
                blob(directory, encoder, Optional.empty());
            }
        }
    }

    /** Returns the live files in the order of the compacted blob. */
    private List<FilePath> stored() throws IOException {
        Map<FilePath, Long> offsets = new HashMap<>();
        for (String directory : List.of("a", "b", "c", "d")) {
            for (int i = 0; i < 3; i++) {
                FilePath path = new FilePath("/%s/f%02d".formatted(directory, i));
                Placement.Packed packed = (Placement.Packed) table.find(List.of(path))
                        .get(0)
                        .entry()
                        .orElseThrow()
                        .placement()
                        .orElseThrow();
                offsets.put(path, packed.extents().get(0).extent().blobOffset());
            }
        }
        List<FilePath> paths = new ArrayList<>(offsets.keySet());
        paths.sort(Comparator.comparing(offsets::get));
        return paths;
    }

    @Test
    void filesLieAsTheyWereLookedUpLastAndTheOthersByDirectoryBehindThem() throws IOException {
        blobs();
        List<FilePath> all = new ArrayList<>(stored());
        all.sort(Comparator.naturalOrder());
        crashMaster();
        List<FilePath> read = new ArrayList<>(all);
        Collections.shuffle(read, random);
        read = read.subList(0, 5);
        // An earlier look-up in another order counts no more.
        List<FoundEntry> unused = table.find(all.subList(0, 2));
        for (FilePath each : read.subList(0, 2)) {
            assertThat(table.locate(each)).isPresent();
        }
        assertThat(table.find(read.subList(2, 5))).hasSize(3);
        compact(MountKeys.none());
        List<FilePath> expected = new ArrayList<>(all.subList(0, 2));
        expected.removeAll(read);
        expected.addAll(read);
        all.removeAll(expected);
        expected.addAll(all);
        assertThat(stored()).isEqualTo(expected);
        everyFileReadsAsItWas(Keystore.NONE);
    }

    @Test
    void withoutLookUpsFilesLieByDirectory() throws IOException {
        blobs();
        List<FilePath> expected = new ArrayList<>(stored());
        expected.sort(Comparator.naturalOrder());
        crashMaster();
        compact(MountKeys.none());
        assertThat(stored()).isEqualTo(expected);
    }
}
