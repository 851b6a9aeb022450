// SPDX-License-Identifier: Apache-2.0
/** The processes of a round: store, master, workers and clients, which can be killed and started again. */
@NullMarked
package io.packing.chaos.cluster;

import org.jspecify.annotations.NullMarked;
