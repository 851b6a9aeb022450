// SPDX-License-Identifier: Apache-2.0
/**
 * Images of metadata: trees that the kernel's EROFS reads, without the bytes of their files. Overlayfs takes the bytes from a
 * directory of contents by their SHA-256. Nodes and their encodings are below, {@link MetadataImage} writes them. The format is
 * that of {@code fs/erofs/erofs_fs.h} of Linux 5.16.
 */
@NullMarked
package io.packing.layers.erofs;

import org.jspecify.annotations.NullMarked;
