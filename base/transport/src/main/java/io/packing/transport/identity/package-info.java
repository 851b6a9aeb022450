// SPDX-License-Identifier: Apache-2.0
/** The identity and the rights of callers: the check in front of every service of a secured server. */
@NullMarked
package io.packing.transport.identity;

import org.jspecify.annotations.NullMarked;
