package io.packing.bdt.master;

import io.packing.blob.BlobName;

/**
 * A blob that the table knows.
 *
 * @param total its length in bytes; at least the footer offset of its name
 * @param live stored bytes that live files need
 */
record BlobRow(BlobName name, long total, long live) {
    BlobRow plusLive(long bytes) {
        return new BlobRow(name, total, Math.max(0, live + bytes));
    }

    byte[] encode() {
        return new Bytes.Out().text(name.toString()).number(total).number(live).toBytes();
    }

    static BlobRow decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        return new BlobRow(BlobName.parse(in.text()), in.number(), in.number());
    }
}
