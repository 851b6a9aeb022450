// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master.table.row;

import io.packing.blob.BlobName;

/**
 * A blob that the table knows.
 *
 * @param total its length in bytes; at least the footer offset of its name
 * @param live stored bytes that live files need
 * @param settled whether a worker reported it together with all its files; a recovery need not read its footer again
 * @param framing bytes that are there for the files without being theirs, see {@link io.packing.blob.Framing}; 0: not known
 */
public record BlobRow(BlobName name, long total, long live, boolean settled, long framing) {
    /** Stands in the place of a worker's id in the names of blobs that the master made. */
    public static final String COMPACTED = "compacted";

    public BlobRow {
        if (total < 0 || live < 0 || framing < 0 || framing > total) {
            throw new Bytes.MalformedException(
                    "%s: %d bytes, %d live, %d of framing".formatted(name, total, live, framing));
        }
    }

    public BlobRow withLive(long bytes) {
        return new BlobRow(name, total, bytes, settled, framing);
    }

    /** Returns the bytes of the body that were a file's when the blob was made, or of a file that was gone by then. */
    public long contents() {
        return Math.min(name.footerOffset(), total - framing);
    }

    /** Returns the part of the framing that live files need: as much of it as of the contents is live. */
    public long liveFraming() {
        long contents = total - framing;
        return live >= contents
                ? (live == 0 ? 0 : framing)
                // The same on every machine: Java's floating point is strict.
                : (long) ((double) framing * live / contents);
    }

    /** Returns the bytes that a deletion of the blob gives back, once its live ones are elsewhere. */
    public long dead() {
        return Math.max(0, total - live - liveFraming());
    }

    public byte[] encode() {
        Bytes.Out out =
                new Bytes.Out().text(name.toString()).number(total).number(live).byte1(settled ? 1 : 0);
        return (framing == 0 ? out : out.number(framing)).toBytes();
    }

    public static BlobRow decode(byte[] bytes) {
        Bytes.In in = new Bytes.In(bytes);
        return new BlobRow(
                BlobName.parse(in.text()),
                in.number(),
                in.number(),
                in.byte1() == 1,
                // Rows of older versions end here.
                in.hasMore() ? in.number() : 0);
    }
}
