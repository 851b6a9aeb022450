// SPDX-License-Identifier: Apache-2.0
/** The wiring of a CSI driver. */
@NullMarked
package io.packing.csi;

import org.jspecify.annotations.NullMarked;
