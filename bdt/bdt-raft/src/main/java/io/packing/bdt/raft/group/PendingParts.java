// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.raft.group;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;

/**
 * The parts of batches that exceed one entry, until their last part comes. Confined to the thread that applies the
 * entries.
 */
final class PendingParts {
    private final Map<String, Parts> byMount = new TreeMap<>();

    /** @param count number of the parts */
    private record Parts(int count, ByteArrayOutputStream bytes) {}

    boolean isEmpty() {
        return byMount.isEmpty();
    }

    void clear() {
        byMount.clear();
    }

    /** Takes a part; returns false if it does not follow the parts so far. A first part drops earlier ones. */
    boolean add(MasterGroupEntry.Part part) {
        Parts before = byMount.get(part.mount());
        if (part.number() == 0) {
            before = new Parts(0, new ByteArrayOutputStream());
        }
        if (before == null || before.count != part.number()) {
            return false;
        }
        before.bytes.writeBytes(part.rows());
        byMount.put(part.mount(), new Parts(part.number() + 1, before.bytes));
        return true;
    }

    /** Removes the parts of a mount and returns their bytes; no bytes if their number differs. */
    byte[] take(String mount, int wanted) {
        Parts all = byMount.remove(mount);
        return all != null && all.count == wanted ? all.bytes.toByteArray() : new byte[0];
    }
}
