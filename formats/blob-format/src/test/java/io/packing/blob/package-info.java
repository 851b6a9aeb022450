// SPDX-License-Identifier: Apache-2.0
/** Tests of the blob format. */
@NullMarked
package io.packing.blob;

import org.jspecify.annotations.NullMarked;
