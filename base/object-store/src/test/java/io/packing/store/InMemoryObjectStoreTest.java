package io.packing.store;

class InMemoryObjectStoreTest extends ObjectStoreContract {
    @Override
    protected ObjectStore open() {
        return new InMemoryObjectStore();
    }
}
