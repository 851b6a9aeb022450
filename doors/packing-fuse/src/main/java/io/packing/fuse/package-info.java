// SPDX-License-Identifier: Apache-2.0
/**
 * The FUSE protocol of the Linux kernel, version 7: messages, a session that answers them for a file system, and threads that
 * serve a device. The bytes are those of {@code include/uapi/linux/fuse.h}, in the byte order of the machine.
 */
@NullMarked
package io.packing.fuse;

import org.jspecify.annotations.NullMarked;
