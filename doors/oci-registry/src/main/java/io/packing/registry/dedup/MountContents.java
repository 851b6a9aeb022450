// SPDX-License-Identifier: Apache-2.0
package io.packing.registry.dedup;

import io.packing.registry.files.FileBytes;
import io.packing.registry.files.Layout;
import io.packing.registry.files.RegistryFiles;
import java.io.EOFException;
import java.io.IOException;
import java.util.List;

/** Contents that are files of the mount. Thread-safe. */
record MountContents(RegistryFiles files, Layout layout) implements ContentSource {
    @Override
    public void read(List<Wanted> wanted, byte[] into) throws IOException {
        for (Wanted each : wanted) {
            try (FileBytes file = new FileBytes(files.open(layout.file(each.hex())), each.from())) {
                int n = file.readNBytes(into, each.at(), each.count());
                if (n < each.count()) {
                    throw new EOFException(
                            "the content %s ends %d bytes early".formatted(each.hex(), each.count() - n));
                }
            }
        }
    }
}
