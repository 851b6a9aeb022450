// SPDX-License-Identifier: Apache-2.0
/** Tests of the FUSE protocol. */
@NullMarked
package io.packing.fuse;

import org.jspecify.annotations.NullMarked;
