// SPDX-License-Identifier: Apache-2.0
/** Parts of byte buffers. */
@NullMarked
package io.packing.buffers;

import org.jspecify.annotations.NullMarked;
