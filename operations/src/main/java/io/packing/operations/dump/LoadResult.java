// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

/**
 * The counts of a load.
 *
 * @param files that were made
 * @param bytes of them
 * @param there files that were there already as the dump has them
 * @param failed files and directories that could not be made; each was reported
 */
public record LoadResult(long files, long bytes, long directories, long there, long failed) {}
