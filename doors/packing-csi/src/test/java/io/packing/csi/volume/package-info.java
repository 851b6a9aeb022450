// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.csi.volume;

import org.jspecify.annotations.NullMarked;
