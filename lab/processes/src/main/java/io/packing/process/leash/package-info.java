// SPDX-License-Identifier: Apache-2.0
/** The main class of child JVMs, which end with their parent. It runs on older versions of Java, too. */
@NullMarked
package io.packing.process.leash;

import org.jspecify.annotations.NullMarked;
