// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.fuzz.guarded;

import org.jspecify.annotations.NullMarked;
