// SPDX-License-Identifier: Apache-2.0
/** The client's side of lean layers (DupHunter, §4.3): images that are pulled without the files that the client has. */
@NullMarked
package io.packing.registry.pull;

import org.jspecify.annotations.NullMarked;
