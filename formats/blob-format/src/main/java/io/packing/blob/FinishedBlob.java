// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

/**
 * The measures of a finished blob file.
 *
 * @param footerOffset the start of its footer; part of its {@link BlobName}
 * @param length all bytes, trailer included
 * @param files entries of the footer
 * @param extents of all files
 * @param storedBytes bytes of the body that belong to extents
 * @param framing bytes that are neither a file's nor dead, see {@link Framing}
 */
public record FinishedBlob(long footerOffset, long length, int files, int extents, long storedBytes, long framing) {}
