// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.io.IOException;
import java.nio.file.Path;

/** The program that {@link ClassLoadersTest} runs in other class loaders; public, because it is called across them. */
public final class LoadedElsewhere {
    private LoadedElsewhere() {}

    public static String roundTrip(String directory, String engine) throws IOException {
        try (SortedStore store = SortedStores.open(
                Path.of(directory), SortedStoreContract.config(SortedStoreOptions.Engine.valueOf(engine), 0))) {
            store.write(new WriteBatch().put(new byte[] {1}, new byte[] {2}), SortedStore.Sync.NONE);
            return store.get(new byte[] {1}).map(value -> "found " + value[0]).orElse("lost");
        }
    }
}
