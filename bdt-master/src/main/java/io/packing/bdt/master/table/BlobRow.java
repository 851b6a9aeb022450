package io.packing.bdt.master.table;

import io.packing.blob.BlobName;

/**
 * A blob that the table knows.
 *
 * @param total its length in bytes; at least the footer offset of its name
 * @param live stored bytes that live files need
 * @param settled whether a worker reported it together with all its files; a recovery need not read its footer again
 */
public record BlobRow(BlobName name, long total, long live, boolean settled) {
    /** What the names of the master's own blobs have in a worker's place. */
    public static final String COMPACTED = "compacted";

    public BlobRow {
        if (total < 0 || live < 0) {
            throw new Bytes.MalformedException("%s: %d bytes, %d live".formatted(name, total, live));
        }
    }

    BlobRow withLive(long bytes) {
        return new BlobRow(name, total, bytes, settled);
    }

    byte[] encode() {
        return new Bytes.Out()
                .text(name.toString())
                .number(total)
                .number(live)
                .byte1(settled ? 1 : 0)
                .toBytes();
    }

    public static BlobRow decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        return new BlobRow(BlobName.parse(in.text()), in.number(), in.number(), in.byte1() == 1);
    }
}
