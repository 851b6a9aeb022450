// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.time.Instant;

/**
 * The attributes that {@code stat} shows of a file.
 *
 * @param inode the number that programs see
 * @param blocks of 512 bytes
 * @param mode type and permissions, as in {@link Mode}
 * @param device of a device file, its major and minor number as the kernel packs them
 * @param blockSize the length of reads and writes that suit the file
 */
public record Attributes(
        long inode,
        long size,
        long blocks,
        Instant accessed,
        Instant modified,
        Instant changed,
        int mode,
        int links,
        int user,
        int group,
        int device,
        int blockSize) {}
