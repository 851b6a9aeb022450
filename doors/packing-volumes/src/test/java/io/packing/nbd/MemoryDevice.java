// SPDX-License-Identifier: Apache-2.0
package io.packing.nbd;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A device in memory, which knows for each byte if it is a hole, and counts its syncs. */
final class MemoryDevice implements NbdDevice, NbdExports {
    static final String NAME = "disk";

    private final byte[] bytes;
    private final BitSet data = new BitSet();
    private final boolean readOnly;
    private int flushes;
    private Optional<IOException> failure = Optional.empty();

    MemoryDevice(int size, boolean readOnly) {
        this.bytes = new byte[size];
        this.readOnly = readOnly;
    }

    /** Lets all later calls fail. */
    synchronized void failBy(IOException with) {
        failure = Optional.of(with);
    }

    synchronized int flushes() {
        return flushes;
    }

    synchronized byte[] bytes(int offset, int length) {
        return Arrays.copyOfRange(bytes, offset, offset + length);
    }

    private void check() throws IOException {
        if (failure.isPresent()) {
            throw failure.get();
        }
    }

    @Override
    public long size() {
        return bytes.length;
    }

    @Override
    public boolean isReadOnly() {
        return readOnly;
    }

    @Override
    public synchronized void read(long offset, ByteBuffer into) throws IOException {
        check();
        into.put(bytes, (int) offset, into.remaining());
    }

    @Override
    public synchronized void write(long offset, ByteBuffer from) throws IOException {
        check();
        data.set((int) offset, (int) offset + from.remaining());
        from.get(bytes, (int) offset, from.remaining());
    }

    @Override
    public synchronized void punch(long offset, long length) throws IOException {
        check();
        data.clear((int) offset, (int) (offset + length));
        Arrays.fill(bytes, (int) offset, (int) (offset + length), (byte) 0);
    }

    @Override
    public synchronized CompletableFuture<Void> flush() {
        flushes++;
        return failure.isPresent()
                ? CompletableFuture.failedFuture(failure.get())
                : CompletableFuture.completedFuture(null);
    }

    @Override
    public synchronized List<DeviceRange> ranges(long offset, long length, int most) throws IOException {
        check();
        List<DeviceRange> ranges = new ArrayList<>();
        int end = (int) (offset + length);
        for (int at = (int) offset; at < end && ranges.size() < most; ) {
            boolean isData = data.get(at);
            int next = isData ? data.nextClearBit(at) : data.nextSetBit(at);
            int until = next < 0 ? end : Math.min(next, end);
            ranges.add(new DeviceRange(at, until - at, !isData));
            at = until;
        }
        return ranges;
    }

    @Override
    public List<String> names() {
        return List.of(NAME);
    }

    @Override
    public Optional<NbdDevice> find(String name) {
        return name.isEmpty() || name.equals(NAME) ? Optional.of(this) : Optional.empty();
    }

    @Override
    public String description(String name) {
        return "a device in memory";
    }
}
