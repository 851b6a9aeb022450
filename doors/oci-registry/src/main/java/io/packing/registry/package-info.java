// SPDX-License-Identifier: Apache-2.0
/** An OCI registry over a packing mount: the wiring. */
@NullMarked
package io.packing.registry;

import org.jspecify.annotations.NullMarked;
