// SPDX-License-Identifier: Apache-2.0
package io.packing.power;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedView;
import io.packing.sorted.WriteBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;

/**
 * A sorted store in memory that loses power as the engines do. It keeps a batch whole or not at all, and with a batch
 * all earlier ones. It outlives its closing. Thread-safe.
 */
public final class PowerStore implements SortedStore {
    /** One comparator for all maps: a map takes all entries of another one in their order, without comparing, if theirs is the same. */
    private static final Comparator<byte[]> ORDER = Arrays::compareUnsigned;

    private final NavigableMap<byte[], byte[]> entries;
    private final NavigableMap<byte[], byte[]> forced;
    private final List<WriteBatch> since = new ArrayList<>();
    /** The cursors that a write would change. Most end before the next write, and read a few entries of a long range. */
    private final List<Range> open = new ArrayList<>();

    public PowerStore() {
        this(new TreeMap<>(ORDER));
    }

    private PowerStore(NavigableMap<byte[], byte[]> forced) {
        this.forced = forced;
        this.entries = copy(forced);
    }

    private static NavigableMap<byte[], byte[]> copy(NavigableMap<byte[], byte[]> from) {
        NavigableMap<byte[], byte[]> same = new TreeMap<>(ORDER);
        same.putAll(from);
        return same;
    }

    /** Returns the store after a power loss at this moment. */
    public synchronized PowerStore afterLoss(Loss loss, RandomGenerator random) {
        int kept = switch (loss) {
            case ALL -> 0;
            case NOTHING -> since.size();
            case TORN, ZEROS, REORDERED -> since.isEmpty() ? 0 : random.nextInt(since.size() + 1);
        };
        NavigableMap<byte[], byte[]> left = copy(forced);
        since.subList(0, kept).forEach(batch -> apply(left, batch));
        return new PowerStore(left);
    }

    @Override
    public synchronized Optional<byte[]> get(byte[] key) {
        return Optional.ofNullable(entries.get(key)).map(byte[]::clone);
    }

    @Override
    public synchronized void write(WriteBatch batch, Sync sync) {
        open.forEach(Range::keepRest);
        open.clear();
        apply(entries, batch);
        since.add(batch);
        if (sync == Sync.FSYNC) {
            since.forEach(each -> apply(forced, each));
            since.clear();
        }
    }

    private static void apply(Map<byte[], byte[]> to, WriteBatch batch) {
        batch.forEach(new WriteBatch.Visitor() {
            @Override
            public void put(byte[] key, byte[] value) {
                to.put(key, value);
            }

            @Override
            public void delete(byte[] key) {
                to.remove(key);
            }
        });
    }

    @Override
    public synchronized Cursor scan(byte[] from, byte[] to) {
        NavigableMap<byte[], byte[]> range =
                to.length == 0 ? entries.tailMap(from, true) : entries.subMap(from, true, to, false);
        Range cursor = new Range(range.entrySet().iterator());
        open.add(cursor);
        return cursor;
    }

    @Override
    public synchronized SortedView view() {
        return new PowerStore(copy(entries));
    }

    @Override
    public long sizeOnDisk() {
        return 0;
    }

    @Override
    public void close() {
        // The entries stay for the next start.
    }

    /** A cursor over the entries as they are when it is made. */
    private final class Range implements Cursor {
        private Iterator<Map.Entry<byte[], byte[]>> left;
        private byte[] key = new byte[0];
        private byte[] value = new byte[0];

        Range(Iterator<Map.Entry<byte[], byte[]>> left) {
            this.left = left;
        }

        /** Reads all entries that are left. The map's own entries change with it. */
        private void keepRest() {
            List<Map.Entry<byte[], byte[]>> rest = new ArrayList<>();
            left.forEachRemaining(entry -> rest.add(Map.entry(entry.getKey(), entry.getValue())));
            left = rest.iterator();
        }

        @Override
        public boolean next() {
            synchronized (PowerStore.this) {
                if (!left.hasNext()) {
                    return false;
                }
                Map.Entry<byte[], byte[]> at = left.next();
                key = at.getKey();
                value = at.getValue();
                return true;
            }
        }

        @Override
        public byte[] key() {
            return key;
        }

        @Override
        public byte[] value() {
            return value;
        }

        @Override
        public void close() {
            synchronized (PowerStore.this) {
                open.remove(this);
            }
        }
    }
}
