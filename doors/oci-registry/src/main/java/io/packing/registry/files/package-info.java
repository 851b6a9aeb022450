// SPDX-License-Identifier: Apache-2.0
/** The paths of a registry in a mount, and the port to them. */
@NullMarked
package io.packing.registry.files;

import org.jspecify.annotations.NullMarked;
