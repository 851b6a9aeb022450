package io.packing.sorted;

class LevelDbStoreTest extends SortedStoreContract {
    @Override
    SortedStoreConfig.Engine engine() {
        return SortedStoreConfig.Engine.LEVELDB;
    }
}
