// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.fuzz.raw;

import org.jspecify.annotations.NullMarked;
