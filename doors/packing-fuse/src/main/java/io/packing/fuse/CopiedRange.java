// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

/** A range of one file that is copied into another file, or into the file itself. */
public record CopiedRange(
        long from, long fromHandle, long fromOffset, long to, long toHandle, long toOffset, long length) {}
