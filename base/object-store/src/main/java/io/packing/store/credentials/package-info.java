// SPDX-License-Identifier: Apache-2.0
/** The credentials of a store: the one source that a process was asked to use, and its clear failure. */
@NullMarked
package io.packing.store.credentials;

import org.jspecify.annotations.NullMarked;
