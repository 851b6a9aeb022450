package io.packing.sorted;

class RocksDbStoreTest extends SortedStoreContract {
    @Override
    SortedStoreConfig.Engine engine() {
        return SortedStoreConfig.Engine.ROCKSDB;
    }
}
