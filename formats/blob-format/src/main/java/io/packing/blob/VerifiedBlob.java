package io.packing.blob;

/**
 * What a verifier found in a blob without fault.
 *
 * @param length all bytes
 * @param footerOffset where the footer starts
 * @param files entries of the footer
 * @param extents of all files, each read and checked
 * @param fileBytes bytes that the extents hold, decoded
 * @param storedBytes the same as stored
 * @param gapBytes bytes of the body that belong to no extent
 */
public record VerifiedBlob(
        long length, long footerOffset, int files, int extents, long fileBytes, long storedBytes, long gapBytes) {}
