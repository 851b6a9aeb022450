// SPDX-License-Identifier: Apache-2.0
/** The state and the activity of mounts, for operators. */
@NullMarked
package io.packing.cli.operate;

import org.jspecify.annotations.NullMarked;
