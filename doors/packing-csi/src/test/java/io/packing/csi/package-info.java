// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.csi;

import org.jspecify.annotations.NullMarked;
