// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.chaos.linear;

import org.jspecify.annotations.NullMarked;
