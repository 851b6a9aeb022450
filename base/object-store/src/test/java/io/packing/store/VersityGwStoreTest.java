package io.packing.store;

import io.packing.storeservers.ServerKind;

class VersityGwStoreTest extends RealServerContract {
    VersityGwStoreTest() {
        super(ServerKind.VERSITYGW);
    }
}
