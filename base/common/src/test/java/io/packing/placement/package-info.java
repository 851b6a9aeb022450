// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.placement;

import org.jspecify.annotations.NullMarked;
