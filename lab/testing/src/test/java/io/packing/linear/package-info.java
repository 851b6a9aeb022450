// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.linear;

import org.jspecify.annotations.NullMarked;
