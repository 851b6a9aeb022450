// SPDX-License-Identifier: Apache-2.0
/** A master and a worker with TLS, users with private files, and attackers with certificates that give no rights. */
@NullMarked
package io.packing.fuzz.guarded;

import org.jspecify.annotations.NullMarked;
