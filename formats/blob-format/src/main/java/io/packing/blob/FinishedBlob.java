package io.packing.blob;

/**
 * What a finished blob file measures.
 *
 * @param footerOffset where its footer starts; part of its {@link BlobName}
 * @param length all bytes, trailer included
 * @param files entries of the footer
 * @param extents of all files
 * @param storedBytes bytes of the body that belong to extents
 * @param framing bytes that are neither a file's nor dead, see {@link Framing}
 */
public record FinishedBlob(long footerOffset, long length, int files, int extents, long storedBytes, long framing) {}
