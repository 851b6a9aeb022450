// SPDX-License-Identifier: Apache-2.0
/** A process of an ordinary user of the host, which tries the files, links, sockets and ports of servers; JDK only. */
@NullMarked
package io.packing.fuzz.local;

import org.jspecify.annotations.NullMarked;
