// SPDX-License-Identifier: Apache-2.0
@NullMarked
package io.packing.htfs.record;

import org.jspecify.annotations.NullMarked;
