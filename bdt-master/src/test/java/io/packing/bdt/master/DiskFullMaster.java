// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import io.packing.sorted.SortedStoreOptions;
import java.io.IOException;
import java.nio.file.Path;

/** A master in a process of its own, for tests that may end it. Prints its port. */
final class DiskFullMaster {
    private DiskFullMaster() {}

    /** Arguments: the data directory, the directory of the stores, the engine, the bytes to keep free. */
    public static void main(String[] args) throws IOException, InterruptedException {
        BdtMasterOptions config = new BdtMasterOptions(
                        Path.of(args[0]),
                        "127.0.0.1",
                        0,
                        0,
                        SortedStoreOptions.Engine.valueOf(args[2]),
                        8 << 20,
                        Long.parseLong(args[3]))
                .allowing(AllowedStores.parse("file://" + args[1]));
        try (BdtMaster master = BdtMaster.start(config).serve()) {
            System.out.printf("%d %d%n", master.port(), master.metricsPort());
            master.awaitTermination();
        }
    }
}
