// SPDX-License-Identifier: Apache-2.0
/** Positioned reads of files, wherever their bytes are. */
@NullMarked
package io.packing.worker.read;

import org.jspecify.annotations.NullMarked;
