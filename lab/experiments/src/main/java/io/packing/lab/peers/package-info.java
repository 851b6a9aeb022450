// SPDX-License-Identifier: Apache-2.0
/** The kernel's door beside another file system over the same store. */
@NullMarked
package io.packing.lab.peers;

import org.jspecify.annotations.NullMarked;
