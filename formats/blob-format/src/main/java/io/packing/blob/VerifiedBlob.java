// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

/**
 * The verifier's measures of a blob without a fault.
 *
 * @param length all bytes
 * @param footerOffset the start of the footer
 * @param files entries of the footer
 * @param extents of all files, each read and checked
 * @param fileBytes bytes of the extents, decoded
 * @param storedBytes bytes of the extents, as stored
 * @param gapBytes bytes of the body that belong to no extent
 */
public record VerifiedBlob(
        long length, long footerOffset, int files, int extents, long fileBytes, long storedBytes, long gapBytes) {}
