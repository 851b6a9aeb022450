// SPDX-License-Identifier: Apache-2.0
package io.packing.sorted;

import java.util.ArrayList;
import java.util.List;

/** Puts and deletes that take effect together, in order. Confined to one thread until it is written. */
public final class WriteBatch {
    /** A receiver of the changes in their order. */
    public interface Visitor {
        void put(byte[] key, byte[] value);

        void delete(byte[] key);
    }

    private interface Change {
        void accept(Visitor visitor);
    }

    private final List<Change> changes = new ArrayList<>();
    private long bytes;

    public WriteBatch put(byte[] key, byte[] value) {
        changes.add(visitor -> visitor.put(key, value));
        bytes += key.length + value.length;
        return this;
    }

    public WriteBatch delete(byte[] key) {
        changes.add(visitor -> visitor.delete(key));
        bytes += key.length;
        return this;
    }

    public void forEach(Visitor visitor) {
        changes.forEach(change -> change.accept(visitor));
    }

    /** Returns the bytes of keys and values. */
    public long bytes() {
        return bytes;
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }
}
