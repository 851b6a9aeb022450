// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.buffer;

import java.util.AbstractCollection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.TreeSet;

/**
 * The first files in an order, of all those added, up to the size of a blob: memory for one blob, however many are
 * added.
 */
final class FirstFiles extends AbstractCollection<BufferedFile> {
    private final TreeSet<BufferedFile> first;
    private final long maxBytes;
    private long bytes;

    FirstFiles(Comparator<BufferedFile> order, long maxBytes) {
        this.first = new TreeSet<>(order.thenComparingLong(BufferedFile::id));
        this.maxBytes = maxBytes;
    }

    @Override
    public boolean add(BufferedFile file) {
        first.add(file);
        bytes += file.storedBytes();
        while (first.size() > 1 && (bytes > maxBytes || first.size() > Sealing.MAX_BLOB_FILES)) {
            bytes -= first.pollLast().storedBytes();
        }
        return first.contains(file);
    }

    @Override
    public Iterator<BufferedFile> iterator() {
        return first.iterator();
    }

    @Override
    public int size() {
        return first.size();
    }
}
