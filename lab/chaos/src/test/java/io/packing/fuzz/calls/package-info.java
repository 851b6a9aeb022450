// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.fuzz.calls;

import org.jspecify.annotations.NullMarked;
