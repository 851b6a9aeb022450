// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.registry.access;

import org.jspecify.annotations.NullMarked;
