package io.packing.bdt.raft.group;

import java.io.ByteArrayOutputStream;
import java.util.Map;
import java.util.TreeMap;

/** Parts of rows that are too many for one entry, whose last part has not come yet. Confined to whoever applies the entries. */
final class PendingParts {
    private final Map<String, Parts> byMount = new TreeMap<>();

    /** @param count how many there are */
    private record Parts(int count, ByteArrayOutputStream bytes) {}

    boolean isEmpty() {
        return byMount.isEmpty();
    }

    void clear() {
        byMount.clear();
    }

    /** Takes a part; false when it does not follow from those that are there. The first one drops them. */
    boolean add(GroupEntry.Part part) {
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

    /** Gives the parts of a mount away; no bytes when there are not so many. */
    byte[] take(String mount, int wanted) {
        Parts all = byMount.remove(mount);
        return all != null && all.count == wanted ? all.bytes.toByteArray() : new byte[0];
    }
}
