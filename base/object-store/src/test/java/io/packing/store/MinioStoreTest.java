// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

import io.packing.storeservers.ServerKind;

class MinioStoreTest extends RealServerContract {
    MinioStoreTest() {
        super(ServerKind.MINIO);
    }

    /** Returns false: MinIO locks the key of a conditional PUT. Questions wait for its end, and fail with 503 after 30 s. */
    @Override
    protected boolean tellsOfKeysInAPut() {
        return false;
    }
}
