// SPDX-License-Identifier: Apache-2.0
/** Encryption of objects in a store: named keys that wrap data keys, and a key of its own for each object. */
@NullMarked
package io.packing.encryption;

import org.jspecify.annotations.NullMarked;
