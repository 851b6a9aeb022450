// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.layers.erofs;

import org.jspecify.annotations.NullMarked;
