// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/**
 * The space that {@code statfs} shows.
 *
 * @param blocks of {@code blockSize} bytes, all of them
 * @param free of them
 * @param files all that there can be
 * @param freeFiles of them
 * @param nameLength the longest name, in bytes
 */
public record Space(long blocks, long free, long files, long freeFiles, int blockSize, int nameLength) {}
