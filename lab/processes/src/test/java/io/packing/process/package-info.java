// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.process;

import org.jspecify.annotations.NullMarked;
