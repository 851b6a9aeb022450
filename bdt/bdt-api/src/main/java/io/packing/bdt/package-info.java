// SPDX-License-Identifier: Apache-2.0
/** The blob descriptor table for its clients: the port, its values and the gRPC client. */
@NullMarked
package io.packing.bdt;

import org.jspecify.annotations.NullMarked;
