// SPDX-License-Identifier: Apache-2.0
/** The services of the Container Storage Interface: they read requests, and turn refusals into statuses. */
@NullMarked
package io.packing.csi.rpc;

import org.jspecify.annotations.NullMarked;
