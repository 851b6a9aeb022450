// SPDX-License-Identifier: Apache-2.0
/** The status of a daemon, for its operators, over HTTP. */
@NullMarked
package io.packing.status;

import org.jspecify.annotations.NullMarked;
