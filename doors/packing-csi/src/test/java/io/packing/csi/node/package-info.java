// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.csi.node;

import org.jspecify.annotations.NullMarked;
