// SPDX-License-Identifier: Apache-2.0
/**
 * The peer protocol: a worker's server, and its client for other workers and for clients of a mount. Generated types
 * stay in here.
 */
@NullMarked
package io.packing.worker.rpc;

import org.jspecify.annotations.NullMarked;
