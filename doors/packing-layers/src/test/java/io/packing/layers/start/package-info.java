// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.layers.start;

import org.jspecify.annotations.NullMarked;
