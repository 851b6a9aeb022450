// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

class LevelDbStoreTest extends SortedStoreContract {
    @Override
    SortedStoreOptions.Engine engine() {
        return SortedStoreOptions.Engine.LEVELDB;
    }
}
