// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft;

import io.packing.durable.DurableFile;
import io.packing.power.Loss;
import io.packing.power.PowerDisk;
import io.packing.power.PowerStore;
import io.packing.sorted.SortedStore;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/**
 * The disk of a member, with the sorted stores on it, which loses unforced bytes. A store is two files, as an engine's
 * store is several: without the first the store does not exist, and without the second it cannot be opened.
 */
final class VirtualDisk {
    private static final String CURRENT = "CURRENT";
    private static final String ROWS = "ROWS";

    /** An end of power in the middle of an operation on the disk. */
    static final class PowerGoneException extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private PowerDisk disk = new PowerDisk();
    private final Map<String, PowerStore> stores = new HashMap<>();
    private long forcesLeft = Long.MAX_VALUE;

    Path root() {
        return disk.root();
    }

    SortedStore open(Path folder) throws IOException {
        Path current = folder.resolve(CURRENT);
        Path rows = folder.resolve(ROWS);
        if (!Files.exists(current)) {
            String name = "store-%d".formatted(stores.size());
            stores.put(name, new PowerStore());
            DurableFile.write(folder, ROWS, name);
            DurableFile.write(folder, CURRENT, name);
        } else if (!Files.exists(rows)) {
            throw new IOException("%s is damaged: a file is missing".formatted(folder));
        }
        return Optional.ofNullable(stores.get(Files.readString(rows))).orElseThrow();
    }

    /** Plans the end of power before or after the n-th force from now on. */
    void goesAfter(long forces) {
        forcesLeft = forces;
        disk.onForce(all -> {
            if (--forcesLeft <= 0) {
                throw new PowerGoneException();
            }
        });
    }

    /** Loses unforced bytes; the next start finds the rest. */
    void lose(Random random) {
        Loss[] losses = Loss.values();
        Loss loss = losses[random.nextInt(losses.length)];
        disk = disk.afterLoss(loss, random);
        stores.replaceAll((name, store) -> store.afterLoss(loss, random));
        forcesLeft = Long.MAX_VALUE;
    }
}
