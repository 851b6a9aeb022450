// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.registry.dedup;

import org.jspecify.annotations.NullMarked;
