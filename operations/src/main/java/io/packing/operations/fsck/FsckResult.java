// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.fsck;

/**
 * The counts of checked entries.
 *
 * @param files of the present
 * @param contents that several files share, or that a snapshot sees
 * @param blobs that the table has
 * @param verified blobs of which every byte was read
 * @param objects of adopted files, for which the store was asked
 */
public record FsckResult(long files, long contents, long blobs, long verified, long objects) {}
