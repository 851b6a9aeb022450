// SPDX-License-Identifier: Apache-2.0
package io.packing.operations.dump;

/**
 * The counts of a dump.
 *
 * @param bytes the lengths of all files
 * @param unpacked files of which some bytes are in no blob: buffered, or lost
 */
public record DumpSummary(long files, long directories, long bytes, long unpacked) {}
