// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import org.apache.hadoop.io.WritableComparable;
import org.apache.hadoop.io.WritableComparator;
import org.apache.hadoop.mapreduce.Partitioner;

/**
 * A key that sends all accesses of a file to one reducer, in the order of time. Twenty-four bytes that compare as they
 * are.
 */
final class FileKey implements WritableComparable<FileKey> {
    private static final int SIZE = 3 * Long.BYTES;

    static {
        WritableComparator.define(FileKey.class, new Order());
    }

    private long file;
    private long nanos;
    private long sequence;

    FileKey() {}

    /** @param newSequence order of events with equal times */
    void set(long newFile, long newNanos, long newSequence) {
        file = newFile;
        nanos = newNanos;
        sequence = newSequence;
    }

    long nanos() {
        return nanos;
    }

    @Override
    public void write(DataOutput out) throws IOException {
        out.writeLong(file);
        out.writeLong(nanos);
        out.writeLong(sequence);
    }

    @Override
    public void readFields(DataInput in) throws IOException {
        file = in.readLong();
        nanos = in.readLong();
        sequence = in.readLong();
    }

    @Override
    public int compareTo(FileKey other) {
        int order = Long.compareUnsigned(file, other.file);
        if (order == 0) {
            order = Long.compareUnsigned(nanos, other.nanos);
        }
        return order != 0 ? order : Long.compareUnsigned(sequence, other.sequence);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof FileKey key && compareTo(key) == 0;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(file);
    }

    /** The order by file, time and sequence. */
    static final class Order extends WritableComparator {
        Order() {
            super(FileKey.class);
        }

        @Override
        public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
            return compareBytes(a, aStart, SIZE, b, bStart, SIZE);
        }
    }

    /** The order by file only: a reducer gets all accesses of a file in one call. */
    static final class ByFile extends WritableComparator {
        ByFile() {
            super(FileKey.class);
        }

        @Override
        public int compare(byte[] a, int aStart, int aLength, byte[] b, int bStart, int bLength) {
            return compareBytes(a, aStart, Long.BYTES, b, bStart, Long.BYTES);
        }
    }

    /** A partitioner that sends all accesses of a file to one reducer. */
    static final class OfFile extends Partitioner<FileKey, FileEvent> {
        @Override
        public int getPartition(FileKey key, FileEvent value, int partitions) {
            return Math.floorMod(Long.hashCode(key.file), partitions);
        }
    }
}
