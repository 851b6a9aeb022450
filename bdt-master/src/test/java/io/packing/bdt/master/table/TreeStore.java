// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table;

import io.packing.sorted.Cursor;
import io.packing.sorted.SortedStore;
import io.packing.sorted.SortedView;
import io.packing.sorted.WriteBatch;
import java.io.IOException;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A sorted store in memory that outlives its closing, and can be put back to an earlier state as power loss would. */
public final class TreeStore implements SortedStore {
    private TreeMap<byte[], byte[]> rows = new TreeMap<>(Arrays::compareUnsigned);
    private Optional<Throwable> nextFailure = Optional.empty();
    private long reads;
    private final long[] getsByKind = new long[1 << Byte.SIZE];

    /** Returns how often rows were read: each of a get and of a scan counts as one. */
    synchronized long reads() {
        return reads;
    }

    /** Returns how often a row whose key begins so was read by its key. */
    synchronized long gets(byte kind) {
        return getsByKind[Byte.toUnsignedInt(kind)];
    }

    public synchronized Map<byte[], byte[]> copy() {
        return new TreeMap<>(rows);
    }

    public synchronized void reset(Map<byte[], byte[]> to) {
        rows = new TreeMap<>(Arrays::compareUnsigned);
        rows.putAll(to);
    }

    public synchronized void failNextWrite() {
        failNextWrite(new IOException("injected"));
    }

    /** Takes a failure back that has not happened. */
    public synchronized void failNoMore() {
        nextFailure = Optional.empty();
    }

    /**
     * Lets the next write fail.
     *
     * @param how an {@link IOException}, a {@link RuntimeException} or an {@link Error}
     */
    public synchronized void failNextWrite(Throwable how) {
        nextFailure = Optional.of(how);
    }

    @Override
    public synchronized Optional<byte[]> get(byte[] key) {
        reads++;
        getsByKind[key.length == 0 ? 0 : Byte.toUnsignedInt(key[0])]++;
        return Optional.ofNullable(rows.get(key)).map(byte[]::clone);
    }

    @Override
    public synchronized void write(WriteBatch batch, Sync sync) throws IOException {
        if (nextFailure.isPresent()) {
            Throwable how = nextFailure.get();
            nextFailure = Optional.empty();
            if (how instanceof IOException io) {
                throw io;
            }
            if (how instanceof Error error) {
                throw error;
            }
            throw (RuntimeException) how;
        }
        batch.forEach(new WriteBatch.Visitor() {
            @Override
            public void put(byte[] key, byte[] value) {
                rows.put(key, value);
            }

            @Override
            public void delete(byte[] key) {
                rows.remove(key);
            }
        });
    }

    @Override
    public synchronized Cursor scan(byte[] from, byte[] to) {
        reads++;
        Map<byte[], byte[]> range = to.length == 0 ? rows.tailMap(from, true) : rows.subMap(from, true, to, false);
        TreeMap<byte[], byte[]> snapshot = new TreeMap<>(Arrays::compareUnsigned);
        snapshot.putAll(range);
        Iterator<Map.Entry<byte[], byte[]>> entries = snapshot.entrySet().iterator();
        return new Cursor() {
            private Map.Entry<byte[], byte[]> current = Map.entry(new byte[0], new byte[0]);

            @Override
            public boolean next() {
                if (!entries.hasNext()) {
                    return false;
                }
                current = entries.next();
                return true;
            }

            @Override
            public byte[] key() {
                return current.getKey();
            }

            @Override
            public byte[] value() {
                return current.getValue();
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public SortedView view() {
        TreeStore copy = new TreeStore();
        copy.reset(copy());
        return copy;
    }

    @Override
    public long sizeOnDisk() {
        return 0;
    }

    @Override
    public void close() {}
}
