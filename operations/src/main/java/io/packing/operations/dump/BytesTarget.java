// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

import io.packing.bdt.Bdt;
import io.packing.encryption.Keystore;
import io.packing.store.ObjectStore;
import io.packing.worker.api.PackingFileSystem;

/**
 * From where to where bytes are copied.
 *
 * @param source the store with the blobs that the dump names
 * @param keystore that is asked when blobs are encrypted
 * @param mount whose workers take the files
 */
public record BytesTarget(ObjectStore source, Keystore keystore, PackingFileSystem mount) {
    Bdt bdt() {
        return mount.bdt();
    }
}
