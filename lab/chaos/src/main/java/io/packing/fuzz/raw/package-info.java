// SPDX-License-Identifier: Apache-2.0
/** Hostile bytes for any port: noise, and frames and requests that are nearly correct. */
@NullMarked
package io.packing.fuzz.raw;

import org.jspecify.annotations.NullMarked;
