// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.layers.containerd;

import org.jspecify.annotations.NullMarked;
