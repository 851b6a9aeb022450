// SPDX-License-Identifier: Apache-2.0
/** Keys and certificates of TLS, from PEM files that an operator may replace while a process runs. */
@NullMarked
package io.packing.transport.tls;

import org.jspecify.annotations.NullMarked;
