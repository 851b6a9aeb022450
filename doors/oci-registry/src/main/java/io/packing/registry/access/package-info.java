// SPDX-License-Identifier: Apache-2.0
/** Rights of clients in repositories. */
@NullMarked
package io.packing.registry.access;

import org.jspecify.annotations.NullMarked;
