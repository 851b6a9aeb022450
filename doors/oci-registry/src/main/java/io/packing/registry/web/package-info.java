// SPDX-License-Identifier: Apache-2.0
/** The HTTP server of doors: connections, TLS, and clients that send or take bytes too slowly. It knows no protocol of a door. */
@NullMarked
package io.packing.registry.web;

import org.jspecify.annotations.NullMarked;
