// SPDX-License-Identifier: Apache-2.0
/**
 * The BDT protocol over gRPC: the service, its server, and the standard health service.
 */
@NullMarked
package io.packing.bdt.master.rpc;

import org.jspecify.annotations.NullMarked;
