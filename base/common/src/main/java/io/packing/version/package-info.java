// SPDX-License-Identifier: Apache-2.0
/** The version of the build. */
@NullMarked
package io.packing.version;

import org.jspecify.annotations.NullMarked;
