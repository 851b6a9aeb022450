// SPDX-License-Identifier: Apache-2.0
package io.packing.store;

class InMemoryObjectStoreTest extends ObjectStoreContract {
    @Override
    protected ObjectStore open() {
        return new InMemoryObjectStore();
    }
}
