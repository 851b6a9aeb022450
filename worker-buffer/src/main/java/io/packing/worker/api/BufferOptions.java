// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.api;

import io.packing.options.Option;
import io.packing.options.Options;
import io.packing.options.Parsers;
import io.packing.sorted.SortedStoreOptions;

/**
 * The options of the disk on which a worker keeps files until they are pushed.
 *
 * @param directory empty: the worker's own
 * @param maxBytes buffered bytes at which creators wait
 * @param engine of the buffer's index
 * @param values the place of small files in the buffer
 */
public record BufferOptions(String directory, long maxBytes, SortedStoreOptions.Engine engine, BufferValues values) {
    public static final Option<String> DIRECTORY = new Option<>(
            "packing.buffer.dir", "", "Directory of the buffer; empty means the worker's own.", Parsers::text);

    public static final Option<Long> MAX_BYTES = new Option<>(
            "packing.buffer.max.bytes",
            "8GB",
            "Buffered bytes at which creators wait for pushes.",
            Parsers.bytesBetween(8L << 20, 1L << 50));

    public static final Option<SortedStoreOptions.Engine> ENGINE = new Option<>(
            "packing.buffer.engine",
            "leveldb",
            "Store of the buffer's index: leveldb or rocksdb.",
            Parsers.choice(SortedStoreOptions.Engine.class));

    public static final Option<BufferValues> VALUES = new Option<>(
            "packing.buffer.values",
            "segment",
            "The place of small files in the buffer: segment (files that become blobs without a second copy) or "
                    + "store (the buffer's engine, as in the paper).",
            Parsers.choice(BufferValues.class));

    public BufferOptions {
        if (maxBytes < 1) {
            throw new IllegalArgumentException("a buffer of %d bytes".formatted(maxBytes));
        }
    }

    static BufferOptions from(Options options) {
        return new BufferOptions(
                options.get(DIRECTORY), options.get(MAX_BYTES), options.get(ENGINE), options.get(VALUES));
    }
}
