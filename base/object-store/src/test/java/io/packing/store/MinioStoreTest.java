// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.storeservers.ServerKind;

class MinioStoreTest extends RealServerContract {
    MinioStoreTest() {
        super(ServerKind.MINIO);
    }
}
