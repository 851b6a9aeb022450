// SPDX-License-Identifier: Apache-2.0
/** The client of a BDT master over gRPC: {@link io.packing.bdt.client.GrpcBdts} is the entry. */
@NullMarked
package io.packing.bdt.client;

import org.jspecify.annotations.NullMarked;
