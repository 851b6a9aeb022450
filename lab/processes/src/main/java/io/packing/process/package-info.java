// SPDX-License-Identifier: Apache-2.0
/** Child JVMs. The parent starts them, waits until they are ready, and stops them; they never outlive it. */
@NullMarked
package io.packing.process;

import org.jspecify.annotations.NullMarked;
